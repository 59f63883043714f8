package closure

import (
	"slices"

	"golang.org/x/tools/go/callgraph"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// Dependencies returns the paths of the packages of other modules that are not rewritten and
// have functions in the closure: they call the user's functions back, or checkpoint calls.
func (c *Closure) Dependencies() []string {
	dependency := c.graph.dependencies()
	var list []string
	for n := range c.next {
		if path := packagePath(n.Func); c.graph.kind(n.Func) == outside && dependency[path] {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// dependencies returns which packages are of other modules, by their import paths. Those that only
// ckpgen's own packages need are not among them.
func (g *graph) dependencies() map[string]bool {
	list := make(map[string]bool)
	needed := g.prog.OfRuntime()
	for _, pkg := range g.prog.All {
		list[pkg.Types.Path()] = load.Dependency(pkg) && !needed[pkg]
	}
	return list
}

// TestRunners returns the import paths of packages of other modules, not rewritten as yet, that run
// tests: the goroutine that calls them waits there for those that the tests have.
func (c *Closure) TestRunners() []string {
	g, dependency := c.graph, c.graph.dependencies()
	var list []string
	var visit func(n *callgraph.Node, depth int)
	visit = func(n *callgraph.Node, depth int) {
		for _, e := range n.In {
			switch path := packagePath(e.Caller.Func); g.kind(e.Caller.Func) {
			case synthetic:
				if depth < 10 {
					visit(e.Caller, depth+1)
				}
			case outside:
				if dependency[path] {
					list = append(list, path)
				}
			}
		}
	}
	for fn, n := range g.nodes {
		switch fn.String() {
		case "(*testing.M).Run", "(*testing.T).Run", "(*testing.B).Run":
			visit(n, 0)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Again returns the closure anew, after a change of which packages of the program are
// rewritten.
func (c *Closure) Again() *Closure {
	c.graph.look()
	return of(c.graph, c.auto)
}

package closure

import (
	"slices"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// Dependencies returns the paths of the packages of other modules that are not rewritten and
// have functions in the closure: they call the user's functions back, or checkpoint calls.
func (c *Closure) Dependencies() []string {
	dependency := make(map[string]bool)
	for _, pkg := range c.graph.prog.All {
		dependency[pkg.Types.Path()] = load.Dependency(pkg)
	}
	var list []string
	for n := range c.next {
		if path := packagePath(n.Func); c.graph.kind(n.Func) == outside && dependency[path] {
			list = append(list, path)
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

package closure

import "golang.org/x/tools/go/ssa"

// Runs reports whether a function of a package, or one of several, can run in the program. A
// package that is initialised has a function init.
func (c *Closure) Runs(path string, functions ...string) bool {
	return c.graph.has(path, functions, func(*ssa.Function) bool { return true })
}

// RunsLate reports whether one of them can run after the initialisation of the program.
func (c *Closure) RunsLate(path string, functions ...string) bool {
	if !c.Runs(path, functions...) {
		return false
	}
	late := c.graph.late()
	return c.graph.has(path, functions, func(fn *ssa.Function) bool { return late[c.graph.nodes[fn]] })
}

func (g *graph) has(path string, functions []string, counts func(*ssa.Function) bool) bool {
	if g.byName == nil {
		g.byName = make(map[string][]*ssa.Function)
		for fn := range g.nodes {
			if fn != nil && fn.Signature.Recv() == nil && fn.Parent() == nil {
				key := packagePath(fn) + "." + fn.Name()
				g.byName[key] = append(g.byName[key], fn)
			}
		}
	}
	for _, name := range functions {
		for _, fn := range g.byName[path+"."+name] {
			if counts(fn) {
				return true
			}
		}
	}
	return false
}

package closure

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Tables returns those of the variables of package unicode that the program can come to: that a
// function of another package refers to which can run. If it is a map or list of them, those are all.
// To refer to one for nothing has the linker keep it, and the initialisation make the maps: hundreds
// of objects in each program, for the garbage collector to look at.
func (c *Closure) Tables() map[*types.Var]bool {
	const path = "unicode"
	found := make(map[*types.Var]bool)
	all := false
	importing := make(map[string]bool)
	for _, pkg := range c.graph.prog.All {
		if pkg.Imports[path] != nil {
			importing[pkg.Types.Path()] = true
		}
	}
	for fn := range c.graph.nodes {
		if fn == nil || !importing[packagePath(fn)] {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				for _, operand := range instr.Operands(nil) {
					g, ok := (*operand).(*ssa.Global)
					if !ok || g.Pkg.Pkg.Path() != path {
						continue
					}
					v, ok := g.Object().(*types.Var)
					if !ok {
						continue
					}
					found[v] = true
					switch v.Type().Underlying().(type) {
					case *types.Map, *types.Slice:
						all = true
					}
				}
			}
		}
	}
	if all {
		scope := c.graph.prog.Package(path).Types.Scope()
		for _, name := range scope.Names() {
			if v, ok := scope.Lookup(name).(*types.Var); ok {
				found[v] = true
			}
		}
	}
	return found
}

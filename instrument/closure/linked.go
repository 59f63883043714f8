package closure

import (
	"go/ast"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// linkedFunctions returns the bodies of functions that are declared without one and have it by a
// directive go:linkname, in either of the two packages. Such a function has the name of the one
// with the body on the stack, or gives it its own. The standard library is left out: what of it is
// not rewritten is seen on the stack.
func (g *graph) linkedFunctions() map[*ssa.Function][]*ssa.Function {
	linked := make(map[*ssa.Function][]*ssa.Function)
	for _, pkg := range g.prog.All {
		here := g.program.Package(pkg.Types)
		if here == nil || g.std[pkg.Types.Path()] {
			continue
		}
		for link := range load.Links(pkg.Syntax...) {
			a := here.Func(link.Local)
			if a == nil {
				continue
			}
			for _, b := range g.linkTargets(link) {
				switch {
				case bodiless(a) && !bodiless(b):
					linked[a] = append(linked[a], b)
				case bodiless(b) && !bodiless(a):
					linked[b] = append(linked[b], a)
				}
			}
		}
	}
	return linked
}

// linkTargets finds the function that a directive names: once for each form in which the program
// has the package, as it is for tests or without them.
func (g *graph) linkTargets(link load.Link) (found []*ssa.Function) {
	path, name, ok := link.Split()
	if !ok || g.std[path] {
		return nil
	}
	for _, pkg := range g.prog.All {
		if pkg.Types.Path() != path && (path != "main" || pkg.Types.Name() != "main") {
			continue
		}
		if p := g.program.Package(pkg.Types); p != nil && p.Func(name) != nil {
			found = append(found, p.Func(name))
		}
	}
	return found
}

// bodiless reports whether a function is declared without a body.
func bodiless(fn *ssa.Function) bool {
	d, ok := fn.Syntax().(*ast.FuncDecl)
	return ok && d.Body == nil
}

// connectLinked gives the calls of functions that are declared without a body those of the bodies.
func (g *graph) connectLinked(linked map[*ssa.Function][]*ssa.Function) {
	for fn, bodies := range linked {
		n := g.nodes[fn]
		if n == nil {
			continue
		}
		for _, body := range bodies {
			callee := g.nodes[body]
			if callee == nil {
				continue
			}
			for _, e := range n.In {
				callgraph.AddEdge(e.Caller, e.Site, callee)
			}
		}
	}
}

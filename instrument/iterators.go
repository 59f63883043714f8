package instrument

import (
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// iterators returns a function that finds those of packages that are rewritten.
func (a *Analysis) iterators(pkgs []*packages.Package) func(*types.Func) *rewrite.Iterator {
	found := make(map[*types.Func]*rewrite.Iterator)
	a.eachRewritten(pkgs, func(pkg *packages.Package, closure rewrite.Closure, library bool) {
		for _, it := range rewrite.Iterators(pkg, closure, library) {
			found[it.Func] = &it
		}
	})
	return func(f *types.Func) *rewrite.Iterator { return found[f] }
}

// originals returns a function that tells which functions of such packages have their originals
// beside them.
func (a *Analysis) originals(pkgs []*packages.Package) func(*types.Func) bool {
	found := make(map[*types.Func]bool)
	a.eachRewritten(pkgs, func(pkg *packages.Package, closure rewrite.Closure, library bool) {
		for _, f := range rewrite.Originals(pkg, closure, library) {
			found[f] = true
		}
	})
	return func(f *types.Func) bool { return found[f] }
}

func (a *Analysis) eachRewritten(pkgs []*packages.Package, f func(pkg *packages.Package, closure rewrite.Closure, library bool)) {
	for _, pkg := range pkgs {
		if a.Program.StandardLibrary(pkg) {
			f(pkg, a.Closure.StandardLibrary(), true)
		} else {
			f(pkg, a.Closure, false)
		}
	}
}

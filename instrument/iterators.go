package instrument

import (
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// iterators returns a function that tells which functions of packages that are rewritten are those of [rewrite.Iterators].
func (a *Analysis) iterators(pkgs []*packages.Package) func(*types.Func) bool {
	found := make(map[*types.Func]bool)
	for _, pkg := range pkgs {
		library := a.Program.StandardLibrary(pkg)
		var closure rewrite.Closure = a.Closure
		if library {
			closure = a.Closure.StandardLibrary()
		}
		for _, f := range rewrite.Iterators(pkg, closure, library) {
			found[f] = true
		}
	}
	return func(f *types.Func) bool { return found[f] }
}

package instrument

import (
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// iterators returns a function that finds those of packages that are rewritten.
func (a *Analysis) iterators(pkgs []*packages.Package) func(*types.Func) *rewrite.Iterator {
	found := make(map[*types.Func]*rewrite.Iterator)
	for _, pkg := range pkgs {
		library := a.Program.StandardLibrary(pkg)
		var closure rewrite.Closure = a.Closure
		if library {
			closure = a.Closure.StandardLibrary()
		}
		for _, it := range rewrite.Iterators(pkg, closure, library) {
			found[it.Func] = &it
		}
	}
	return func(f *types.Func) *rewrite.Iterator { return found[f] }
}

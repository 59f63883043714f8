package rewrite

import (
	"go/types"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// Some packages go over maps of any type without the allocations of package reflect, by the
// runtime's own functions:
//
//	//go:linkname mapiterinit reflect.mapiterinit
//	func mapiterinit(typ, m unsafe.Pointer, it *hiter)
//
// The struct that they hand over, hiter here, is registered: the words that the runtime keeps in it
// are what an iterator of package reflect is.

// mapIterators returns such structs of the package.
func (p *pkg) mapIterators() (list []types.Type) {
	for link := range load.Links(p.Pkg.Syntax...) {
		if link.Target != "runtime.mapiterinit" && link.Target != "reflect.mapiterinit" {
			continue
		}
		f, _ := p.types.Scope().Lookup(link.Local).(*types.Func)
		if f == nil || f.Signature().Params().Len() != 3 {
			continue
		}
		if to, ok := f.Signature().Params().At(2).Type().(*types.Pointer); ok && isStruct(to.Elem()) {
			list = append(list, to.Elem())
		}
	}
	return list
}

package heap

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// TestLocations captures structs with the numbers of their addresses, wherever they are.
func TestLocations(t *testing.T) {
	type symbol struct{ name string }
	type vars struct {
		own    symbol
		array  []symbol
		inside *struct{ a, b symbol }
		any    any
		found  []Location
	}
	known := &symbol{"known"}
	v := &vars{own: symbol{"own"}, array: make([]symbol, 3), inside: &struct{ a, b symbol }{}, any: &symbol{"any"}}
	v.inside.b.name = "b"
	opt := Options{
		Named:     []Root{{"known", &known}},
		Located:   []reflect.Type{reflect.TypeFor[symbol]()},
		Locations: &v.found,
		Number:    func(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) },
	}
	roots := func(v *vars) []Root {
		return []Root{{"own", &v.own}, {"array", &v.array}, {"inside", &v.inside}, {"any", &v.any}, {"found", &v.found}}
	}
	w := new(vars)
	throughWith(t, roots(v), roots(w), opt)
	number := func(was, is *symbol) {
		i := slices.IndexFunc(w.found, func(l Location) bool { return l.Pointer == is })
		check(t, i >= 0 && w.found[i].Number == uint64(uintptr(unsafe.Pointer(was))), is.name)
	}
	equal(t, 8, len(w.found))
	number(known, known)
	number(&v.own, &w.own)
	number(&v.array[2], &w.array[2])
	number(&v.inside.a, &w.inside.a)
	number(&v.inside.b, &w.inside.b)
	number(v.any.(*symbol), w.any.(*symbol))
}

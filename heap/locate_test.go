package heap

import (
	"reflect"
	"runtime"
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

// Pointers and channels that were hashed are found again, with their numbers, if something else
// leads there.
func TestHashed(t *testing.T) {
	type place2D struct{ x, y int }
	type vars struct {
		points  []place2D
		array   *[4]place2D
		channel chan int
		any     any
		own     place2D
		raw     unsafe.Pointer
		found   []Location
	}
	known, unknown, held := new(place2D), new(place2D), new(place2D)
	v := &vars{points: make([]place2D, 3), array: new([4]place2D), channel: make(chan int), any: &place2D{1, 2}}
	v.raw = unsafe.Pointer(&v.array[1].y)
	gone := &place2D{3, 4}
	closed := make(chan int)
	hashed := make(map[uintptr]reflect.Type)
	add := func(x any) { hashed[reflect.ValueOf(x).Pointer()] = reflect.TypeOf(x) }
	for _, x := range []any{&v.points[1], &v.array[3].y, (<-chan int)(v.channel), v.any, &v.own, known, held, v.raw, unknown, gone, closed, unsafe.Pointer(&closed), new(struct{})} {
		add(x)
	}
	// Memory that Go has given back: the runtime ends a program that looks for an object there.
	for range 64 {
		add(new([1 << 16]byte))
	}
	runtime.GC()
	opt := Options{
		Named:     []Root{{"known", known}, {"held", &held}},
		Hashed:    hashed,
		Locations: &v.found,
		Number:    func(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) },
	}
	roots := func(v *vars) []Root {
		return []Root{{"points", &v.points}, {"array", &v.array}, {"channel", &v.channel}, {"any", &v.any}, {"own", &v.own}, {"raw", &v.raw}, {"found", &v.found}}
	}
	w := new(vars)
	throughWith(t, roots(v), roots(w), opt)
	equal(t, 8, len(w.found))
	number := func(was, is any) {
		t.Helper()
		i := slices.IndexFunc(w.found, func(l Location) bool { return l.Pointer == is })
		check(t, i >= 0 && w.found[i].Number == uint64(reflect.ValueOf(was).Pointer()), is)
	}
	number(&v.points[1], &w.points[1])
	number(&v.array[3].y, &w.array[3].y)
	number(v.channel, (<-chan int)(w.channel))
	number(v.any, w.any)
	number(&v.own, &w.own)
	number(known, known)
	number(held, held)
	number(v.raw, w.raw)
	runtime.KeepAlive([]any{gone, closed, unknown})
}

package heap

import (
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"
)

type typeTable struct {
	first uintptr
	of    map[uintptr]string
	by    map[typeKey]int
	list  []uintptr
	other *[2]atomic.Uintptr // structs of another package
}

func newOther(x uintptr) *[2]atomic.Uintptr {
	list := new([2]atomic.Uintptr)
	list[1].Store(x)
	return list
}

type typeKey struct {
	n   int
	typ uintptr
}

// TestTypeNumbers captures numbers that are addresses of descriptions of types: the image tells of
// which binary.
func TestTypeNumbers(t *testing.T) {
	var addresses []Address
	opt := Options{Backs: map[string]bool{reflect.TypeFor[typeTable]().PkgPath(): true}, Addresses: &addresses}
	roots := func(v *typeTable) []Root { return []Root{{"v", v}, {"addresses", &addresses}} }
	at := uintptr(descriptor(reflect.TypeFor[typeTable]()))
	tables := map[string]*typeTable{
		"field":   {first: at},
		"element": {list: []uintptr{7, at}},
		"key":     {of: map[uintptr]string{3: "c", at: "d"}},
		"other":   {other: newOther(at)},
		"in key":  {by: map[typeKey]int{{1, at}: 4}},
	}
	before := anywhere
	defer func() { anywhere = before }()
	for name, v := range tables {
		t.Run(name, func(t *testing.T) {
			anywhere = ^uintptr(0)
			var w typeTable
			throughWith(t, roots(v), roots(&w), opt)
			check(t, reflect.DeepEqual(*v, w), w)
			equal(t, []Address{{Types: TypePlaces()}}, addresses)
			anywhere = 0
			_, err := Capture(roots(v), opt)
			check(t, err != nil && strings.Contains(err.Error(), "the address of the description of a type"), err)
		})
	}
	anywhere = 0
	other := &typeTable{first: at + 1, of: map[uintptr]string{3: "c"}, list: []uintptr{1, ^uintptr(0)}}
	var w typeTable
	throughWith(t, roots(other), roots(&w), opt)
	check(t, reflect.DeepEqual(*other, w), w)
	equal(t, 0, len(addresses))
	if anywhere = before; runtime.GOOS == "linux" && unsafe.Sizeof(at) == 8 { // test binaries are linked as programs are
		equal(t, true, at < anywhere)
	}
}

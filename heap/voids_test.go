package heap

import (
	"testing"
	"unsafe"
)

// Pointers to the first element of slices without room for one lead to no memory of the program.
func TestPointersToElementsOfEmptySlices(t *testing.T) {
	type attribute struct {
		key   string
		value any
	}
	type group struct {
		first *attribute
		n     int
	}
	type state struct {
		groups []group
		pairs  *[2]attribute
		number *uint64
		any    any
	}
	none := 0
	of := func(as ...attribute) group { return group{unsafe.SliceData(as), len(as)} }
	empty := make([]attribute, 0, none)
	was := state{
		groups: []group{of(empty...), of(attribute{"one", 1}), {}, of(make([]attribute, 0, none)...)},
		pairs:  (*[2]attribute)(unsafe.Pointer(unsafe.SliceData(empty))),
		number: unsafe.SliceData(make([]uint64, none)),
		any:    unsafe.SliceData(make([]string, none)),
	}
	is := again(t, &was)
	for i, g := range is.groups {
		if (g.first == nil) != (was.groups[i].first == nil) {
			t.Errorf("group %d is at %p", i, g.first)
		}
		if as := unsafe.Slice(g.first, g.n); len(as) == 1 && as[0] != (attribute{"one", 1}) {
			t.Errorf("group %d has %v", i, as)
		}
	}
	if s, ok := is.any.(*string); !ok || s == nil || *s != "" || is.number == nil || *is.number != 0 || is.pairs == nil || is.pairs[1].value != nil {
		t.Errorf("got %+v", is)
	}
}

package heap

import (
	"errors"
	"reflect"
	"testing"
	"unsafe"
)

// TestPointees captures what nothing but an unsafe pointer leads to, whose type is told.
func TestPointees(t *testing.T) {
	type node struct {
		value int
		next  unsafe.Pointer // *node
	}
	type vars struct {
		first unsafe.Pointer // *node
		other unsafe.Pointer
		held  any
	}
	is := func(of reflect.Type, field string) Pointee { return Pointee{of, field, reflect.TypeFor[node]()} }
	opt := Options{Pointees: []Pointee{is(reflect.TypeFor[vars](), "first"), is(reflect.TypeFor[node](), "next")}}
	last := &node{value: 3}
	v := &vars{first: unsafe.Pointer(&node{1, unsafe.Pointer(&node{2, unsafe.Pointer(last)})}), other: unsafe.Pointer(last)}
	v.held = (*node)(v.first)
	w := new(vars)
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, opt)
	first := (*node)(w.first)
	second := (*node)(first.next)
	third := (*node)(second.next)
	equal(t, []int{1, 2, 3}, []int{first.value, second.value, third.value})
	check(t, third.next == nil && w.other == unsafe.Pointer(third) && w.held == first && w.first != v.first)

	v.other = unsafe.Pointer(new(node))
	_, err := Capture([]Root{{"v", v}}, opt)
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && unsupported.Path == "v.other", err)

	// It is part of something larger, or no memory of Go's: nobody knows what.
	array := new([4]node)
	for _, p := range []unsafe.Pointer{unsafe.Pointer(&array[1]), unsafe.Pointer(unsafe.StringData("read only"))} {
		v.first, v.other, v.held = p, nil, nil
		_, err = Capture([]Root{{"v", v}}, opt)
		check(t, errors.As(err, &unsupported) && unsupported.Path == "v.first", err)
	}
}

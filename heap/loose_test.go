package heap

import (
	"testing"
	"unsafe"
)

// TestUnsafePointers saves unsafe pointers to the start and into the middle of objects that
// pointers with a type lead to as well, before and after the walk meets these.
func TestUnsafePointers(t *testing.T) {
	type item struct {
		a int32
		b [4]int16
	}
	type holder struct {
		first  unsafe.Pointer
		items  []item
		self   unsafe.Pointer
		middle any
		global unsafe.Pointer
		none   unsafe.Pointer
	}
	h := &holder{items: []item{{1, [4]int16{2, 3, 4, 5}}, {6, [4]int16{7, 8, 9, 10}}}}
	h.first = unsafe.Pointer(&h.items[0])
	h.self = unsafe.Pointer(&h.self)
	h.middle = unsafe.Pointer(&h.items[1].b[2])
	h.global = unsafe.Pointer(&h)
	var back *holder
	through(t, []Root{{"h", &h}}, []Root{{"h", &back}})
	check(t, back != h)
	check(t, back.first == unsafe.Pointer(&back.items[0]))
	check(t, back.self == unsafe.Pointer(&back.self))
	check(t, back.middle == any(unsafe.Pointer(&back.items[1].b[2])))
	check(t, back.global == unsafe.Pointer(&back))
	check(t, back.none == nil)
	equal(t, int16(9), *(*int16)(back.middle.(unsafe.Pointer)))
	equal(t, int32(1), *(*int32)(back.first))
}

// TestUnsafeDescriptions saves unsafe pointers to descriptions of types, which a program has taken from interfaces.
func TestUnsafeDescriptions(t *testing.T) {
	type value struct {
		_   [0]func()
		typ unsafe.Pointer
		ptr unsafe.Pointer
		num uint64
	}
	typeOf := func(x any) unsafe.Pointer { return (*words)(unsafe.Pointer(&x)).typ }
	number := 5
	type holder struct {
		number *int
		values []value
	}
	types := []any{nil, false, int64(0), "", []byte(nil), value{}, &value{}, map[string]int{}}
	h := &holder{number: &number}
	for i, x := range types {
		h.values = append(h.values, value{typ: typeOf(x), num: uint64(i)})
	}
	h.values[2].ptr = unsafe.Pointer(h.number)
	b := again(t, h)
	for i, x := range types {
		check(t, b.values[i].typ == typeOf(x))
	}
	check(t, b.values[2].ptr == unsafe.Pointer(b.number))
}

package heap

import (
	"sync"
	"unsafe"
)

// The runtime has a read-only array of the 64-bit words 0 to 255. Values behind interfaces, strings
// of one byte and slices that package reflect makes (StructField.Index) lie in it instead of memory
// of their own, so that one address there stands for values of several types.

// smallValues returns where that array begins and ends; both are 0 if it is not known.
var smallValues = sync.OnceValues(func() (begin, end uintptr) {
	word := func(n uint64) uintptr {
		x := boxed(n)
		return uintptr((*words)(unsafe.Pointer(&x)).data)
	}
	begin = word(0)
	for n := range uint64(256) {
		if word(n) != begin+8*uintptr(n) {
			return 0, 0
		}
	}
	return begin, begin + 256*8
})

// boxed is not inlined, so that the value is not on the stack.
//
//go:noinline
func boxed(n uint64) any { return n }

// small tells whether a region is in that array. It may be saved as several objects then: nothing
// there ever changes.
func (r *region) small() bool {
	begin, end := smallValues()
	return uintptr(r.ptr) >= begin && r.end() <= end
}

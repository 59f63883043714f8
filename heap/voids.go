package heap

import (
	"reflect"
	"unsafe"
)

// All values without a size are at one address, and so are the elements of a slice that has no room
// for any. A program that keeps the address of the first element, as unsafe.SliceData returns it,
// has a pointer to something with a size then where nothing of the kind is: what follows there
// belongs to the runtime. Such a pointer is saved as one to a value of its own, which is zero,
// since the program may only ask whether it is nil and make an empty slice of it again.

// voidKind tells what a pointer to the address of values without a size is declared to lead to.
type voidKind struct {
	plan  *plan
	count int
}

// nowhere returns the value that takes the place of what such a pointer leads to.
func (w *walker) nowhere(pl *plan, count int) unsafe.Pointer {
	n := voidKind{pl, count}
	p := w.voids[n]
	if p == nil {
		p = reflect.New(reflect.ArrayOf(count, pl.rt)).UnsafePointer()
		if w.voids == nil {
			w.voids = make(map[voidKind]unsafe.Pointer)
		}
		w.voids[n] = p
	}
	return p
}

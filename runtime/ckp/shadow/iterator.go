package shadow

import "unsafe"

// A MapIterator is a reflect.MapIter: the runtime's own iterator, which a walk has in itself, so
// that it is on the stack where the walk is. Package reflect can't be imported here.
type MapIterator struct {
	m struct {
		typ_ unsafe.Pointer // nil: the iterator walks nowhere
		ptr  unsafe.Pointer
		flag uintptr
	}
	hiter struct {
		key, elem   unsafe.Pointer // of the entry that it is at
		typ         unsafe.Pointer
		m           unsafe.Pointer
		entryOffset uint64
		dirOffset   uint64
		clearSeq    uint64
		globalDepth uint8
		dirIdx      int
		tab         unsafe.Pointer
		group       struct{ data unsafe.Pointer }
		entryIdx    uint64
	}
}

func (it *MapIterator) walks() bool { return it.m.typ_ != nil }

// Step moves to the next entry and reports whether there is one. If it reports false,
// [MapRange.More] tells.
func (it *MapIterator) Step() bool {
	return it.walks() && nextIteration((*MapIterator)(hidden(unsafe.Pointer(it))))
}

func (it *MapIterator) end() { it.m.typ_ = nil }

var (
	beginIteration func(m any, it *MapIterator)
	nextIteration  func(it *MapIterator) bool
)

// SetIterators sets the function that has an iterator begin to walk a map, and
// reflect.MapIter.Next. Neither keeps the address of the iterator. It is called during
// initialisation, and only if a MapIterator is what package reflect has; a walk that begins before,
// or without, is settled from the beginning.
func SetIterators(begin func(m any, it *MapIterator), next func(it *MapIterator) bool) {
	beginIteration, nextIteration = begin, next
}

// hidden returns its argument, and the compiler does not see that it is that: what it leads to can
// be on the stack although it is handed to functions of which nothing is known. As in [Push],
// nothing may be called while the address is a number.
//
//go:nocheckptr
func hidden(p unsafe.Pointer) unsafe.Pointer {
	address := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&address))
}

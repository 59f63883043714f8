package heap

import (
	"reflect"
	"unsafe"
)

// Type punning: a program can convert a pointer to a struct, by package unsafe, to one to another
// struct, and keep just that. What it leads to would be saved as the second, whose numbers may be
// references of the first: those would be lost. The precompiler finds such types
// ([Options].Punned). An object that is one, as far as a capture knows, and has the address of
// memory in Go's heap where the type has a number, is refused: it is the other struct. Where that
// has none there is nothing to be lost. (The other way about, where the type has references and the
// memory numbers, the walk fails at these.)

// unpunned returns an error if an object that is saved is a struct of another type.
func (c *capturing) unpunned() error {
	if len(c.opt.Punned) == 0 {
		return nil
	}
	const why = "it has an address where the type has a number, and the program converts pointers to other structs to pointers to it by package unsafe"
	offsets := make(map[*plan][]uintptr)
	punned := func(p *plan, _ bool) bool { return p.punned }
	return c.firstMisused(punned, func(p *plan, x unsafe.Pointer, n int) bool { return c.disguised(p, x, n, offsets) }, why)
}

// disguised reports whether a number of an object, of count structs of a type at x, is the address
// of memory in Go's heap. Where words have 32 bits, small numbers are such, too: there it must be
// in a page of which something else is saved.
func (c *capturing) disguised(p *plan, x unsafe.Pointer, count int, offsets map[*plan][]uintptr) bool {
	if o, ok := c.into(x); !ok || o.plan.Type != p.Type {
		return false
	}
	list, known := offsets[p]
	if !known {
		list = numberWords(p.rt)
		offsets[p] = list
	}
	for i := range count {
		for _, off := range list {
			if c.inHeap(*(*uintptr)(unsafe.Add(x, uintptr(i)*p.native+off))) {
				return true
			}
		}
	}
	return false
}

// inHeap reports whether a number is the address of memory in Go's heap, as disguised has it.
func (c *capturing) inHeap(number uintptr) bool {
	return c.inArena(number) && (unsafe.Sizeof(number) > 4 || c.inRun(number))
}

// hasAddress reports whether a word of the n bytes at x is such a number.
func (c *capturing) hasAddress(x unsafe.Pointer, n uintptr) bool {
	for off := -uintptr(x) & (word - 1); off+word <= n; off += word {
		if c.inHeap(*(*uintptr)(unsafe.Add(x, off))) {
			return true
		}
	}
	return false
}

// numberWords returns the offsets of the words of a type that are numbers, or parts of them: those
// that are neither references nor of the type uintptr, which may be an address (backs.go).
func numberWords(rt reflect.Type) []uintptr {
	other := make(map[uintptr]bool)
	var look func(rt reflect.Type, off uintptr)
	look = func(rt reflect.Type, off uintptr) {
		switch rt.Kind() {
		case reflect.Struct:
			for i := range rt.NumField() {
				f := rt.Field(i)
				look(f.Type, off+f.Offset)
			}
		case reflect.Array:
			for i := range rt.Len() {
				look(rt.Elem(), off+uintptr(i)*rt.Elem().Size())
			}
		case reflect.Interface:
			other[off], other[off+word] = true, true
		case reflect.String, reflect.Slice, reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Func, reflect.Uintptr:
			other[off] = true
		}
	}
	look(rt, 0)
	var list []uintptr
	for off := uintptr(0); off+word <= rt.Size(); off += word {
		if !other[off] {
			list = append(list, off)
		}
	}
	return list
}

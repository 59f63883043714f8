package heap

import (
	"fmt"
	"reflect"
	"unsafe"
)

// A program can use the same memory as numbers of several types, by conversions of package unsafe: a slice of floats as the bytes to write to
// a file, a page of a database as a struct. Whatever such a number is, it is its bytes, so these are one object with several views. Its type is that
// of the view that contains the others, or byte if none does. Of the types there are only those that have the same bytes on every machine with one order
// of bytes: integers of fixed size, floats, complex numbers, and arrays and structs of them without padding. A bool is none, as a byte may be what no bool is.
//
// What is allocated for an object of bytes may begin at any address, while atomic operations need their numbers at multiples of their size. So an object with a view
// of larger alignment takes along the bytes around it that it has an aligned word with.
//
// An image does not tell in which of the types the bytes of a number were written, so that it could be turned round. Views are
// saved and rebuilt on machines that are little-endian only.

// isRaw reports whether values of the type are nothing but numbers of fixed size.
func (t *Type) isRaw() bool {
	if t.raw == 0 {
		t.raw = 1
		if t.findRaw() {
			t.raw = 2
		}
	}
	return t.raw == 2
}

func (t *Type) findRaw() bool {
	switch t.Kind {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return !t.opaque
	case reflect.Array:
		return t.Len > 0 && t.Elem.isRaw()
	case reflect.Struct:
		size := uint64(0)
		for i := range t.Fields {
			f := t.Fields[i].Type
			if f.size > 0 && !f.isRaw() { // those of package sync/atomic have fields without a size
				return false
			}
			size += f.size
		}
		return !t.opaque && size > 0 && size == t.size
	}
	return false
}

// hasRaw reports whether n values of type want, at offset off of an object of count values of type t, are a view of its bytes, or of
// those of a part of it.
func (t *Type) hasRaw(count, off uint64, want *Type, n uint64) bool {
	if !want.isRaw() {
		return false
	}
	for {
		if t.size == 0 || off/t.size >= count {
			return false
		}
		if t.isRaw() {
			return n <= (count*t.size-off)/want.size
		}
		off %= t.size
		if t, count, off = t.part(off); t == nil {
			return false
		}
	}
}

// hasRaw reports whether values are a view, and notes that there are such.
func (im *Image) hasRaw(t *Type, count, off uint64, want *Type, n uint64) bool {
	if !t.hasRaw(count, off, want, n) {
		return false
	}
	im.raw = want
	return true
}

// turned returns an error if the image has views, and numbers have another order of bytes here.
func (im *Image) turned() error {
	if im.raw == nil || littleEndian {
		return nil
	}
	return fmt.Errorf("heap: the program uses the same memory as %s and as numbers of another type, by package unsafe; such a checkpoint can be resumed only on machines that are little-endian, as the one that it was taken on", im.raw)
}

// joinRaw makes a region, which begins in the object, a view of it, and reports whether it can be one.
func (w *walker) joinRaw(o *object, r *region) bool {
	off := uintptr(r.ptr) - uintptr(o.ptr)
	align := max(o.align, aligned(o.ptr, o.plan), aligned(r.ptr, r.plan))
	switch {
	case !littleEndian || len(r.plan.locks) > 0 || len(r.plan.clear) > 0: // not all is saved as it is
		return false
	case r.end() <= o.end():
		if !o.plan.hasRaw(uint64(o.count), w.wireOffset(o.plan, off), r.plan.Type, uint64(r.count)) {
			return false
		}
		if o.plan.text { // no longer the bytes of strings only
			o.plan = w.of(typeOfByte)
		}
	case o.plan.isRaw() && r.plan.isRaw():
		o.plan, o.count = w.of(typeOfByte), int(r.end()-uintptr(o.ptr))
	default:
		return false
	}
	o.align = align
	return true
}

// aligned returns the alignment of values of a type if they are at a multiple of it at p, and 0 if not.
func aligned(p unsafe.Pointer, of *plan) uint32 {
	if uintptr(p)%uintptr(of.align) != 0 {
		return 0
	}
	return uint32(of.align)
}

// alignRaw makes an object what is allocated so that its views are aligned as they are. Objects of 16 bytes and more are at multiples of 8, and so are smaller
// ones whose size is a multiple of that. before is where the object before it ends: what that has is not taken.
func (w *walker) alignRaw(o *object, before uintptr) {
	align := uintptr(o.align)
	first, end := uintptr(o.ptr)&^(align-1), (o.end()+align-1)&^(align-1)
	if !o.plan.isRaw() || uintptr(o.plan.align) >= align || first < before || first == uintptr(o.ptr) && (end == o.end() || end-first > 16) {
		return
	}
	o.ptr = unsafe.Add(o.ptr, -int(uintptr(o.ptr)-first))
	o.plan, o.count = w.of(typeOfByte), int(end-first)
}

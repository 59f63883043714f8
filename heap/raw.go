package heap

import (
	"fmt"
	"reflect"
	"unsafe"
)

// A program can use the same memory as numbers of several types, by conversions of package unsafe:
// a slice of floats as the bytes to write to a file, a page of a database as a struct. Whatever
// such a number is, it is its bytes, so these are one object with several views. Its type is that
// of the view that contains the others, or byte if none does. Of the types there are only those
// that have the same bytes on every machine with one order of bytes: integers of fixed size,
// floats, complex numbers, and arrays and structs of them without padding.
//
// Wide types are those that have the same bytes on every such machine with words of 64 bits: there
// may be ints, bools and padding, too. Padding may be something in another view, so what has some
// is a view of other numbers only if it is no part of something with references, which is saved
// without. Bools are looked at in each view, as a byte may be what no bool is. A uintptr is in none
// of the types: it may be an address.
//
// What is allocated for an object of bytes may begin at any address, while atomic operations need
// their numbers at multiples of their size. So an object with a view of larger alignment takes
// along the bytes around it that it has an aligned word with.
//
// An image does not tell in which of the types the bytes of a number were written, so that it could
// be turned round. Views are saved and rebuilt on machines that are little-endian only, and those
// of wide types where words have 64 bits.

// A rawness tells whether values of a type are nothing but numbers.
type rawness uint8

const (
	rawUnknown rawness = iota
	notRaw
	rawPadded // on machines with words of 64 bits, with padding
	rawWide   // on machines with words of 64 bits
	rawFixed  // on all machines
)

// rawness returns whether values of the type are nothing but numbers.
func (t *Type) rawness() rawness {
	if t.raw == rawUnknown {
		t.raw = t.findRawness()
	}
	return t.raw
}

func (t *Type) findRawness() rawness {
	if t.opaque {
		return notRaw
	}
	switch t.Kind {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return rawFixed
	case reflect.Int, reflect.Uint, reflect.Bool:
		return rawWide
	case reflect.Array:
		if t.Len > 0 {
			return t.Elem.rawness()
		}
	case reflect.Struct:
		least, size := rawFixed, uint64(0)
		for i := range t.Fields {
			f := t.Fields[i].Type
			if f.size > 0 { // those of package sync/atomic have fields without a size
				least = min(least, f.rawness())
			}
			size += f.size
		}
		switch {
		case size == 0:
			return notRaw
		case size != t.size:
			return min(least, rawPadded)
		}
		return least
	}
	return notRaw
}

// isRaw reports whether values of the type are nothing but numbers on this machine.
func (t *Type) isRaw() bool {
	if wideWords {
		return t.rawness() > notRaw
	}
	return t.rawness() == rawFixed
}

// wideWords tells whether words have 64 bits.
var wideWords = unsafe.Sizeof(uintptr(0)) == 8

// viewed returns which numbers n values of type want, at offset off of an object of count values of
// type t, are a view of; notRaw if they are none.
func (t *Type) viewed(count, off uint64, want *Type, n uint64) rawness {
	if want.rawness() == notRaw {
		return notRaw
	}
	best, least := notRaw, rawPadded
	for ; ; least = rawWide {
		if t.size == 0 || off/t.size >= count {
			return best
		}
		if r := t.rawness(); r >= least && n <= (count*t.size-off)/want.size {
			if best = max(best, min(r, want.rawness())); r == rawFixed {
				return best
			}
		}
		off %= t.size
		if t, count, off = t.part(off); t == nil {
			return best
		}
	}
}

// hasView reports whether values are a view of numbers, and notes that there are such.
func (im *Image) hasView(t *Type, count, off uint64, want *Type, n uint64) bool {
	switch t.viewed(count, off, want, n) {
	case notRaw:
		return false
	case rawFixed:
	default:
		im.wide = want
	}
	im.raw = want
	return true
}

// turned returns an error if the image has views, and numbers have another order of bytes or
// another size here.
func (im *Image) turned() error {
	const cause = "heap: the program uses the same memory as %s and as numbers of another type, by package unsafe; such a checkpoint can be resumed only on machines "
	switch {
	case im.raw != nil && !littleEndian:
		return fmt.Errorf(cause+"that are little-endian, as the one that it was taken on", im.raw)
	case im.wide != nil && !wideWords:
		return fmt.Errorf(cause+"with words of 64 bits, as the one that it was taken on", im.wide)
	}
	return nil
}

// joinRaw makes a region, which begins in the object, a view of it, and reports whether it can be
// one.
func (w *walker) joinRaw(o *object, r *region) bool {
	off := uintptr(r.ptr) - uintptr(o.ptr)
	align := max(o.align, aligned(o.ptr, o.plan), aligned(r.ptr, r.plan))
	if !littleEndian || len(r.plan.locks) > 0 || len(r.plan.clear) > 0 || !r.plan.isRaw() { // not all is saved as it is
		return false
	}
	part := notRaw
	if r.end() <= o.end() {
		part = o.plan.viewed(uint64(o.count), w.wireOffset(o.plan, off), r.plan.Type, uint64(r.count))
	}
	switch {
	case !haveBools(r.ptr, r.plan, r.count), o.plan.isRaw() && !haveBools(o.ptr, o.plan, o.count),
		o.plan.rawness() == rawPadded && !o.plan.bulk:
		return false
	case part == rawFixed || part > notRaw && wideWords:
		if o.plan.text { // no longer the bytes of strings only
			o.plan = w.of(typeOfByte)
		}
	case o.plan.isRaw() && r.end() > o.end():
		o.plan, o.count = w.of(typeOfByte), int(r.end()-uintptr(o.ptr))
	default:
		return false
	}
	o.align = align
	return true
}

// haveBools reports whether each bool in raw values is one.
func haveBools(x unsafe.Pointer, of *plan, count int) bool {
	return !of.Type.hasBools() || checkBools(of.Type, unsafe.Slice((*byte)(x), of.native*uintptr(count))) == nil
}

// aligned returns the alignment of values of a type if they are at a multiple of it at p, and 0 if
// not.
func aligned(p unsafe.Pointer, of *plan) uint32 {
	if uintptr(p)%uintptr(of.align) != 0 {
		return 0
	}
	return uint32(of.align)
}

// alignRaw makes an object what is allocated so that its views are aligned as they are. Objects of
// 16 bytes and more are at multiples of 8, and so are smaller ones whose size is a multiple of
// that. before is where the object before it ends: what that has is not taken.
func (w *walker) alignRaw(o *object, before uintptr) {
	align := uintptr(o.align)
	first, end := uintptr(o.ptr)&^(align-1), (o.end()+align-1)&^(align-1)
	if !o.plan.isRaw() || uintptr(o.plan.align) >= align || first < before || first == uintptr(o.ptr) && (end == o.end() || end-first > 16) {
		return
	}
	o.ptr = unsafe.Add(o.ptr, -int(uintptr(o.ptr)-first))
	o.plan, o.count = w.of(typeOfByte), int(end-first)
}

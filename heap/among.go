package heap

import (
	"slices"
	"unsafe"
)

// What an unsafe pointer leads to can be known but for which of several types it is of, such as the
// instances of a generic struct that a program has. The allocation tells, if it can't be one of the
// others: by its size, and by words in it that are no references.

// A pointee is what an unsafe pointer leads to: one of several types.
type pointee struct {
	among   []*plan
	several bool // it is the first of several, see several.go
}

// isIn reports whether an object is of one of the types, or large enough for a value of each at x.
func (p *pointee) isIn(o *object, x unsafe.Pointer) bool {
	return o.ptr == x && slices.Contains(p.among, o.plan) ||
		!slices.ContainsFunc(p.among, func(to *plan) bool { return to.native > o.end()-uintptr(x) })
}

// at returns the type of what is at x, or nil if it can be of several.
func (p *pointee) at(x unsafe.Pointer) *plan {
	if len(p.among) == 1 {
		return p.among[0]
	}
	var found *plan
	for _, to := range p.among {
		if !to.canBeAt(x) {
			continue
		}
		if found != nil {
			return nil
		}
		found = to
	}
	return found
}

// untold tells why it is not known what an unsafe pointer leads to.
func (p *pointee) untold() string {
	if p != nil && p.several {
		return "it leads to the first of several values of type " + typeText(p.among[0].rt) + ", and nothing tells how many"
	}
	if p == nil || len(p.among) == 1 {
		return "it leads to nothing that the program also reaches by a pointer with a type"
	}
	return "it leads to a " + typeText(p.among[0].rt) + " or a " + typeText(p.among[1].rt) + ", and nothing tells which"
}

// canBeAt reports whether the allocation of a value can be at x.
func (p *plan) canBeAt(x unsafe.Pointer) bool {
	base, size := extent(uintptr(x))
	if size == 0 || p.native == 0 || p.sharesTiny(p.native) && size <= tiny {
		return true // nobody knows
	}
	return p.begins(uintptr(x), base, size) && !smallerThan(x, p) && !largerThan(x, p, 1) && p.refersAt(x)
}

// begins reports whether the allocation of a value that is at x has its beginning there, but for
// the word that tells its type if it has references and is neither so small nor so large that there
// is none.
func (p *plan) begins(x, base, size uintptr) bool {
	if len(p.slots) > 0 && headerless < size && size <= 32<<10 {
		base += headerWord
	}
	return x == base
}

// refersAt reports whether the references of a value can be what is at x.
func (p *plan) refersAt(x unsafe.Pointer) bool {
	for i := range p.slots {
		s := &p.slots[i]
		q := unsafe.Add(x, s.off)
		switch s.op {
		case opMap, opChan, opFunc: // a pointer may be a number by which the program marks something
			if !isAddress(*(*uintptr)(q)) {
				return false
			}
		case opString:
			h := (*[2]uintptr)(q)
			if !isAddress(h[0]) || h[0] == 0 && h[1] != 0 || uint64(h[1]) > maxSize || !fits(*(*unsafe.Pointer)(q), h[1]) {
				return false
			}
		case opSlice:
			h := (*[3]uintptr)(q)
			if !isAddress(h[0]) || h[0] == 0 && h[2] != 0 || h[1] > h[2] || uint64(h[2]) > maxSize {
				return false
			}
		case opInterface:
			h := (*[2]uintptr)(q)
			if !isAddress(h[0]) || !isAddress(h[1]) || h[0] == 0 && h[1] != 0 {
				return false
			}
		}
	}
	return true
}

// fits reports whether a string can have n bytes at x: not more than the allocation there, and none
// where the description of a type is.
func fits(x unsafe.Pointer, n uintptr) bool {
	if n == 0 {
		return true
	}
	if base, size := extent(uintptr(x)); size > 0 {
		return n <= base+size-uintptr(x)
	}
	return !descriptions()[x]
}

// isAddress reports whether a number can be an address, or nil. Nothing is in the first page, and
// no system has all bits of a word for them.
func isAddress(x uintptr) bool {
	return x == 0 || x >= 4096 && uint64(x)>>56 == 0
}

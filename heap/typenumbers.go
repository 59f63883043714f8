package heap

import (
	"sync"
	"unsafe"
)

// A program that makes pointers of numbers can also keep the addresses of descriptions of types as
// numbers, to find something by them:
//
//	index := (uintptr(unsafe.Pointer(typ)) - firstType) >> 5    decoders[index]
//
// as github.com/goccy/go-json does, or by a map. What it computes with them can't be known, so they
// stay as they are. They are right in each process of the same binary, if the system has that at
// the same addresses each time. In an image with such numbers an [Address] tells which binary that
// is ([Address].Types, [TypePlaces]): another one would find what belongs to other types. If the
// binary is one that can be at any addresses, a capture is refused.

// anywhere is where the memory begins that only binaries are in which the system loads where it
// likes (-buildmode=pie, and all of some systems). Others are linked to be near the beginning of
// memory.
var anywhere = func() uintptr {
	if unsafe.Sizeof(uintptr(0)) == 4 {
		return 1 << 28
	}
	return uintptr(1) << (unsafe.Sizeof(uintptr(0)) * 4)
}()

// TypePlaces returns a number that tells at which addresses the binary has its types. It is not 0.
func TypePlaces() uint64 {
	sum := uint64(1)
	for _, rt := range linkedTypes() {
		d := (*description)(descriptor(rt))
		h := (uint64(uintptr(unsafe.Pointer(d)))<<20 ^ uint64(d.hash)) * 0x9E3779B97F4A7C15
		sum += h ^ h>>29 // in any order
	}
	return max(sum, 1)
}

// typeRange is where the first and the last of the binary's descriptions of types are.
var typeRange = sync.OnceValue(func() (between [2]uintptr) {
	between[0] = ^uintptr(0)
	for d := range descriptions() {
		between = [2]uintptr{min(between[0], uintptr(d)), max(between[1], uintptr(d))}
	}
	return between
})

// isTypeNumber reports whether a number is the address of the description of a type.
func isTypeNumber(n uintptr) bool {
	between := typeRange()
	return between[0] <= n && n <= between[1] && descriptions()[*(*unsafe.Pointer)(unsafe.Pointer(&n))]
}

// typeNumbers returns what [TypePlaces] does if numbers that the program keeps are addresses of
// descriptions of types, and 0 if none is. list are those that are looked at, also in structs of
// packages that make no pointers of numbers; keys and values of maps are looked at, too.
func (c *capturing) typeNumbers(list []suspect) (uint64, error) {
	found := false
	for _, s := range list {
		if n := s.number(); isTypeNumber(n) {
			if found = true; n >= anywhere {
				c.noteNumber(s)
				return 0, &refusal{s.kind(), "it is " + ofType}
			}
		}
	}
	for _, m := range c.maps {
		if m.n == 0 { // or it is named
			continue
		}
		for i, p := range []*plan{m.plan.key, m.plan.elem} {
			for _, at := range c.numbersIn(p) {
				for k := range m.n {
					x := unsafe.Add([]unsafe.Pointer{m.keys, m.vals}[i], at.off+uintptr(k)*p.native)
					if n := (suspect{at: x, long: at.long}).number(); isTypeNumber(n) {
						if found = true; n >= anywhere {
							return 0, &refusal{typeText(m.plan.rt), "a number in it is " + ofType}
						}
					}
				}
			}
		}
	}
	if !found {
		return 0, nil
	}
	return TypePlaces(), nil
}

const ofType = "the address of the description of a type, by which the program finds something, and another one in each process of this binary; build one that is not position-independent (-buildmode=exe)"

package shadow

import (
	"sync/atomic"
	"unsafe"
)

// Programs hash structs by their addresses. A restart moves them, but the number that stands for
// the address of one must remain the same, and nobody else's. So there is a permutation of the
// addresses: until a restart it is the identity; the process that goes on from a checkpoint gives
// each struct that the checkpoint had, at its new address, its old number, and to the addresses
// that had these numbers what is left.

// numbers has the addresses that the permutation moves; nil for none.
var numbers atomic.Pointer[map[uintptr]uintptr]

// Number returns what stands for the address of a struct of one of the types in [Package].Numbered.
// Generated code calls it in place of uintptr(p), also where that is converted to a type of the
// program's. The struct is on the heap, as one on the stack would move.
func Number(p unsafe.Pointer) uintptr {
	p = Kept(p)
	if m := numbers.Load(); m != nil {
		return permuted(*m, uintptr(p))
	}
	return uintptr(p)
}

func permuted(m map[uintptr]uintptr, a uintptr) uintptr {
	if n, ok := m[a]; ok {
		return n
	}
	return a
}

// Renumber sets the numbers of addresses when a checkpoint is continued. The numbers differ from
// each other. It returns the addresses that the permutation moves, which nobody changes.
func Renumber(of map[uintptr]uintptr) map[uintptr]uintptr {
	if len(of) == 0 {
		return nil
	}
	m := make(map[uintptr]uintptr, 2*len(of))
	taken := make(map[uintptr]bool, len(of))
	for a, n := range of {
		m[a] = n
		taken[n] = true
	}
	var free []uintptr // addresses that are nobody's number
	for a := range of {
		if !taken[a] {
			free = append(free, a)
		}
	}
	for n := range taken {
		if _, moved := of[n]; !moved {
			m[n] = free[len(free)-1]
			free = free[:len(free)-1]
		}
	}
	numbers.Store(&m)
	return m
}

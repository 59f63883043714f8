package heap

import (
	"math/rand"
	"runtime"
	"testing"
	"unsafe"
)

// TestPlaces compares what cells an address leads to with what the runtime says: two addresses have
// the same cell if and only if they are in the same allocation.
func TestPlaces(t *testing.T) {
	s := newPlaces()
	r := rand.New(rand.NewSource(1))
	var keep [][]byte
	type place struct{ run, index uintptr }
	cells := make(map[place]uint32)
	next := uint32(0)
	try := func(p unsafe.Pointer) {
		x := uintptr(p)
		base, run, index := findObject(x, 0, 0)
		c, begins := s.cell(x, cellMemory)
		if base == 0 {
			if c != nil {
				t.Fatalf("%#x has a cell, but is not in the heap", x)
			}
			return
		}
		if c == nil || begins != (x == base) {
			t.Fatalf("%#x: cell %p, at the beginning: %v; the allocation begins at %#x", x, c, begins, base)
		}
		at := place{uintptr(run), index}
		if cells[at] == 0 {
			next++
			if *c != 0 {
				t.Fatalf("%#x has the cell of another allocation", x)
			}
			*c, cells[at] = next, next
		}
		if *c != cells[at] {
			t.Fatalf("%#x has the cell %d instead of %d", x, *c, cells[at])
		}
	}
	for range 20000 {
		n := 1 + r.Intn(1<<uint(r.Intn(14)))
		if r.Intn(500) == 0 {
			n = 1 + r.Intn(1<<20)
		}
		b := make([]byte, n)
		keep = append(keep, b)
		b = keep[r.Intn(len(keep))]
		try(unsafe.Pointer(&b[0]))
		try(unsafe.Pointer(&b[r.Intn(len(b))]))
		try(unsafe.Pointer(&b[len(b)-1]))
	}
	x, v := new(int), 1
	try(unsafe.Pointer(x))
	try(unsafe.Pointer(&v))
	try(unsafe.Pointer(&outOfHeap))
	runtime.KeepAlive(keep)
}

var outOfHeap int

package heap

import (
	"testing"
	"unsafe"
)

type place struct {
	at   *int
	next uintptr
}

// TestExtentOfLarge finds where large allocations end, to the byte: behind that is nothing that an
// address may lead to.
func TestExtentOfLarge(t *testing.T) {
	check(t, endsKnown())
	for _, n := range []int{1<<15 + 1, 1<<15 + 8, 240000, 1 << 18, 1<<18 + 1, 1<<20 - 8} {
		b, p := make([]byte, n), make([]place, n/int(unsafe.Sizeof(place{})))
		_, size := extent(uintptr(unsafe.Pointer(&b[n/2])))
		check(t, size == uintptr(n), n, size)
		_, size = extent(uintptr(unsafe.Pointer(&p[0])))
		check(t, size == uintptr(len(p))*unsafe.Sizeof(p[0]), n, size)
	}
}

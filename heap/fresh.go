package heap

import (
	"sync"
	"unsafe"
)

// Memory that the system has not given out yet costs more than what is written into it: it comes page by page, each at
// the first touch of it, by a fault. So new memory is taken in large pages where the system has these (Linux from 6.1
// on, MADV_COLLAPSE), as it is allocated and before it is written to, which costs a fifth.
//
// It changes only where contents lie, and never what they are. So it does no harm that a large page also has memory
// of others, in use or free: whoever looks sees the same bytes, the garbage collector too. Unlike MADV_HUGEPAGE it leaves no
// mark on the addresses, by which the system would fill in again later what Go has given back to it. No more memory
// is asked for than was allocated, but for two large pages.

const (
	largeBits = 21
	largePage = 1 << largeBits

	// leastFresh is how much must be allocated until large pages are worth it.
	leastFresh = 4 << 20

	mostRefusals = 3
)

// freshMemory is what a capture or rebuild has allocated.
type freshMemory struct {
	last     uintptr          // large page that was looked at last
	seen     map[uintptr]bool // those that were looked at
	taken    uintptr          // bytes allocated
	asked    uintptr          // bytes of large pages
	refusals int
}

// took notes that n bytes at p were allocated, and nothing was written to them. They are zero, or about to be overwritten.
func (f *freshMemory) took(p unsafe.Pointer, n uintptr) {
	f.taken += n
	if uintptr(p)>>largeBits != f.last || (uintptr(p)+n-1)>>largeBits != f.last {
		f.look(p, n)
	}
}

// look asks for the large pages that n bytes at p are in.
func (f *freshMemory) look(p unsafe.Pointer, n uintptr) {
	if f.taken < leastFresh || n == 0 || f.refusals == mostRefusals || !hasLargePages() {
		return
	}
	if f.seen == nil {
		f.seen = make(map[uintptr]bool)
	}
	for off := uintptr(0); off < n; {
		at := (uintptr(p) + off) >> largeBits
		if f.asked >= f.taken+largePage {
			return
		}
		if f.last = at; !f.seen[at] {
			f.seen[at] = true
			if mostlyMissing(at << largeBits) {
				f.ask(at<<largeBits, unsafe.Add(p, off))
			}
		}
		off = (at+1)<<largeBits - uintptr(p)
	}
}

// ask asks for a large page, unless these are slow now. p is in it.
func (f *freshMemory) ask(at uintptr, p unsafe.Pointer) {
	pace.Lock()
	defer pace.Unlock()
	if pace.pause > 0 {
		pace.pause--
		return
	}
	*(*byte)(p) = 0 // where nothing is, there is nothing to make a large page of
	f.asked += largePage
	before := threadTime()
	if !makeLarge(at) {
		f.refusals++
		return
	}
	if threadTime()-before < slowLarge {
		pace.slow = 0
		return
	}
	pace.slow = min(pace.slow+1, 6)
	pace.pause = 8 << pace.slow
}

// pace is how a process fares with large pages. On a virtual machine whose host takes back large pages that are free, and clears
// and maps them anew in small ones when they are used again, they take longer than small pages, which the guest has at hand: then
// the next ones are left out, and more each time, until one is quick.
var pace struct {
	sync.Mutex
	slow  int // in a row
	pause int // to be left out
}

// slowLarge is the processor's time for a large page, in nanoseconds, from which on small ones are better.
const slowLarge = 2_000_000

// room returns n values that are zero.
func room[T any](f *freshMemory, n, capacity int) []T {
	s := make([]T, n, capacity)
	if size := uintptr(capacity) * unsafe.Sizeof(*new(T)); size > 0 {
		f.took(unsafe.Pointer(unsafe.SliceData(s)), size)
	}
	return s
}

// fill copies into memory that was allocated but not taken, part by part, so that what is cleared is in the cache when it
// is overwritten.
func (f *freshMemory) fill(dst, src []byte) {
	for len(src) > 0 {
		n := min(len(src), largePage)
		f.took(unsafe.Pointer(unsafe.SliceData(dst)), uintptr(n))
		copy(dst, src[:n])
		dst, src = dst[n:], src[n:]
	}
}

// clone returns a copy.
func (f *freshMemory) clone(src []byte) []byte {
	dst := unzeroed(len(src))
	f.fill(dst, src)
	return dst
}

package heap

import (
	"runtime"
	"slices"
	"unsafe"
)

// The runtime keeps allocations of one size side by side in a run of pages. So an address tells
// which allocation it leads into by a division, once it is known where the run begins and how large
// its allocations are; and that can be told from any two allocations of it, each of which the
// runtime finds by an address and numbers within the run (findObject). It costs a look into a table
// of pages and one into an array of the run, which has a word for each allocation: a cell.

// The two kinds of cells of an allocation.
const (
	cellMemory = iota
	cellBox
)

const (
	pageBits  = 13 // pages of the runtime, on all systems
	arenaBits = 26
)

// A cellRun is what is known of a run of pages with allocations of one size.
type cellRun struct {
	start uintptr // of allocation 0, if the size is known
	size  uintptr // of an allocation; 0: only one is known as yet
	magic uint64  // for division by the size
	cells [2][]uint32
	first uintptr // the allocation that was found first
	index uintptr // its number
}

// noRun stands for pages that are not in Go's heap.
var noRun = new(cellRun)

type arena [1 << (arenaBits - pageBits)]*cellRun

// places finds the cell of an allocation.
type places struct {
	recent [64]struct {
		number uintptr // + 1
		pages  *arena
	}
	arenas map[uintptr]*arena
	runs   map[unsafe.Pointer]*cellRun // by the runtime's description of the run
	heap   *arenas                     // nil: not asked for yet
}

func newPlaces() *places {
	return &places{arenas: make(map[uintptr]*arena), runs: make(map[unsafe.Pointer]*cellRun)}
}

// cell returns the cell of the allocation that x leads into, and whether x is the beginning of it;
// nil if x is not in Go's heap. The cell stays where it is until the next call.
func (s *places) cell(x uintptr, kind int) (c *uint32, begins bool) {
	n := x >> arenaBits
	a := &s.recent[n%uintptr(len(s.recent))]
	if a.number != n+1 {
		a.number, a.pages = n+1, s.arena(n)
	}
	e := a.pages[x>>pageBits%uintptr(len(a.pages))]
	if e == nil || e.size == 0 {
		return s.search(a.pages, e, x, kind)
	}
	off := x - e.start
	i := uintptr(uint64(off) * e.magic >> magicBits)
	cells := e.cells[kind]
	if i >= uintptr(len(cells)) {
		cells = e.grow(i, kind)
	}
	return &cells[i], off == i*e.size
}

func (s *places) arena(n uintptr) *arena {
	a := s.arenas[n]
	if a == nil {
		a = new(arena)
		s.arenas[n] = a
	}
	return a
}

// search finds the cell of an allocation in a run that is not known, or not well enough.
func (s *places) search(a *arena, e *cellRun, x uintptr, kind int) (*uint32, bool) {
	if e == noRun {
		return nil, false
	}
	if e == nil || e.first != x {
		base, run, index := findObject(x, 0, 0)
		switch {
		case base == 0:
			a[x>>pageBits%uintptr(len(a))] = noRun
			return nil, false
		case e == nil:
			if e = s.runs[run]; e == nil {
				e = &cellRun{first: base, index: index}
				s.runs[run] = e
			}
			a[x>>pageBits%uintptr(len(a))] = e
		}
		if base != e.first && e.size == 0 {
			e.learn(base, index)
		}
		if e.size > 0 {
			return s.cell(x, kind)
		}
		x -= base
	} else {
		x = 0
	}
	if e.index >= uintptr(len(e.cells[kind])) {
		e.grow(e.index, kind)
	}
	return &e.cells[kind][e.index], x == 0
}

// magicBits make the division exact in runs of less than 1<<20 bytes: those of the runtime with
// more than one allocation are smaller.
const magicBits = 40

// learn computes size and start from a second allocation.
func (e *cellRun) learn(base, index uintptr) {
	size := (base - e.first) / (index - e.index) // both differences have the same sign
	if base < e.first {
		size = (e.first - base) / (e.index - index)
	}
	e.start, e.size, e.magic = base-index*size, size, 1<<magicBits/uint64(size)+1
}

func (e *cellRun) grow(i uintptr, kind int) []uint32 {
	n := max(i+1, 2*uintptr(len(e.cells[kind])))
	if e.size > 0 {
		n = max(n, 1<<pageBits/e.size)
	}
	cells := make([]uint32, n)
	copy(cells, e.cells[kind])
	e.cells[kind] = cells
	return cells
}

// inArena reports whether an address lies where Go's heap is, as far as that is known: it is asked
// when allocations have been found.
func (s *places) inArena(x uintptr) bool {
	if s.heap == nil {
		s.heap = s.heapArenas()
	}
	return s.heap.has(x)
}

// arenas tells which arenas Go's heap has.
type arenas struct {
	known       []uintptr // where allocations have been found, ascending
	first, last uintptr   // between these the others are
}

// has reports whether an address lies in one of the arenas.
func (e *arenas) has(x uintptr) bool {
	n := x >> arenaBits
	_, found := slices.BinarySearch(e.known, n)
	return found || e.first <= n && n <= e.last
}

// heapArenas finds out where Go's heap is.
func (s *places) heapArenas() *arenas {
	var known []uintptr
	for n, a := range s.arenas {
		if slices.ContainsFunc(a[:], func(r *cellRun) bool { return r != nil && r != noRun }) {
			known = append(known, n)
		}
	}
	if len(known) == 0 {
		return &arenas{first: 1}
	}
	slices.Sort(known)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return around(known, &m)
}

// around returns the arenas of a heap some of which are known. The runtime asks the system for one
// behind the other, so the size of the heap bounds how far away from those that are known another
// one is. (Where the system does not give it that, that is too narrow, or empty: then only the
// known ones count.)
func around(known []uintptr, m *runtime.MemStats) *arenas {
	others := uintptr((m.HeapSys+m.StackSys)>>arenaBits) + 1
	last := known[len(known)-1]
	return &arenas{known: known, first: last - min(last, others), last: known[0] + others}
}

// inRun reports whether an address lies in a page of allocations that are known.
func (s *places) inRun(x uintptr) bool {
	a := s.arenas[x>>arenaBits]
	if a == nil {
		return false
	}
	e := a[x>>pageBits%uintptr(len(a))]
	return e != nil && e != noRun
}

// within reports whether allocations between two addresses are known.
func (s *places) within(start, end uintptr) bool {
	for _, e := range s.runs {
		if e.first >= start && e.first < end {
			return true
		}
	}
	return false
}

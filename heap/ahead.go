package heap

import "unsafe"

// A walk through a large graph waits for memory most of the time: for objects, for the cells of
// what they lead to, and for strings, each of which can only be asked for when another has come.
// But objects that wait in a list do not depend on each other. So some of them are looked at in
// advance, first the objects themselves and then what they lead to: the processor fetches all of
// these at the same time.
//
// Only memory of allocations that have been found in Go's heap is looked at, so that it can be
// read.

// window is how many objects are looked at in advance.
const window = 16

// ahead has what the next objects of a list need brought into the cache, and returns the object
// that is to come before the next call.
func (w *walker) ahead(k *regionList) (until int) {
	if k.n-k.done < window/4 { // such as in a linked list
		return k.done + 1
	}
	until = min(k.done+window, k.n)
	sum := byte(0) // what is read must be used, or it would not be read
	for at := until; at < min(until+window, k.n); at++ {
		if b, i := k.region(at); b.ptrs[i] != 0 {
			p := b.pointer(i)
			sum += *(*byte)(p) + *(*byte)(unsafe.Add(p, k.plan.native-1))
		}
	}
	for at := k.done; at < until; at++ {
		if b, i := k.region(at); b.ptrs[i] != 0 {
			sum += w.lookAt(b.pointer(i), k.plan.slots)
		}
	}
	w.looked += sum
	return until
}

// lookAt looks at what a value leads to.
func (w *walker) lookAt(p unsafe.Pointer, slots []slot) (sum byte) {
	for i := range slots {
		s := &slots[i]
		q := unsafe.Add(p, s.off)
		switch s.op {
		case opString:
			at := *(*uintptr)(q)
			if c := w.peek(at, cellMemory); c != nil {
				sum += byte(*c) + *(*byte)(address(at))
			}
		case opObject, opSlice:
			if c := w.peek(*(*uintptr)(q), cellMemory); c != nil {
				sum += byte(*c)
			}
		case opInterface:
			x := (*words)(q)
			if x.typ == nil {
				continue
			}
			kind := cellBox
			if dyn := w.known(x.typ); dyn != nil && dyn.direct {
				kind = cellMemory
			}
			if c := w.peek(uintptr(x.data), kind); c != nil {
				sum += byte(*c)
			}
		}
	}
	return sum
}

// peek returns the cell of an allocation, if there is one already.
func (s *places) peek(x uintptr, kind int) *uint32 {
	a := &s.recent[x>>arenaBits%uintptr(len(s.recent))]
	if a.number != x>>arenaBits+1 {
		return nil
	}
	e := a.pages[x>>pageBits%uintptr(len(a.pages))]
	if e == nil || e.size == 0 {
		return nil
	}
	i := uintptr(uint64(x-e.start) * e.magic >> magicBits)
	if cells := e.cells[kind]; i < uintptr(len(cells)) {
		return &cells[i]
	}
	return nil
}

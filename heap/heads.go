package heap

import "unsafe"

// A program can turn a pointer to a struct into one to a larger struct that it is the first part of, by package unsafe: what it
// holds is a pointer to the part, which keeps the whole alive. What the whole is nothing tells, and a copy of the part would be too
// short. The precompiler finds the types of such parts ([Options].Heads), and of the larger structs ([Options].Wide): as long as a
// program takes a part for the whole, what follows it in memory is something else.

// wholeHeads returns an error if a head is saved of which the allocation has more than is saved.
func (c *capturing) wholeHeads() error {
	if len(c.opt.Heads) == 0 {
		return nil
	}
	const why = "it is the beginning of something larger that nothing else leads to, and the program converts pointers to it by package unsafe"
	partial := func(p *plan, x unsafe.Pointer) bool {
		if !p.head {
			return false
		}
		o, ok := c.into(x)
		return ok && o.ptr == x && largerThan(x, o.plan, o.count)
	}
	for _, b := range c.lists.batches {
		if b.list.box || !b.list.plan.head {
			continue
		}
		for i, x := range b.ptrs {
			if x == 0 || !partial(b.list.plan, b.pointer(i)) {
				continue
			}
			if c.tracing {
				t := c.traces[b.traces[i]]
				c.traces[0].parent, c.traces[0].off = t.parent, t.off
			}
			return &refusal{typeText(b.list.plan.rt), why}
		}
	}
	for i := range c.mem.n {
		if r := c.mem.at(i); r.plan != nil && partial(r.plan, r.ptr) {
			return c.misused(int(i), why)
		}
	}
	return nil
}

// largerThan reports whether the allocation that begins at x is larger than one of count values would be. It is not
// certain for all; then it reports false.
func largerThan(x unsafe.Pointer, p *plan, count int) bool {
	const shared = 16 // bytes of an allocation that several small values without references are in
	n := p.native * uintptr(count)
	if n == 0 {
		return false
	}
	base, size := extent(uintptr(x))
	if len(p.slots) == 0 && n < shared && size <= shared {
		return false
	}
	header := uintptr(x) - base // of allocations with more than 512 bytes
	if size <= n || header > unsafe.Sizeof(x) {
		return false
	}
	return size > uintptr(cap(append([]byte(nil), make([]byte, n+header)...)))
}

// smallerThan reports whether a value at x would not fit into the allocation. It is not certain for all; then it reports
// false.
func smallerThan(x unsafe.Pointer, p *plan) bool {
	base, size := extent(uintptr(x))
	return size > 0 && uintptr(x)-base+p.native > size
}

// extent returns the beginning and the size of the allocation that x leads into; the size is 0 if it is not known. Only
// addresses that are certain to be in the same run of pages can be asked for.
func extent(x uintptr) (base, size uintptr) {
	const page = 1 << pageBits
	base, _, _ = findObject(x, 0, 0)
	switch {
	case base == 0:
		return 0, 0
	case base%page != 0: // the one before is at least partly in the same page, and of the same size
		before, _, _ := findObject(base-1, 0, 0)
		if before == 0 {
			return base, 0
		}
		return base, base - before
	}
	// At the beginning of a page, another one follows in the same page if they are small.
	for off := uintptr(8); off <= page/2; off *= 2 {
		if next, _, _ := findObject(base+off, 0, 0); next != base {
			return base, next - base
		}
	}
	return base, 0
}

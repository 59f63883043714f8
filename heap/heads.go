package heap

import (
	"slices"
	"unsafe"
)

// A program can turn a pointer to a struct into one to a larger struct that it is the first part of, by package unsafe: what it
// holds is a pointer to the part, which keeps the whole alive. What the whole is nothing tells, and a copy of the part would be too
// short. The precompiler finds the types of such parts ([Options].Heads).

// wholeHeads returns an error if a head is saved of which the allocation has more than is saved.
func (c *capturing) wholeHeads() error {
	if len(c.opt.Heads) == 0 {
		return nil
	}
	const why = "it is the beginning of something larger that nothing else leads to, and the program converts pointers to it by package unsafe"
	partial := func(p *plan, x unsafe.Pointer) bool {
		if !slices.Contains(c.opt.Heads, p.rt) {
			return false
		}
		o, ok := c.into(x)
		return ok && o.ptr == x && largerThan(x, o.plan, o.count)
	}
	for _, b := range c.lists.batches {
		if b.list.box || !slices.Contains(c.opt.Heads, b.list.plan.rt) {
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
			return &UnsupportedError{Path: c.describe(uint32(i), c.rooted), Type: typeText(r.plan.rt), Why: why}
		}
	}
	return nil
}

// largerThan reports whether the allocation that begins at x is larger than one of count values would be. It is not
// certain for all; then it reports false.
func largerThan(x unsafe.Pointer, p *plan, count int) bool {
	const page = 1 << pageBits
	n := p.native * uintptr(count)
	if n == 0 || n > page/2 || len(p.slots) == 0 && n < 16 { // small ones without references share allocations
		return false
	}
	base, _, _ := findObject(uintptr(x), 0, 0)
	header := uintptr(x) - base // of allocations with more than 512 bytes
	if base == 0 || header > unsafe.Sizeof(x) {
		return false
	}
	usual := uintptr(cap(append([]byte(nil), make([]byte, n+header)...)))
	if base%page != 0 { // the one before is in the same page, and so of the same size
		before, _, _ := findObject(base-1, 0, 0)
		return before != 0 && base-before > usual
	}
	next, _, _ := findObject(base+usual, 0, 0)
	return next == base
}

package heap

import "unsafe"

// What a program uses in a way that its types do not tell is seen when all has been found: an object
// is not what it is saved as.

// misused returns the error for a region that can't be saved. If paths are not kept, the capture
// walks again to find the path.
func (w *walker) misused(region int, why string) error {
	typ := typeText(w.mem.at(region).plan.rt)
	if !w.tracing {
		return &refusal{typ, why}
	}
	return &UnsupportedError{Path: w.describe(region), Type: typ, Why: why}
}

// firstMisused returns the error for the first object, of n values at x, of which isMisused reports
// that it can't be saved, among those of the types of which concerned reports that they matter.
func (c *capturing) firstMisused(concerned func(p *plan, box bool) bool, isMisused func(p *plan, x unsafe.Pointer, n int) bool, why string) error {
	for _, b := range c.lists.batches {
		p := b.list.plan
		if !concerned(p, b.list.box) {
			continue
		}
		for i, x := range b.ptrs {
			if x == 0 || !isMisused(p, b.pointer(i), b.count(i)) {
				continue
			}
			if c.tracing {
				t := c.traces[b.traces[i]]
				c.traces[0].parent, c.traces[0].off = t.parent, t.off
			}
			return &refusal{typeText(p.rt), why}
		}
	}
	for i := range c.mem.n {
		if r := c.mem.at(i); r.plan != nil && concerned(r.plan, false) && isMisused(r.plan, r.ptr, r.count) {
			return c.misused(int(i), why)
		}
	}
	return nil
}

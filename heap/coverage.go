package heap

import "sort"

// A coverage is a set of addresses, kept as disjoint intervals in order: a
// list of short sorted lists, so that adding one costs the logarithm of their
// number.
type coverage struct {
	runs [][]span // none empty; spans here are {first address, length}
}

const runLength = 256

// add puts the interval from lo to hi into the set and returns the parts of it
// that were not in the set.
func (c *coverage) add(lo, hi uintptr) []span {
	var gaps []span
	start := lo
	// The first span that ends at lo or later.
	r := sort.Search(len(c.runs), func(i int) bool { s := c.runs[i][len(c.runs[i])-1]; return s.off+s.len >= lo })
	first, last := lo, hi
	for r < len(c.runs) {
		run := c.runs[r]
		i := sort.Search(len(run), func(i int) bool { return run[i].off+run[i].len >= lo })
		j := i
		for j < len(run) && run[j].off <= hi {
			s := run[j]
			if s.off > start {
				gaps = append(gaps, span{start, s.off - start})
			}
			start = max(start, s.off+s.len)
			first, last = min(first, s.off), max(last, s.off+s.len)
			j++
		}
		if j < len(run) || j == i {
			c.replace(r, i, j, first, last)
			if start < hi {
				gaps = append(gaps, span{start, hi - start})
			}
			return gaps
		}
		// The run is swallowed up to its end: the next one may go on.
		if i == 0 {
			c.runs = append(c.runs[:r], c.runs[r+1:]...)
		} else {
			c.runs[r] = run[:i]
			r++
		}
	}
	c.runs = append(c.runs, nil)
	c.replace(len(c.runs)-1, 0, 0, first, last)
	if start < hi {
		gaps = append(gaps, span{start, hi - start})
	}
	return gaps
}

// replace puts one span in the place of those from i to j of a run.
func (c *coverage) replace(r, i, j int, lo, hi uintptr) {
	run := c.runs[r]
	s := span{lo, hi - lo}
	if j > i {
		run[i] = s
		run = append(run[:i+1], run[j:]...)
	} else {
		run = append(run, span{})
		copy(run[i+1:], run[i:])
		run[i] = s
	}
	c.runs[r] = run
	if len(run) > runLength {
		half := append([]span(nil), run[len(run)/2:]...)
		c.runs[r] = run[:len(run)/2]
		c.runs = append(c.runs, nil)
		copy(c.runs[r+2:], c.runs[r+1:])
		c.runs[r+1] = half
	}
}

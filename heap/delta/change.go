package delta

import "math/bits"

// A Change is what some changes of one page do together: the last one that has a word decides on
// it. Its zero value, with a length, does nothing.
type Change struct {
	Length int // of the page, in bytes; not more than PageSize
	known  [PageSize / word / 64]uint64
	tail   bool // the bytes after the last word are known: all of the page was
	page   [PageSize]byte
}

// Add adds the change at the beginning of b, which comes after those before, and returns what
// follows it.
func (c *Change) Add(b []byte) (rest []byte, err error) {
	return decode(c.Length, b, func(at int, values []byte) {
		copy(c.page[at:c.Length], values)
		if len(values) == c.Length {
			c.tail = true
		}
		for i := at / word; i < (at+len(values))/word; i++ {
			c.known[i/64] |= 1 << (i % 64)
		}
	})
}

// Append appends the change in its shortest form.
func (c *Change) Append(dst []byte) []byte {
	page := c.page[:c.Length]
	n := len(page) / word
	if c.tail && n*word < len(page) {
		return append(append(dst, whole), page...)
	}
	count, starts := 0, 0
	last := uint64(0) // the highest bit of the words before
	for _, w := range c.known {
		count += bits.OnesCount64(w)
		starts += bits.OnesCount64(w &^ (w<<1 | last))
		last = w >> 63
	}
	return appendWords(dst, page, &c.known, count, starts, count == n && n*word == len(page))
}

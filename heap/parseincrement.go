package heap

import "github.com/ckpgen/ckpgen/heap/delta"

// A parsed increment is one as its tables tell. Whether it fits what it is an increment to is not
// known.
type parsedIncrement struct {
	total    uint64 // of heap.data
	sections []part
	blocks   []changed // in the order of their places
}

// A part is a section of the image after an increment.
type part struct {
	name string
	size uint64 // of heap.data: without the blocks
	same bool   // it is as it was before
	data []byte // if it is not
}

// A changed block is what an increment has of a block.
type changed struct {
	at    uint64 // in heap.data
	size  uint64
	from  uint64 // in that of the image before, plus 1; 0: it is new
	pages []pageChange
}

// A pageChange is the change of a page, in the encoding of package delta.
type pageChange struct {
	number uint64
	change []byte
}

// count returns the number of pages of a block, which has some.
func (c *changed) count() uint64 { return (c.size-1)/delta.PageSize + 1 }

// pageLength returns the bytes of a page.
func (c *changed) pageLength(i uint64) int { return int(min(delta.PageSize, c.size-i*delta.PageSize)) }

func parseIncrement(file []byte) (*parsedIncrement, error) {
	in, err := openSections(file, incrementMagic)
	if err != nil {
		return nil, err
	}
	if len(in) < 2 || in[0].name != secTable || in[1].name != secPages {
		return nil, damaged("header", "an increment without its tables")
	}
	table, pages := &reader{name: secTable, b: in[0].data}, &reader{name: secPages, b: in[1].data}
	news := in[2:]
	p := &parsedIncrement{total: table.number()}
	for range table.count(3) {
		s := part{name: table.text(), size: table.number(), same: table.flag()}
		switch {
		case table.err != nil:
			return nil, table.err
		case s.same:
		case len(news) > 0 && news[0].name == s.name && uint64(len(news[0].data)) == s.size:
			s.data, news = news[0].data, news[1:]
		default:
			return nil, damaged(secTable, "section %q is missing", s.name)
		}
		p.sections = append(p.sections, s)
	}
	if len(news) > 0 {
		return nil, damaged(secTable, "section %q is not in it", news[0].name)
	}
	end := uint64(0)
	for range table.count(4) {
		c := changed{at: table.number(), size: table.number(), from: table.number()}
		n := table.number()
		if table.err != nil {
			return nil, table.err
		}
		if c.at < end || c.size == 0 || c.size > p.total || c.at > p.total-c.size {
			return nil, damaged(secTable, "a block is not where it should be")
		}
		end = c.at + c.size
		if c.from == 0 && n != c.count() {
			return nil, damaged(secTable, "a block of %d bytes in %d pages", c.size, n)
		}
		if err := c.parsePages(n, pages); err != nil {
			return nil, err
		}
		p.blocks = append(p.blocks, c)
	}
	if err := table.end(); err != nil {
		return nil, err
	}
	return p, pages.end()
}

// parsePages finds the changes of n pages.
func (c *changed) parsePages(n uint64, pages *reader) error {
	next, count := uint64(0), c.count()
	if n > count {
		return damaged(secTable, "%d of %d pages", n, count)
	}
	for range n {
		gap := pages.number()
		if pages.err != nil {
			return pages.err
		}
		if gap >= count-next {
			return damaged(secPages, "a page beyond the block")
		}
		i := next + gap
		rest, err := delta.Skip(c.pageLength(i), pages.b)
		if err != nil {
			return damaged(secPages, "%v", err)
		}
		c.pages = append(c.pages, pageChange{i, pages.b[:len(pages.b)-len(rest)]})
		pages.b = rest
		next = i + 1
	}
	return nil
}

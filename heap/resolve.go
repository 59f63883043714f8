package heap

import (
	"cmp"
	"slices"

	"github.com/ckpgen/ckpgen/heap/delta"
	"github.com/ckpgen/ckpgen/hugepages"
)

// Resolve returns the image that a whole image and the increments after it, in their order, stand
// for. What is damaged is a *[FormatError], as of [Parse]; memory is in proportion to the files.
// The files may be changed by it.
func Resolve(files [][]byte) ([]byte, error) {
	if len(files) == 0 {
		return nil, damaged("header", "there is no image")
	}
	if len(files) == 1 {
		return files[0], nil
	}
	sections, err := openSections(files[0], magic)
	if err != nil {
		return nil, err
	}
	im := &layered{sections: sections}
	for _, s := range sections {
		if s.name == secData {
			im.blocks = []placed{{at: 0, bytes: s.data}}
		}
	}
	for i, file := range files[1:] {
		if im, err = im.apply(file, i == 0); err != nil {
			return nil, err
		}
	}
	return im.image()
}

// A layered image is one whose blocks are where they are in the files, or apart.
type layered struct {
	sections []section // heap.data without the blocks, but the whole of it in a whole image
	blocks   []placed  // in their order; the whole of heap.data in a whole image
	total    uint64    // of heap.data
}

// A placed block is one with its place in heap.data.
type placed struct {
	at    uint64
	bytes []byte
}

// apply makes the image that an increment to im stands for, with the memory of im. first tells that
// im is a whole image.
func (im *layered) apply(file []byte, first bool) (*layered, error) {
	in, err := parseIncrement(file)
	if err != nil {
		return nil, err
	}
	next := &layered{total: in.total}
	for _, s := range in.sections {
		data := s.data
		if s.same {
			i := slices.IndexFunc(im.sections, func(t section) bool { return t.name == s.name })
			if i < 0 || s.size > uint64(len(im.sections[i].data)) {
				return nil, damaged(secTable, "section %q is missing", s.name)
			}
			data = im.sections[i].data[:s.size:s.size] // the blocks of a whole image are not a part of what is the same
		}
		next.sections = append(next.sections, section{name: s.name, data: data})
	}
	var froms []placed // of im, for the order
	for i := range in.blocks {
		c := &in.blocks[i]
		var b []byte
		if c.from == 0 {
			b, err = c.fresh()
		} else {
			if b = im.block(c.from-1, c.size, first); b == nil {
				return nil, damaged(secTable, "there is no block of %d bytes at %d", c.size, c.from-1)
			}
			froms = append(froms, placed{c.from - 1, b})
			err = c.patch(b)
		}
		if err != nil {
			return nil, err
		}
		next.blocks = append(next.blocks, placed{c.at, b})
	}
	// Two blocks can't be made of the same one, with its memory.
	slices.SortFunc(froms, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(froms); i++ {
		if froms[i-1].at+uint64(len(froms[i-1].bytes)) > froms[i].at {
			return nil, damaged(secTable, "blocks overlap")
		}
	}
	return next, nil
}

// block returns the bytes of one of the blocks, nil if there is none: in a whole image that is any
// part of heap.data.
func (im *layered) block(at, size uint64, first bool) []byte {
	if first {
		if len(im.blocks) == 0 || at > uint64(len(im.blocks[0].bytes)) || size > uint64(len(im.blocks[0].bytes))-at {
			return nil
		}
		return im.blocks[0].bytes[at : at+size : at+size]
	}
	i, ok := slices.BinarySearchFunc(im.blocks, at, func(p placed, at uint64) int {
		return cmp.Compare(p.at, at)
	})
	if !ok || uint64(len(im.blocks[i].bytes)) != size {
		return nil
	}
	return im.blocks[i].bytes
}

// fresh returns a block of which all pages are there. It takes memory as they come.
func (c *changed) fresh() ([]byte, error) {
	var b []byte
	for _, p := range c.pages {
		at := len(b)
		b = append(b, zeroPage[:c.pageLength(p.number)]...)
		if _, err := delta.ApplyPage(b[at:], p.change); err != nil {
			return nil, damaged(secPages, "%v", err)
		}
	}
	return b, nil
}

// patch makes the changes in a block.
func (c *changed) patch(b []byte) error {
	for _, p := range c.pages {
		at := p.number * delta.PageSize
		if _, err := delta.ApplyPage(b[at:at+uint64(c.pageLength(p.number))], p.change); err != nil {
			return damaged(secPages, "%v", err)
		}
	}
	return nil
}

// image returns the bytes of the image.
func (im *layered) image() ([]byte, error) {
	size := headerSize
	for i := range im.sections {
		s := &im.sections[i]
		if s.name == secData {
			end := uint64(len(s.data))
			for _, b := range im.blocks {
				if b.at < end || b.at-end >= 8 {
					return nil, damaged(secTable, "a block is not where it should be")
				}
				s.more = append(s.more, zeroPage[:b.at-end], b.bytes)
				end = b.at + uint64(len(b.bytes))
			}
			if im.total < end || im.total-end >= 8 {
				return nil, damaged(secTable, "the objects end at %d instead of %d", end, im.total)
			}
			s.more = append(s.more, zeroPage[:im.total-end])
		}
		size += 16 + len(s.name) + 8 + int(s.size()) + 8
	}
	b := &sized{hugepages.Bytes(make([]byte, 0, size))}
	if _, err := writeSections(b, magic, im.sections); err != nil {
		return nil, err
	}
	return b.b, nil
}

// sized collects what is written.
type sized struct{ b []byte }

func (s *sized) Write(b []byte) (int, error) {
	s.b = append(s.b, b...)
	return len(b), nil
}

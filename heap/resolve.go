package heap

import (
	"cmp"
	"slices"

	"github.com/ckpgen/ckpgen/heap/delta"
)

// Resolve returns the image that a whole image and the increments after it, in their order, stand for. What is damaged is a
// *[FormatError], as of [Parse]; memory is in proportion to the files. The files may be changed by it.
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

// apply makes the image that an increment to im stands for, with the memory of im. first tells that im is a whole image.
func (im *layered) apply(file []byte, first bool) (*layered, error) {
	in, err := openSections(file, incrementMagic)
	if err != nil {
		return nil, err
	}
	if len(in) < 2 || in[0].name != secTable || in[1].name != secPages {
		return nil, damaged("header", "an increment without its tables")
	}
	table, pages := &reader{name: secTable, b: in[0].data}, &reader{name: secPages, b: in[1].data}
	next := &layered{total: table.number()}
	news := in[2:]
	for range table.count(3) {
		name, size, same := table.text(), table.number(), table.flag()
		var data []byte
		switch i := slices.IndexFunc(im.sections, func(s section) bool { return s.name == name }); {
		case table.err != nil:
			return nil, table.err
		case !same && len(news) > 0 && news[0].name == name:
			data, news = news[0].data, news[1:]
		case same && i >= 0 && size <= uint64(len(im.sections[i].data)):
			data = im.sections[i].data[:size:size] // the blocks of a whole image are not a part of what is the same
		}
		if uint64(len(data)) != size || !same && data == nil && size > 0 {
			return nil, damaged(secTable, "section %q is missing", name)
		}
		next.sections = append(next.sections, section{name: name, data: data})
	}
	if len(news) > 0 {
		return nil, damaged(secTable, "section %q is not in it", news[0].name)
	}
	var froms []placed // of im, for the order
	for range table.count(4) {
		at, size, from, n := table.number(), table.number(), table.number(), table.number()
		if table.err != nil {
			return nil, table.err
		}
		var b []byte
		if from == 0 {
			b, err = fresh(size, n, pages)
		} else {
			if b = im.block(from-1, size, first); b == nil {
				return nil, damaged(secTable, "there is no block of %d bytes at %d", size, from-1)
			}
			froms = append(froms, placed{from - 1, b})
			err = patch(b, n, pages)
		}
		if err != nil {
			return nil, err
		}
		next.blocks = append(next.blocks, placed{at, b})
	}
	if err := table.end(); err != nil {
		return nil, err
	}
	if err := pages.end(); err != nil {
		return nil, err
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

// block returns the bytes of one of the blocks, nil if there is none: in a whole image that is any part of heap.data.
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

// fresh returns a block of which all n pages are there. It takes memory as they come.
func fresh(size, n uint64, pages *reader) ([]byte, error) {
	if n > uint64(len(pages.b)) || size > n*delta.PageSize || n > 0 && size <= (n-1)*delta.PageSize {
		return nil, damaged(secTable, "a block of %d bytes in %d pages", size, n)
	}
	var b []byte
	for range n {
		at := len(b)
		b = append(b, zeroPage[:min(size-uint64(at), delta.PageSize)]...)
		if err := patch(b[at:], 1, pages); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// patch makes the changes of n pages.
func patch(b []byte, n uint64, pages *reader) error {
	i := uint64(0)
	count := uint64(len(b)+delta.PageSize-1) / delta.PageSize
	for range n {
		gap := pages.number()
		if pages.err != nil {
			return pages.err
		}
		if gap >= count-min(i, count) {
			return damaged(secPages, "a page beyond the block")
		}
		i += gap
		rest, err := delta.ApplyPage(b[i*delta.PageSize:min((i+1)*delta.PageSize, uint64(len(b)))], pages.b)
		if err != nil {
			return damaged(secPages, "%v", err)
		}
		pages.b = rest
		i++
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
	b := &sized{make([]byte, 0, size)}
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

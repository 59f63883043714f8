package heap

import (
	"cmp"
	"slices"

	"github.com/ckpgen/ckpgen/heap/delta"
)

// MergeIncrements returns one increment that stands for some that follow each other: [Resolve]
// makes the same image with it in their place, whatever lies before and after them. A section is
// the last one that is not the same as before, and of a word that several of them change the last
// value counts (delta.Change), so the result is no larger than all of them together, and as small
// as the words that they change. The files are not changed. What is damaged is a *[FormatError].
func MergeIncrements(files [][]byte) ([]byte, error) {
	if len(files) == 0 {
		return nil, damaged("header", "there is no increment")
	}
	var list []*parsedIncrement
	for _, file := range files {
		in, err := parseIncrement(file)
		if err != nil {
			return nil, err
		}
		list = append(list, in)
	}
	if len(files) == 1 {
		return files[0], nil
	}
	last := list[len(list)-1]
	var table, pages writer
	table.number(last.total)
	table.number(uint64(len(last.sections)))
	var news []section
	for _, s := range last.sections {
		s, err := latest(list, s)
		if err != nil {
			return nil, err
		}
		table.text(s.name)
		table.number(s.size)
		table.flag(s.same)
		if !s.same {
			news = append(news, section{name: s.name, data: s.data})
		}
	}
	histories, err := historiesOf(list)
	if err != nil {
		return nil, err
	}
	table.number(uint64(len(histories)))
	for _, h := range histories {
		n, err := h.write(&pages)
		if err != nil {
			return nil, err
		}
		last := h[len(h)-1]
		table.number(last.at)
		table.number(last.size)
		table.number(h[0].from)
		table.number(n)
	}
	b := new(sized)
	own := []section{{name: secTable, data: table.b}, {name: secPages, data: pages.b}}
	if _, err := writeSections(b, incrementMagic, append(own, news...)); err != nil {
		return nil, err
	}
	return b.b, nil
}

// latest returns a section of the last increment as it is in the newest of all that has it.
func latest(list []*parsedIncrement, s part) (part, error) {
	for i := len(list) - 2; i >= 0 && s.same; i-- {
		k := slices.IndexFunc(list[i].sections, func(t part) bool { return t.name == s.name })
		if k < 0 || s.size > list[i].sections[k].size {
			return s, damaged(secTable, "section %q is missing", s.name)
		}
		if t := list[i].sections[k]; !t.same {
			s.same, s.data = false, t.data[:s.size]
		}
	}
	return s, nil
}

// A history is what happens to one block of the last increment, from the first one on that has it.
type history []*changed

// historiesOf follows the blocks of the last increment back.
func historiesOf(list []*parsedIncrement) ([]history, error) {
	last := list[len(list)-1]
	histories := make([]history, len(last.blocks))
	for k := range last.blocks {
		histories[k] = history{&last.blocks[k]}
	}
	for i := len(list) - 2; i >= 0; i-- {
		blocks := list[i].blocks
		used := make([]bool, len(blocks))
		for k, h := range histories {
			c := h[len(h)-1]
			if c.from == 0 {
				continue
			}
			j, ok := slices.BinarySearchFunc(blocks, c.from-1, func(b changed, at uint64) int { return cmp.Compare(b.at, at) })
			if !ok || blocks[j].size != c.size {
				return nil, damaged(secTable, "there is no block of %d bytes at %d", c.size, c.from-1)
			}
			if used[j] {
				return nil, damaged(secTable, "blocks overlap")
			}
			used[j] = true
			histories[k] = append(h, &blocks[j])
		}
	}
	for _, h := range histories {
		slices.Reverse(h)
	}
	return histories, nil
}

// write writes the pages that have changed, and returns how many there are.
func (h history) write(w *writer) (n uint64, err error) {
	rest := make([][]pageChange, len(h)) // what is still to come
	for i, c := range h {
		rest[i] = c.pages
	}
	fresh := h[0].from == 0 // all pages are there, as changes of zeros
	for next := uint64(0); ; n++ {
		i, found := uint64(0), false
		for _, list := range rest {
			if len(list) > 0 && (!found || list[0].number < i) {
				i, found = list[0].number, true
			}
		}
		if !found {
			return n, nil
		}
		change := delta.Change{Length: h[0].pageLength(i)}
		page := make([]byte, change.Length)
		for k, list := range rest {
			if len(list) == 0 || list[0].number != i {
				continue
			}
			if fresh {
				_, err = delta.ApplyPage(page, list[0].change)
			} else {
				_, err = change.Add(list[0].change)
			}
			if err != nil {
				return 0, damaged(secPages, "%v", err)
			}
			rest[k] = list[1:]
		}
		w.number(i - next)
		if fresh {
			w.b = delta.AppendPage(w.b, zeroPage[:len(page)], page)
		} else {
			w.b = change.Append(w.b)
		}
		next = i + 1
	}
}

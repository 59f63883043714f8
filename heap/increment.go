package heap

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"slices"
	"sync"
	"unsafe"

	"github.com/ckpgen/ckpgen/heap/delta"
	"github.com/ckpgen/ckpgen/heap/dirty"
	"github.com/ckpgen/ckpgen/hugepages"
)

// Increments is a series of captures of one program. The first is a whole image. Of each later one
// what has changed since the one before can be written ([Snapshot.WriteIncrement]): the small
// objects, and those pages of large objects without references that differ, word by word (package
// delta). [Resolve] makes the image of all together.
//
// Which pages were written the system tells (package dirty); a page that was not written is not
// even copied by the capture. Where the system does not tell, or is not asked ([Increments.Track]),
// pages are hashed. Either is a hint: what a page that may have changed holds is compared with what
// it held before, if that is known, and encoded by the difference. It is known of pages that have
// changed since the first capture, of which copies are kept, and of those that were zero. A block
// of which more than four tenths of the pages have changed is copied without watching it, as that
// is cheaper; whether it goes on so is seen by comparing.
//
// The captures of a series, and the writing of their snapshots, come one after the other. If a
// snapshot was not written, or what was written was lost, [Increments.Restart] must be called
// before the next capture.
type Increments struct {
	mu    sync.Mutex   // of what Track changes: pages, known and which of those are watched
	pages *dirty.Pages // nil: the system does not tell
	off   bool         // the system is not asked

	begun    bool
	known    map[uintptr]*block // by address
	seed     maphash.Seed
	sections map[string]fingerprint // of the last snapshot that was written
}

// A fingerprint tells whether a section has changed.
type fingerprint struct {
	size uint64
	hash uint64
}

// A block is one that was captured before.
type block struct {
	start    uintptr
	size     int
	at       uint64 // in heap.data of the last capture
	watched  bool
	copied   bool           // all of it, each time, without watching
	changed  float64        // which part of the pages had changed the last time
	hashes   []uint64       // of the pages; nil until it was written
	contents map[int][]byte // of pages that have changed before
	zero     map[int]bool   // pages that were zero
}

// busy is the part of the pages from which on it is cheaper to copy a block than to watch it.
const busy = 0.4

// NewIncrements returns a series. With watch the system is asked which pages were written, if it
// can tell.
func NewIncrements(watch bool) *Increments {
	inc := &Increments{known: make(map[uintptr]*block), seed: maphash.MakeSeed()}
	if watch {
		inc.pages, _ = dirty.New() // without it, pages are hashed
	}
	return inc
}

// Watches reports whether the system tells which pages were written.
func (inc *Increments) Watches() bool { return inc.pages != nil }

// Track says whether the system is to note which pages are written. If it is not, writing costs
// nothing, and the next capture hashes what may have changed; so does the first after it is told to
// again, which begins to watch. It may be called at any time.
func (inc *Increments) Track(on bool) {
	inc.mu.Lock()
	defer inc.mu.Unlock()
	inc.off = !on
	if on {
		return
	}
	for _, b := range inc.known {
		inc.forget(b)
	}
}

// Restart makes the next capture the first of a series.
func (inc *Increments) Restart() { inc.begun = false }

// Close ends the series.
func (inc *Increments) Close() {
	inc.mu.Lock()
	defer inc.mu.Unlock()
	if inc.pages != nil {
		_ = inc.pages.Close()
		inc.pages = nil
	}
}

// An increment is what a capture has of the blocks.
type increment struct {
	series *Increments
	first  bool // of a series: all blocks are copied whole
	total  uint64
	pieces []piece
}

// A piece is what is new in a block.
type piece struct {
	block *block
	at    uint64 // in heap.data
	from  uint64 // in that of the capture before, plus 1; 0: it is new
	pages []int  // nil: all
	data  []byte // of these pages, one after the other
}

// take copies what may have changed in the blocks that a capture has found.
func (inc *Increments) take(list []found, total uint64) *increment {
	inc.mu.Lock()
	defer inc.mu.Unlock()
	t := &increment{series: inc, first: !inc.begun, total: total}
	known := make(map[uintptr]*block, len(list))
	for _, f := range list {
		start := uintptr(f.ptr)
		b := inc.known[start]
		p := piece{at: f.at}
		switch {
		case b == nil || b.size != f.size:
			if b != nil {
				inc.forget(b)
			}
			b = &block{start: start, size: f.size}
			p.data = clone(unsafe.Slice((*byte)(f.ptr), f.size))
			inc.watch(b)
		case t.first:
			p.data = clone(unsafe.Slice((*byte)(f.ptr), f.size))
			b.contents, b.zero, b.hashes = nil, nil, nil
			inc.forget(b)
			inc.watch(b)
		default:
			p.from = b.at + 1
			p.pages, p.data = inc.news(b, unsafe.Slice((*byte)(f.ptr), f.size))
		}
		delete(inc.known, start)
		b.at, p.block = f.at, b
		known[start] = b
		t.pieces = append(t.pieces, p)
	}
	for _, b := range inc.known {
		inc.forget(b)
	}
	inc.known, inc.begun = known, true
	return t
}

// inner returns the pages of the system that a block has for itself.
func (b *block) inner() (start, end uintptr) {
	return (b.start + systemPage - 1) &^ (systemPage - 1), (b.start + uintptr(b.size)) &^ (systemPage - 1)
}

// watch has the system note which pages of a block are written from now on, if it can.
func (inc *Increments) watch(b *block) {
	if inc.pages == nil || inc.off || b.copied {
		return
	}
	start, end := b.inner()
	b.watched = start < end && inc.pages.Watch(start, end) == nil
}

func (inc *Increments) forget(b *block) {
	if b.watched {
		inc.pages.Forget(b.inner())
		b.watched = false
	}
}

// news returns the pages of a block that may have changed, and copies of them.
func (inc *Increments) news(b *block, now []byte) (pages []int, data []byte) {
	count := (b.size + delta.PageSize - 1) / delta.PageSize
	all := func() []int {
		list := make([]int, count)
		for i := range list {
			list[i] = i
		}
		return list
	}
	switch {
	case b.watched:
		start, end := b.inner()
		next := 0 // pages below are in the list
		add := func(from, to uintptr) {
			first, last := int(from-b.start)/delta.PageSize, int(to-b.start-1)/delta.PageSize
			for i := max(first, next); i <= last; i++ {
				pages = append(pages, i)
			}
			next = max(next, last+1)
		}
		if b.start < start {
			add(b.start, start)
		}
		err := inc.pages.Written(start, end, add)
		if tail := b.start + uintptr(b.size); end < tail {
			add(end, tail)
		}
		if err != nil {
			inc.forget(b)
			pages = all()
		}
		if b.changed > busy {
			inc.forget(b)
			b.copied = true
		}
	case b.copied, b.hashes == nil:
		pages = all()
		if b.copied && b.changed < busy/2 {
			b.copied = false
			inc.watch(b)
		}
	default:
		for i := range count {
			h := maphash.Bytes(inc.seed, now[i*delta.PageSize:min((i+1)*delta.PageSize, b.size)])
			if h != b.hashes[i] {
				b.hashes[i] = h
				pages = append(pages, i)
			}
		}
		inc.watch(b)
	}
	size := 0
	for _, i := range pages {
		size += min(delta.PageSize, b.size-i*delta.PageSize)
	}
	data = hugepages.Bytes(make([]byte, 0, size))
	for _, i := range pages {
		data = append(data, now[i*delta.PageSize:min((i+1)*delta.PageSize, b.size)]...)
	}
	return pages, data
}

// note remembers what is known of a block of which all was copied.
func (inc *Increments) note(p *piece) {
	b := p.block
	b.contents, b.zero, b.hashes = make(map[int][]byte), make(map[int]bool), nil
	for i := 0; i*delta.PageSize < b.size; i++ {
		page := p.data[i*delta.PageSize : min((i+1)*delta.PageSize, b.size)]
		if allZero(page) {
			b.zero[i] = true
		}
		b.hashes = append(b.hashes, maphash.Bytes(inc.seed, page))
	}
}

// systemPage is the size of the pages of the system.
var systemPage = uintptr(os.Getpagesize())

var zeroPage [delta.PageSize]byte

func allZero(b []byte) bool { return bytes.Equal(b, zeroPage[:len(b)]) }

// Incremental reports whether the snapshot has only what has changed since the one before.
func (s *Snapshot) Incremental() bool { return s.increment != nil && !s.increment.first }

// whole returns the sections of an image with those blocks that were kept apart.
func (t *increment) whole(sections []section) ([]section, error) {
	if !t.first {
		return nil, errors.New("heap: the snapshot has only what has changed since the one before: write it as an increment")
	}
	sections = slices.Clone(sections)
	i := slices.IndexFunc(sections, func(s section) bool { return s.name == secData })
	prints := t.series.prints(sections)
	data := &sections[i]
	data.more = slices.Clone(data.more)
	end := data.size()
	for k := range t.pieces {
		p := &t.pieces[k]
		data.more = append(data.more, zeroPage[:p.at-end], p.data)
		end = p.at + uint64(len(p.data))
		t.series.note(p)
	}
	data.more = append(data.more, zeroPage[:t.total-end])
	t.series.sections = prints
	return sections, nil
}

// prints returns the fingerprints of sections, as far as they are no blocks.
func (inc *Increments) prints(sections []section) map[string]fingerprint {
	prints := make(map[string]fingerprint, len(sections))
	for i := range sections {
		s := &sections[i]
		sum := maphash.Bytes(inc.seed, s.data)
		for _, b := range s.more { // in other parts it is taken to have changed
			sum = maphash.Comparable(inc.seed, [3]uint64{sum, uint64(len(b)), maphash.Bytes(inc.seed, b)})
		}
		prints[s.name] = fingerprint{s.size(), sum}
	}
	return prints
}

const incrementMagic = "ckpincr\n"

// Names of the sections of an increment that an image does not have.
const (
	secTable = "heap.increment"
	secPages = "heap.pages"
)

// WriteIncrement writes what has changed since the snapshot before, which must have been written.
// It may be called once. The package documentation has the format.
func (s *Snapshot) WriteIncrement(w io.Writer) (int64, error) {
	if s.err != nil {
		return 0, s.err
	}
	if !s.Incremental() {
		return 0, errors.New("heap: a snapshot that is the first of a series is no increment: write the image")
	}
	t := s.increment
	inc := t.series
	prints := inc.prints(s.sections)
	var table, pages writer
	table.number(t.total)
	table.number(uint64(len(s.sections)))
	var news []section
	for _, sec := range s.sections {
		same := inc.sections[sec.name] == prints[sec.name]
		table.text(sec.name)
		table.number(sec.size())
		table.flag(same)
		if !same {
			news = append(news, sec)
		}
	}
	table.number(uint64(len(t.pieces)))
	for i := range t.pieces {
		p := &t.pieces[i]
		n, err := inc.encode(&pages, p)
		if err != nil {
			return 0, err
		}
		table.number(p.at)
		table.number(uint64(p.block.size))
		table.number(p.from)
		table.number(uint64(n))
	}
	inc.sections = prints
	own := []section{{name: secTable, data: table.b}, {name: secPages, data: pages.b}}
	return writeSections(w, incrementMagic, append(own, news...))
}

// encode writes the pages of a piece that have changed, and returns how many there are.
func (inc *Increments) encode(w *writer, p *piece) (n int, err error) {
	b := p.block
	if p.from == 0 { // every page, so that the size of the block is no larger than the file justifies
		inc.note(p)
		for i := 0; i*delta.PageSize < b.size; i++ {
			w.number(0)
			page := p.data[i*delta.PageSize : min((i+1)*delta.PageSize, b.size)]
			w.b = delta.AppendPage(w.b, zeroPage[:len(page)], page)
			n++
		}
		return n, nil
	}
	next, at := 0, 0
	for _, i := range p.pages {
		page := p.data[at : at+min(delta.PageSize, b.size-i*delta.PageSize)]
		at += len(page)
		was := b.contents[i]
		if b.zero[i] {
			was = zeroPage[:len(page)]
		}
		if was != nil && bytes.Equal(was, page) {
			continue
		}
		w.number(uint64(i - next))
		w.b = delta.AppendPage(w.b, was, page)
		next = i + 1
		n++
		b.hashes[i] = maphash.Bytes(inc.seed, page)
		if b.contents[i] != nil {
			copy(b.contents[i], page)
			continue
		}
		delete(b.zero, i)
		b.contents[i] = bytes.Clone(page)
	}
	if at != len(p.data) {
		return 0, fmt.Errorf("heap: %d bytes of pages instead of %d", len(p.data), at)
	}
	b.changed = float64(n) / float64((b.size+delta.PageSize-1)/delta.PageSize)
	return n, nil
}

package heap

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
)

// Version is the version of the image format that this package writes, and the
// only one that it reads.
const Version = 1

const magic = "ckpheap\n"

// castagnoli returns the table of the checksums. It is made at the first use: a program that takes
// no checkpoint starts without it.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// Names of the sections that the package itself writes, in their order.
const (
	secTypes    = "heap.types"
	secNames    = "heap.names"
	secRoots    = "heap.roots"
	secGroups   = "heap.groups"
	secInterior = "heap.interior"
	secMaps     = "heap.maps"
	secChans    = "heap.chans"
	secFuncs    = "heap.funcs"
	secData     = "heap.data"
)

var ownSections = []string{secTypes, secNames, secRoots, secGroups, secInterior, secMaps, secChans, secFuncs, secData}

type section struct {
	name string
	data []byte
	more [][]byte // what follows data
}

func (s *section) size() (n uint64) {
	n = uint64(len(s.data))
	for _, b := range s.more {
		n += uint64(len(b))
	}
	return n
}

func (s *section) checksum() uint32 {
	crc := crc32.Checksum(s.data, castagnoli())
	for _, b := range s.more {
		crc = crc32.Update(crc, castagnoli(), b)
	}
	return crc
}

// A Snapshot is what was captured, ready to be written. It shares nothing with
// the program but its open files.
type Snapshot struct {
	sections  []section
	opened    []string
	written   []WrittenFile
	increment *increment // nil: it is not one of a series
	err       error
}

// A WrittenFile is one that the program has open for writing.
type WrittenFile struct {
	File *os.File // the program may have closed it meanwhile
	Path string
}

// Written returns the files that the captured program has open for writing, each path once. What it
// has written to them is as much a part of the checkpoint as the image.
func (s *Snapshot) Written() []WrittenFile { return s.written }

// Opened returns the paths of all files that the captured program has open, each once. They can be
// given other names, for Files in [Options] of a rebuild.
func (s *Snapshot) Opened() []string { return s.opened }

// Attach adds a section of the caller's. Its name must be new, shorter than 256
// bytes and not begin with "heap."; otherwise WriteTo fails. data is not copied.
func (s *Snapshot) Attach(name string, data []byte) {
	if strings.HasPrefix(name, "heap.") || name == "" || len(name) > 255 {
		s.err = fmt.Errorf("heap: %q can't be the name of an attached section", name)
		return
	}
	for _, t := range s.sections {
		if t.name == name {
			s.err = fmt.Errorf("heap: section %q was attached twice", name)
			return
		}
	}
	s.sections = append(s.sections, section{name: name, data: data})
}

const headerSize = 24

// WriteTo writes the image. It fails if [Snapshot.Incremental].
func (s *Snapshot) WriteTo(w io.Writer) (int64, error) {
	if s.err != nil {
		return 0, s.err
	}
	sections := s.sections
	if s.increment != nil {
		var err error
		if sections, err = s.increment.whole(sections); err != nil {
			return 0, err
		}
	}
	return writeSections(w, magic, sections)
}

// writeSections writes a file of sections, which begins with what it is.
func writeSections(w io.Writer, magic string, sections []section) (int64, error) {
	var dir []byte
	for i := range sections {
		t := &sections[i]
		dir = le.AppendUint64(dir, t.size())
		dir = le.AppendUint32(dir, t.checksum())
		dir = le.AppendUint32(dir, uint32(len(t.name)))
		dir = append(dir, t.name...)
		dir = pad(dir)
	}
	head := []byte(magic)
	head = le.AppendUint32(head, Version)
	head = le.AppendUint32(head, uint32(len(sections)))
	head = le.AppendUint32(head, uint32(len(dir)))
	crc := crc32.Update(crc32.Checksum(head, castagnoli()), castagnoli(), dir)
	head = le.AppendUint32(head, crc)
	head = append(head, dir...)
	n, err := w.Write(head)
	total := int64(n)
	for i := 0; err == nil && i < len(sections); i++ {
		n, err = w.Write(sections[i].data)
		total += int64(n)
		for _, b := range sections[i].more {
			if err == nil {
				n, err = w.Write(b)
				total += int64(n)
			}
		}
		if rest := -sections[i].size() & 7; err == nil && rest > 0 {
			n, err = w.Write(make([]byte, rest))
			total += int64(n)
		}
	}
	if err != nil {
		return total, fmt.Errorf("heap: writing the image: %w", err)
	}
	return total, nil
}

func pad(b []byte) []byte {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

// sections encodes the tables of an image.
func (im *Image) sections() []section {
	var types, names, roots, groups, inner, maps, chans, funcs writer
	types.number(im.word)
	types.number(uint64(len(im.types)))
	for _, t := range im.types {
		types.typ(t)
	}
	names.number(uint64(len(im.names)))
	for _, n := range im.names {
		names.text(n.name)
		names.flag(n.variable)
		names.number(uint64(n.typ.ID))
	}
	roots.number(uint64(len(im.roots)))
	for _, r := range im.roots {
		roots.text(r.name)
		roots.number(uint64(r.typ.ID))
		roots.number(r.at)
	}
	groups.number(uint64(len(im.groups)))
	for i := range im.groups {
		g := &im.groups[i]
		groups.number(uint64(g.typ.ID))
		groups.number(g.count)
		groups.number(g.n)
		flags := uint64(0)
		if g.box {
			flags |= 1
		}
		if g.text {
			flags |= 2
		}
		groups.number(flags)
		if g.count == 0 {
			groups.b = slices.Grow(groups.b, int(g.n)) // most are small
		}
		for k := 1; k < len(g.start); k++ {
			groups.number(g.start[k] - g.start[k-1])
		}
		if g.count == 0 && g.start == nil {
			for _, b := range g.list.batches {
				for i, ptr := range b.ptrs {
					if ptr != 0 {
						groups.number(uint64(b.count(i)))
					}
				}
			}
		}
	}
	for _, in := range im.interiors {
		inner.b = le.AppendUint64(inner.b, in.base)
		inner.b = le.AppendUint64(inner.b, in.off)
	}
	maps.number(uint64(len(im.maps)))
	for _, m := range im.maps {
		maps.number(uint64(m.typ.ID))
		maps.number(m.n)
		maps.number(m.keys)
		maps.number(m.vals)
	}
	chans.number(uint64(len(im.chans)))
	for _, c := range im.chans {
		chans.number(uint64(c.elem.ID))
		chans.number(c.cap)
		chans.number(c.count)
		chans.flag(c.closed)
		chans.number(c.buffer)
	}
	funcs.number(uint64(len(im.funcs)))
	for _, f := range im.funcs {
		funcs.text(f.code)
		funcs.flag(f.typ != nil)
		if f.typ != nil {
			funcs.number(uint64(f.typ.ID))
			funcs.number(f.env)
		}
	}
	var parts [][]byte
	for i := range im.groups {
		if g := &im.groups[i]; !g.block {
			parts = append(append(parts, g.data), g.parts...)
			parts = append(parts, make([]byte, -g.size()&7))
		}
	}
	data := section{name: secData, more: parts}
	return []section{
		{name: secTypes, data: types.b}, {name: secNames, data: names.b}, {name: secRoots, data: roots.b},
		{name: secGroups, data: groups.b}, {name: secInterior, data: inner.b}, {name: secMaps, data: maps.b},
		{name: secChans, data: chans.b}, {name: secFuncs, data: funcs.b}, data,
	}
}

// A writer builds a table.
type writer struct{ b []byte }

func (w *writer) number(n uint64) { w.b = binary.AppendUvarint(w.b, n) }

func (w *writer) text(s string) {
	w.number(uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *writer) flag(f bool) {
	if f {
		w.b = append(w.b, 1)
	} else {
		w.b = append(w.b, 0)
	}
}

func (w *writer) typ(t *Type) {
	flags := byte(0)
	if t.dynamic {
		flags |= 1
	}
	if t.opaque {
		flags |= 2
	}
	if t.narrow {
		flags |= 4
	}
	if t.made != nil {
		flags |= 8
	}
	w.b = append(w.b, byte(t.Kind), flags)
	w.text(t.Name)
	switch t.Kind {
	case reflect.Func:
		if t.made == nil {
			break
		}
		w.flag(t.made.variadic)
		for _, list := range [][]*Type{t.made.in, t.made.out} {
			w.number(uint64(len(list)))
			for _, p := range list {
				w.number(uint64(p.ID))
			}
		}
	case reflect.Pointer, reflect.Slice:
		w.number(uint64(t.Elem.ID))
	case reflect.Array:
		w.number(uint64(t.Len))
		w.number(uint64(t.Elem.ID))
	case reflect.Chan:
		w.number(uint64(t.Dir))
		w.number(uint64(t.Elem.ID))
	case reflect.Map:
		w.number(uint64(t.Key.ID))
		w.number(uint64(t.Elem.ID))
	case reflect.Struct:
		w.number(uint64(len(t.Fields)))
		for _, f := range t.Fields {
			w.text(f.Name)
			w.flag(f.Embedded)
			w.text(f.pkg)
			w.text(f.tag)
			w.number(uint64(f.Type.ID))
		}
	}
}

// A reader reads a table. After an error it returns zeros.
type reader struct {
	name string
	b    []byte
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = damaged(r.name, format, args...)
	}
	r.b = nil
}

func (r *reader) number() uint64 {
	n, k := binary.Uvarint(r.b)
	if k <= 0 {
		r.fail("a number is cut off or too large")
		return 0
	}
	r.b = r.b[k:]
	return n
}

// count reads the number of entries that follow, each at least size bytes.
func (r *reader) count(size int) int {
	n := r.number()
	if n > uint64(len(r.b)/size) {
		r.fail("%d entries in %d bytes", n, len(r.b))
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.number()
	if n > uint64(len(r.b)) {
		r.fail("a name of %d bytes in %d bytes", n, len(r.b))
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) flag() bool {
	if len(r.b) == 0 || r.b[0] > 1 {
		r.fail("a flag is neither 0 nor 1")
		return false
	}
	f := r.b[0] == 1
	r.b = r.b[1:]
	return f
}

func (r *reader) end() error {
	if r.err == nil && len(r.b) > 0 {
		r.fail("%d bytes too many", len(r.b))
	}
	return r.err
}

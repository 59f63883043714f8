package heap

import (
	"fmt"
	"hash/crc32"
	"math"
	"reflect"
	"sort"
	"strconv"
)

// An Image is a parsed image. All that it says was verified: a rebuild can only
// fail because the program is another one. An Image is safe for concurrent
// use.
type Image struct {
	types     []*Type
	names     []named
	roots     []rootEntry
	groups    []group
	interiors []interior
	maps      []mapEntry
	chans     []chanEntry
	funcs     []funcEntry
	word      uint64 // size of references, and of lengths, in values
	size      uint64 // bytes of all objects
	attached  map[string][]byte
	objects   uint64 // number of objects
	bytes     *Type
	raw       *Type // one of those that are views of numbers of other types, or nil
	large     error // a type that is too large for this machine
	wide      *Type // one of them where they are so with words of 64 bits only (raw.go), or nil
}

// Section returns an attached section. It shares memory with the bytes that
// were parsed.
func (im *Image) Section(name string) ([]byte, bool) {
	b, ok := im.attached[name]
	return b, ok
}

// Parse reads an image. It verifies checksums, bounds and types, so that damaged
// or hostile bytes give a *FormatError; it takes memory in proportion to
// len(b). The image refers to b, which must not change afterwards.
//
// If it has a type that there is on machines with 64 bits only, the error is an *[OverflowError],
// and what is returned with it has attached sections alone.
func Parse(b []byte) (im *Image, err error) {
	defer func() {
		if e := recover(); e != nil {
			im, err = nil, damaged("?", "%v", e)
		}
	}()
	if string(b[:min(len(b), len(magic))]) == incrementMagic {
		return nil, damaged("header", "an increment, which is an image together with those before it; give the directory of the job")
	}
	sections, err := openSections(b, magic)
	if err != nil {
		return nil, err
	}
	im = &Image{attached: make(map[string][]byte)}
	own := make(map[string][]byte)
	for i, s := range sections {
		if i < len(ownSections) {
			if s.name != ownSections[i] {
				return nil, damaged("header", "section %d is %q instead of %q", i, s.name, ownSections[i])
			}
			own[s.name] = s.data
			continue
		}
		if _, ok := im.attached[s.name]; ok {
			return nil, damaged("header", "two sections are named %q", s.name)
		}
		im.attached[s.name] = s.data
	}
	if len(own) != len(ownSections) {
		return nil, damaged("header", "sections are missing")
	}
	for _, step := range []struct {
		section string
		parse   func(*reader)
	}{
		{secTypes, im.parseTypes},
		{secNames, im.parseNames},
		{secGroups, func(r *reader) { im.parseGroups(r, own[secData]) }},
		{secInterior, im.parseInterior},
		{secMaps, im.parseMaps},
		{secChans, im.parseChans},
		{secFuncs, im.parseFuncs},
		{secRoots, im.parseRoots},
	} {
		r := &reader{name: step.section, b: own[step.section]}
		step.parse(r)
		if im.large != nil {
			return &Image{attached: im.attached}, im.large
		}
		if err := r.end(); err != nil {
			return nil, err
		}
	}
	if err := im.verify(); err != nil {
		return nil, err
	}
	return im, nil
}

// openSections checks header, directory and checksums.
func openSections(b []byte, magic string) ([]section, error) {
	if len(b) < headerSize || string(b[:8]) != magic {
		return nil, damaged("header", "not an image of ckpgen")
	}
	if v := le.Uint32(b[8:]); v != Version {
		return nil, fmt.Errorf("heap: %w: image has version %d, this program reads version %d", ErrVersion, v, Version)
	}
	count, size := le.Uint32(b[12:]), le.Uint32(b[16:])
	if uint64(size) > uint64(len(b)-headerSize) || size%8 != 0 {
		return nil, damaged("header", "directory of %d bytes in a file of %d", size, len(b))
	}
	dir := b[headerSize : headerSize+int(size)]
	if crc := crc32.Update(crc32.Checksum(b[:20], castagnoli()), castagnoli(), dir); crc != le.Uint32(b[20:]) {
		return nil, damaged("header", "checksum does not match")
	}
	rest := b[headerSize+int(size):]
	var sections []section
	for range count {
		if len(dir) < 16 {
			return nil, damaged("header", "directory is too short")
		}
		length, crc, nameLen := le.Uint64(dir), le.Uint32(dir[8:]), le.Uint32(dir[12:])
		if nameLen > 255 || roundUp(16+uint64(nameLen), 8) > uint64(len(dir)) {
			return nil, damaged("header", "directory is too short")
		}
		name := string(dir[16 : 16+nameLen])
		dir = dir[roundUp(16+uint64(nameLen), 8):]
		if length > uint64(len(rest)) || roundUp(length, 8) > uint64(len(rest)) {
			return nil, damaged(name, "%d bytes are missing", length-uint64(len(rest)))
		}
		data := rest[:length:length]
		if crc32.Checksum(data, castagnoli()) != crc {
			return nil, damaged(name, "checksum does not match")
		}
		for _, z := range rest[length:roundUp(length, 8)] {
			if z != 0 {
				return nil, damaged(name, "padding is not zero")
			}
		}
		rest = rest[roundUp(length, 8):]
		sections = append(sections, section{name: name, data: data})
	}
	if len(dir) > 0 || len(rest) > 0 {
		return nil, damaged("header", "%d bytes after the last section", len(dir)+len(rest))
	}
	return sections, nil
}

func (im *Image) parseTypes(r *reader) {
	if im.word = r.number(); im.word != shortWord && im.word != longWord {
		r.fail("words of %d bytes", im.word)
		return
	}
	n := r.count(3)
	im.types = make([]*Type, n)
	for i := range im.types {
		im.types[i] = &Type{ID: i}
	}
	for _, t := range im.types {
		if len(r.b) < 2 || r.b[1] > 15 {
			r.fail("type %d is missing", t.ID)
			return
		}
		t.Kind = reflect.Kind(r.b[0])
		t.dynamic, t.opaque, t.narrow = r.b[1]&1 != 0, r.b[1]&2 != 0, r.b[1]&4 != 0
		if r.b[1]&8 != 0 {
			t.made = new(signature)
		}
		r.b = r.b[2:]
		t.Name = r.text()
		switch t.Kind {
		case reflect.Pointer, reflect.Slice:
			t.Elem = im.typ(r)
		case reflect.Func:
			if t.made == nil {
				break
			}
			t.made.variadic = r.flag()
			for _, list := range []*[]*Type{&t.made.in, &t.made.out} {
				*list = make([]*Type, r.count(1))
				for i := range *list {
					(*list)[i] = im.typ(r)
				}
			}
		case reflect.Array:
			n := r.number()
			if n > maxSize {
				r.fail("type %d has %d elements", t.ID, n)
			} else if n > math.MaxInt {
				im.large = &OverflowError{Path: "the length of an array", Type: "int", Value: strconv.FormatUint(n, 10)}
				return
			}
			t.Len = int(n)
			t.Elem = im.typ(r)
		case reflect.Chan:
			t.Dir = reflect.ChanDir(r.number())
			if t.Dir < reflect.RecvDir || t.Dir > reflect.BothDir {
				r.fail("type %d has direction %d", t.ID, t.Dir)
			}
			t.Elem = im.typ(r)
		case reflect.Map:
			t.Key = im.typ(r)
			t.Elem = im.typ(r)
		case reflect.Struct:
			t.Fields = make([]Field, r.count(5))
			for i := range t.Fields {
				f := &t.Fields[i]
				f.Name = r.text()
				f.Embedded = r.flag()
				f.pkg = r.text()
				f.tag = r.text()
				f.Type = im.typ(r)
			}
		}
		if t.made != nil && t.Kind != reflect.Func {
			r.fail("type %d is no func type and has a signature", t.ID)
		}
		if t.narrow && !t.isWord() {
			r.fail("type %d has narrow words", t.ID)
		}
		if t.opaque && (t.Kind != reflect.Struct || len(t.Fields) > 0) {
			r.fail("type %d is opaque and described", t.ID)
		}
		if r.err != nil {
			return
		}
	}
	for _, t := range im.types {
		if err := t.layout(im.word); err != nil {
			r.fail("%v", err)
			return
		}
		if t.Kind == reflect.Uint8 && t.Name == "uint8" {
			im.bytes = t
		}
		if t.Name == "" {
			for e, k := t, 0; e.Name == "" && e.Elem != nil; e, k = e.Elem, k+1 {
				if k > maxDepth {
					r.fail("type %d has no end", t.ID)
					return
				}
			}
		}
	}
}

// typ reads the id of a type.
func (im *Image) typ(r *reader) *Type {
	n := r.number()
	if n >= uint64(len(im.types)) {
		r.fail("there is no type %d", n)
		return nil
	}
	return im.types[n]
}

func (im *Image) parseNames(r *reader) {
	im.names = make([]named, r.count(3))
	for i := range im.names {
		im.names[i] = named{r.text(), r.flag(), im.typ(r)}
		if r.err != nil {
			return
		}
		switch t := im.names[i].typ; {
		case im.names[i].variable:
		case t.Kind != reflect.Pointer && t.Kind != reflect.Map && t.Kind != reflect.Chan:
			r.fail("%s holds a %s", im.names[i].name, t)
		}
	}
}

func (im *Image) parseGroups(r *reader, data []byte) {
	im.groups = make([]group, r.count(4))
	im.size = uint64(len(data))
	first := uint64(1)
	for i := range im.groups {
		g := &im.groups[i]
		*g = group{typ: im.typ(r), count: r.number(), n: r.number(), first: first}
		flags := r.number()
		g.box, g.text = flags&1 != 0, flags&2 != 0
		room := uint64(len(data))
		switch {
		case r.err != nil:
			return
		case g.typ.Kind == reflect.Array || g.typ.size == 0 || g.n == 0 || flags > 2:
			r.fail("group %d: %d objects of %d %s with flags %d", i, g.n, g.count, g.typ, flags)
			return
		case g.text && (g.typ.Kind != reflect.Uint8 || g.typ.Name != "uint8"):
			r.fail("group %d: text of type %s", i, g.typ)
			return
		case g.count == 0:
			if !g.parseLengths(r, room/g.typ.size) {
				r.fail("group %d: %d objects of %s do not fit", i, g.n, g.typ)
				return
			}
		case g.count > room/g.typ.size || g.n > room/(g.count*g.typ.size):
			r.fail("group %d: %d objects of %d %s do not fit", i, g.n, g.count, g.typ)
			return
		}
		end := g.typ.size * g.count * g.n
		if g.count == 0 {
			end = g.typ.size * g.start[g.n]
		}
		next := roundUp(end, 8)
		if next > room {
			r.fail("group %d does not fit", i)
			return
		}
		if !isZeroBytes(data[end:next]) {
			r.fail("padding after group %d is not zero", i)
			return
		}
		g.data, data = data[:end:end], data[next:]
		first += g.n
	}
	if len(data) > 0 {
		r.fail("%d bytes after the objects", len(data))
	}
	im.objects = first - 1
}

// parseLengths reads the number of elements of each object of a group, which are at most limit
// together.
func (g *group) parseLengths(r *reader, limit uint64) bool {
	if g.n > uint64(len(r.b)) || g.n > limit {
		return false
	}
	g.start = make([]uint64, g.n+1)
	at := uint64(0)
	for k := range g.n {
		n := r.number()
		if n == 0 || n > limit-at {
			return false
		}
		at += n
		g.start[k+1] = at
	}
	return true
}

func (im *Image) parseInterior(r *reader) {
	if len(r.b)%16 != 0 {
		r.fail("%d bytes", len(r.b))
		return
	}
	im.interiors = make([]interior, len(r.b)/16)
	for i := range im.interiors {
		im.interiors[i] = interior{le.Uint64(r.b), le.Uint64(r.b[8:])}
		r.b = r.b[16:]
	}
}

func (im *Image) parseMaps(r *reader) {
	im.maps = make([]mapEntry, r.count(4))
	for i := range im.maps {
		m := &im.maps[i]
		*m = mapEntry{im.typ(r), r.number(), r.number(), r.number()}
		if r.err == nil && m.typ.Kind != reflect.Map {
			r.fail("map %d has type %s", i, m.typ)
		}
	}
}

func (im *Image) parseChans(r *reader) {
	im.chans = make([]chanEntry, r.count(5))
	for i := range im.chans {
		im.chans[i] = chanEntry{im.typ(r), r.number(), r.number(), r.flag(), r.number()}
	}
}

func (im *Image) parseFuncs(r *reader) {
	im.funcs = make([]funcEntry, r.count(2))
	for i := range im.funcs {
		f := &im.funcs[i]
		f.code = r.text()
		if r.flag() {
			f.typ = im.typ(r)
			f.env = r.number()
		}
	}
}

func (im *Image) parseRoots(r *reader) {
	im.roots = make([]rootEntry, r.count(3))
	seen := make(map[string]bool)
	for i := range im.roots {
		im.roots[i] = rootEntry{r.text(), im.typ(r), r.number()}
		if seen[im.roots[i].name] {
			r.fail("two roots are named %q", im.roots[i].name)
		}
		seen[im.roots[i].name] = true
	}
}

// groupOf returns the group of an object.
func (im *Image) groupOf(number uint64) *group {
	i := sort.Search(len(im.groups), func(i int) bool { return im.groups[i].first > number }) - 1
	return &im.groups[i]
}

// content returns the bytes of an object.
func (im *Image) content(number uint64) (*group, []byte) {
	g := im.groupOf(number)
	return g, g.at(number - g.first)
}

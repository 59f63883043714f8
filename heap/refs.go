package heap

import "sort"

// A reference is a tag in the highest byte of a word and an index below it. The word 0 is nil. In
// values of an image with short words, the tag is in the highest three bits of four bytes.
const (
	tagObject   = iota // number of an object, from 1; points to its start
	tagInterior        // index in the section "interior"
	tagZero            // something of size zero; a slice without capacity
	tagNamed           // index in the section "names"
	tagType            // type id: the description of the type itself
	tagFunc            // index in the section "funcs"
	tagMap             // index in the section "maps"
	tagChan            // index in the section "chans"
)

const indexBits = 56

func reference(tag int, index uint64) uint64 { return uint64(tag)<<indexBits | index }

func split(word uint64) (tag int, index uint64) {
	return int(word >> indexBits), word & (1<<indexBits - 1)
}

// The sizes of the words in the values of an image: of references, lengths, and types in
// interfaces.
const (
	shortWord = 4
	longWord  = 8

	shortBits = 29 // of the index in a short reference
)

// getNumber reads a word that is a length or the number of a type.
func getNumber(b []byte, word uint64) uint64 {
	if word == shortWord {
		return uint64(le.Uint32(b))
	}
	return le.Uint64(b)
}

func putNumber(b []byte, word, n uint64) {
	if word == shortWord {
		le.PutUint32(b, uint32(n))
		return
	}
	le.PutUint64(b, n)
}

// getReference reads a word that is a reference.
func getReference(b []byte, word uint64) uint64 {
	if word == shortWord {
		x := le.Uint32(b)
		return reference(int(x>>shortBits), uint64(x&(1<<shortBits-1)))
	}
	return le.Uint64(b)
}

func putReference(b []byte, word, x uint64) {
	if word == shortWord {
		le.PutUint32(b, uint32(x>>indexBits<<shortBits|x&(1<<indexBits-1)))
		return
	}
	le.PutUint64(b, x)
}

// reference and number read a word of a value.
func (im *Image) reference(b []byte) uint64 { return getReference(b, im.word) }
func (im *Image) number(b []byte) uint64    { return getNumber(b, im.word) }

// A named entry is something that belongs to the process.
type named struct {
	name     string
	variable bool  // the variable itself; else what it holds
	typ      *Type // of the variable, or of what it holds
}

// An interior pointer leads into an object or into a named variable.
type interior struct {
	base uint64 // reference to an object or a named variable
	off  uint64 // in the image
}

// A group is a run of objects of the same type.
type group struct {
	typ   *Type
	count uint64   // elements of each object; 0 if they differ
	n     uint64   // objects
	box   bool     // values behind interfaces
	text  bool     // only strings refer to them
	first uint64   // number of the first object
	data  []byte   // of the objects, one after the other
	start []uint64 // of each object in elements of the group, and the end, if count is 0

	// In a capture, where text has no start:
	list   *regionList
	parts  [][]byte // instead of data
	before []uint64 // objects before each part
	block  bool     // they are kept apart: see blocks.go
}

// forget makes a group what it was before its objects were written.
func (g *group) forget() {
	*g = group{typ: g.typ, n: g.n, box: g.box, text: g.text, block: g.block, first: g.first}
}

// elements returns the number of elements of the kth object.
func (g *group) elements(k uint64) uint64 {
	if g.count == 0 {
		return g.start[k+1] - g.start[k]
	}
	return g.count
}

// bytes returns the size of an object, by its number.
func (g *group) bytes(number uint64) uint64 { return g.elements(number-g.first) * g.typ.size }

// at returns the bytes of the kth object.
func (g *group) at(k uint64) []byte {
	if g.count == 0 && g.parts == nil {
		return g.data[g.start[k]*g.typ.size : g.start[k+1]*g.typ.size]
	}
	if g.parts != nil {
		i := sort.Search(len(g.before), func(i int) bool { return g.before[i] > k }) - 1
		return g.inPart(i, k-g.before[i])
	}
	stride := g.count * g.typ.size
	return g.data[k*stride : (k+1)*stride]
}

type mapEntry struct {
	typ        *Type
	n          uint64
	keys, vals uint64 // references to arrays of n
}

type chanEntry struct {
	elem   *Type
	cap    uint64
	count  uint64
	closed bool
	buffer uint64 // reference to an array of cap elements, oldest first
}

type funcEntry struct {
	code string
	env  uint64 // reference to the environment, or 0
	typ  *Type  // of the pointer to the environment
}

type rootEntry struct {
	name string
	typ  *Type
	at   uint64 // reference
}

// size returns the bytes of all objects.
func (g *group) size() uint64 {
	n := len(g.data)
	for _, p := range g.parts {
		n += len(p)
	}
	return uint64(n)
}

// inPart returns the bytes of the kth object of a part.
func (g *group) inPart(part int, k uint64) []byte {
	size := g.typ.size
	if g.count > 0 {
		return g.parts[part][k*g.count*size : (k+1)*g.count*size]
	}
	first := g.start[g.before[part]]
	at := g.before[part] + k
	return g.parts[part][(g.start[at]-first)*size : (g.start[at+1]-first)*size]
}

// join brings a capture into the form of a parsed image.
func (im *Image) join() {
	im.startText()
	for i := range im.groups {
		if g := &im.groups[i]; g.parts != nil {
			g.data = unzeroed(int(g.size()))[:0]
			for _, part := range g.parts {
				g.data = append(g.data, part...)
			}
			g.parts = nil
		}
	}
}

// startText tells where strings begin.
func (im *Image) startText() {
	for i := range im.groups {
		g := &im.groups[i]
		if g.count != 0 || g.start != nil {
			continue
		}
		g.start = make([]uint64, 1, g.n+1)
		at := uint64(0)
		for _, b := range g.list.batches {
			for i, ptr := range b.ptrs {
				if ptr != 0 {
					at += uint64(b.count(i))
					g.start = append(g.start, at)
				}
			}
		}
	}
}

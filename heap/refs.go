package heap

// A reference in the image is a word of eight bytes: a tag in the highest byte
// and an index below it. The word 0 is nil.
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

// A group is a run of objects with the same type and size.
type group struct {
	typ   *Type
	count uint64 // elements of each object
	n     uint64 // objects
	box   bool   // values behind interfaces
	first uint64 // number of the first object
	off   uint64 // of its bytes in the section "heap"
}

func (g *group) stride() uint64 { return g.count * g.typ.size }

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

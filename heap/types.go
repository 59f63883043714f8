package heap

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A Type describes a type of the program that wrote an image. The layout of
// its values in the image is the one that Go's compiler gives them on a 64-bit
// machine: int, uint, uintptr and every reference take eight bytes.
type Type struct {
	ID     int          // index in the type table
	Kind   reflect.Kind // numbers as in package reflect
	Name   string       // with package path and type arguments; empty for unnamed types, full text for func and interface types
	Elem   *Type        // of pointer, slice, array, channel and map
	Key    *Type        // of map
	Len    int          // of array
	Dir    reflect.ChanDir
	Fields []Field // of struct

	made    *signature // of a func type that package reflect has made
	opaque  bool       // only the zero value is saved, as eight zero bytes; contents and size are not described
	dynamic bool       // a value in an interface has this type: it is found by name
	narrow  bool       // big.Word, written by a machine with words of 32 bits
	size    uint64
	align   uint64
	state   uint8 // of layout: 0 not begun, 1 under way, 2 done
	depth   int
	refs    bool // holds references
	single  bool // is one reference and nothing else, see inWord
	slots   []wireSlot
	slotted bool
	bools   uint8 // 0 not known, 1 no, 2 yes
	raw     rawness
	word    uint64 // size of a reference
}

// A signature is what a func type is made of.
type signature struct {
	in, out  []*Type
	variadic bool
}

// A Field is a field of a struct type.
type Field struct {
	Name     string
	Embedded bool
	Type     *Type

	pkg string // of an unexported field
	tag string

	off uint64
}

// Size returns the number of bytes that a value takes in the image.
func (t *Type) Size() int { return int(t.size) }

// longestText is about how long the text of a type gets that has no name. Types which are made of
// each other could have one without end.
const longestText = 4000

// String returns the type in Go's notation with full package paths. Long ones are abbreviated.
func (t *Type) String() string {
	var b strings.Builder
	t.text(&b, 0)
	return b.String()
}

func (t *Type) text(b *strings.Builder, depth int) {
	if t.Name != "" {
		b.WriteString(t.Name)
		return
	}
	if depth > 20 || b.Len() > longestText {
		b.WriteString("...")
		return
	}
	elem := func(before string, t *Type) {
		b.WriteString(before)
		t.text(b, depth+1)
	}
	switch t.Kind {
	case reflect.Pointer:
		elem("*", t.Elem)
	case reflect.Slice:
		elem("[]", t.Elem)
	case reflect.Array:
		elem("["+strconv.Itoa(t.Len)+"]", t.Elem)
	case reflect.Map:
		elem("map[", t.Key)
		elem("]", t.Elem)
	case reflect.Chan:
		switch t.Dir {
		case reflect.RecvDir:
			elem("<-chan ", t.Elem)
		case reflect.SendDir:
			elem("chan<- ", t.Elem)
		default:
			elem("chan (", t.Elem)
			b.WriteString(")")
		}
	case reflect.Struct:
		b.WriteString("struct{")
		for i := range t.Fields {
			if i > 0 {
				b.WriteString("; ")
			}
			if i == 20 || b.Len() > longestText {
				b.WriteString("...")
				break
			}
			elem(t.Fields[i].Name+" ", t.Fields[i].Type)
		}
		b.WriteString("}")
	default:
		b.WriteString(t.Kind.String())
	}
}

// typeText is the same text for a type of the running program, but never
// abbreviated: it identifies a type up to types of the same name that were
// declared inside functions.
func typeText(t reflect.Type) string {
	var w typeWriter
	return w.text(t)
}

// A typeWriter makes the text of one type. structs are those without names in it, in order. A
// program that changes through package unsafe what reflect.StructOf has made, as an interpreter of
// Go does, can make such a struct a part of itself: where it comes again its text is its number.
type typeWriter struct {
	structs []reflect.Type
	generic bool // an instance has the name of its generic type
}

func (w *typeWriter) text(t reflect.Type) string {
	if w.generic && isNamed(t) && t.PkgPath() != "" {
		return genericOf(t)
	}
	if isNamed(t) {
		name := nameOf(t)
		if path := t.PkgPath(); path != "" {
			return path + "." + name
		}
		return name
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + w.text(t.Elem())
	case reflect.Slice:
		return "[]" + w.text(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + w.text(t.Elem())
	case reflect.Map:
		return "map[" + w.text(t.Key()) + "]" + w.text(t.Elem())
	case reflect.Chan:
		switch t.ChanDir() {
		case reflect.RecvDir:
			return "<-chan " + w.text(t.Elem())
		case reflect.SendDir:
			return "chan<- " + w.text(t.Elem())
		}
		return "chan (" + w.text(t.Elem()) + ")"
	case reflect.Func:
		return "func" + w.signature(t)
	case reflect.Struct:
		if i := slices.Index(w.structs, t); i < 0 {
			w.structs = append(w.structs, t)
		} else if partOfItself(t) {
			return "struct#" + strconv.Itoa(i+1)
		}
		var b strings.Builder
		b.WriteString("struct{")
		for i := range t.NumField() {
			f := t.Field(i)
			if i > 0 {
				b.WriteString("; ")
			}
			if f.Anonymous {
				b.WriteString("embedded ")
			}
			if f.PkgPath != "" {
				b.WriteString(f.PkgPath + ".")
			}
			b.WriteString(f.Name + " " + w.text(f.Type))
			if f.Tag != "" {
				b.WriteString(" " + strconv.Quote(string(f.Tag)))
			}
		}
		return b.String() + "}"
		// Not the methods of an interface one by one: a call of reflect.Type.Method
		// would make the linker keep all methods of all types.
	}
	return t.String()
}

func (w *typeWriter) signature(t reflect.Type) string {
	var b strings.Builder
	b.WriteByte('(')
	for i := range t.NumIn() {
		if i > 0 {
			b.WriteString(", ")
		}
		if t.IsVariadic() && i == t.NumIn()-1 {
			b.WriteString("..." + w.text(t.In(i).Elem()))
		} else {
			b.WriteString(w.text(t.In(i)))
		}
	}
	b.WriteByte(')')
	if t.NumOut() > 0 {
		b.WriteString(" (")
		for i := range t.NumOut() {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(w.text(t.Out(i)))
		}
		b.WriteByte(')')
	}
	return b.String()
}

// partOfItself reports whether a struct without a name is reached from its fields by types without
// names.
func partOfItself(s reflect.Type) bool {
	seen := make(map[reflect.Type]bool)
	var leads func(t reflect.Type) bool
	leads = func(t reflect.Type) bool {
		if t.Name() != "" || seen[t] {
			return t == s
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
			return leads(t.Elem())
		case reflect.Map:
			return leads(t.Key()) || leads(t.Elem())
		case reflect.Func:
			for in := range t.Ins() {
				if leads(in) {
					return true
				}
			}
			for out := range t.Outs() {
				if leads(out) {
					return true
				}
			}
		case reflect.Struct:
			for i := range t.NumField() {
				if leads(t.Field(i).Type) {
					return true
				}
			}
		}
		return false
	}
	return leads(s)
}

const (
	maxSize  = 1 << 48 // of a value: larger than any address space in use
	maxDepth = 500     // of structs and arrays in one another
)

func roundUp(n, align uint64) uint64 { return (n + align - 1) &^ (align - 1) }

// layout computes size, alignment and field offsets. It fails on types that no
// compiler accepts.
func (t *Type) layout(size uint64) error {
	switch t.state {
	case 2:
		return nil
	case 1:
		return fmt.Errorf("type %s contains itself", t)
	}
	t.state, t.word = 1, size
	word := func(n uint64) { t.size, t.align, t.refs, t.single = size*n, size, true, n == 1 }
	switch t.Kind {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		t.size, t.align = 1, 1
	case reflect.Int16, reflect.Uint16:
		t.size, t.align = 2, 2
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		t.size, t.align = 4, 4
	case reflect.Complex64:
		t.size, t.align = 8, 4
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr, reflect.Float64:
		t.size, t.align = 8, 8
	case reflect.Complex128:
		t.size, t.align = 16, 8
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		word(1)
	case reflect.String, reflect.Interface:
		word(2)
	case reflect.Slice:
		word(3)
	case reflect.Array:
		if err := t.Elem.layout(size); err != nil {
			return err
		}
		if t.Len < 0 || uint64(t.Len) > maxSize || (t.Elem.size > 0 && uint64(t.Len) > maxSize/t.Elem.size) {
			return fmt.Errorf("array type %s is too large", t)
		}
		t.size, t.align = t.Elem.size*uint64(t.Len), t.Elem.align
		t.refs = t.Elem.refs && t.Len > 0
		t.single = t.Elem.single && t.Len == 1
		t.depth = t.Elem.depth + 1
	case reflect.Struct:
		t.align = 1
		before := uint64(0) // size of the fields before
		if t.opaque {
			before = 8
			t.size, t.align = 8, 8
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			if err := f.Type.layout(size); err != nil {
				return err
			}
			f.off = roundUp(t.size, f.Type.align)
			t.size = f.off + f.Type.size
			t.align = max(t.align, f.Type.align)
			t.refs = t.refs || f.Type.refs
			t.depth = max(t.depth, f.Type.depth+1)
			if t.size > maxSize {
				return fmt.Errorf("struct type %s is too large", t)
			}
			if f.Type.size > 0 {
				t.single = f.Type.single && before == 0
			}
			before += f.Type.size
			if i == len(t.Fields)-1 && f.Type.size == 0 && t.size > 0 {
				t.size++ // so that a pointer to the last field stays inside
				t.single = false
			}
		}
		t.size = roundUp(t.size, t.align)
	default:
		return fmt.Errorf("type %s has kind %d", t, t.Kind)
	}
	if t.depth > maxDepth {
		return fmt.Errorf("type %s is nested too deeply", t)
	}
	t.state = 2
	return nil
}

// flat strips arrays: an object of n arrays of m elements is one of n*m
// elements.
func (t *Type) flat() (*Type, uint64) {
	n := uint64(1)
	for t.Kind == reflect.Array {
		n *= uint64(t.Len)
		t = t.Elem
	}
	return t, n
}

// sameMemory reports whether a pointer to a value of type t may also be a
// pointer to one of type u: Go converts between them when their underlying
// types are identical.
func sameMemory(t, u *Type) bool {
	if t == u || u.views(t) {
		return true
	}
	if t.Kind != u.Kind {
		return false
	}
	switch t.Kind {
	case reflect.Pointer, reflect.Slice:
		return t.Elem == u.Elem || sameUnnamed(t.Elem, u.Elem, 0)
	case reflect.Chan:
		return t.Elem == u.Elem || sameUnnamed(t.Elem, u.Elem, 0)
	case reflect.Array:
		return t.Len == u.Len && sameMemory(t.Elem, u.Elem)
	case reflect.Map:
		return (t.Key == u.Key || sameUnnamed(t.Key, u.Key, 0)) && (t.Elem == u.Elem || sameUnnamed(t.Elem, u.Elem, 0))
	case reflect.Struct:
		if len(t.Fields) != len(u.Fields) || t.opaque || u.opaque {
			return false
		}
		for i := range t.Fields {
			f, g := &t.Fields[i], &u.Fields[i]
			if f.Name != g.Name || f.Type != g.Type && !sameUnnamed(f.Type, g.Type, 0) {
				return false
			}
		}
	}
	return true
}

// header returns the kind of values that programs look at through a pointer to a value of type t,
// by a conversion of package unsafe: slices, strings or interfaces, whose words t has as fields;
// reflect.Invalid for other types.
func (t *Type) header() reflect.Kind {
	if t.isHeader() {
		if len(t.Fields) == 2 {
			return reflect.String
		}
		return reflect.Slice
	}
	if t.Kind != reflect.Struct || t.opaque || len(t.Fields) < 2 || len(t.Fields) > 3 {
		return reflect.Invalid
	}
	kind := func(i int) reflect.Kind { return t.Fields[i].Type.Kind }
	switch {
	case t.isDescribed():
		return reflect.Interface
	case kind(0) != reflect.UnsafePointer && kind(0) != reflect.Uintptr:
	case len(t.Fields) == 3 && kind(1) == reflect.Int && kind(2) == reflect.Int:
		return reflect.Slice
	case len(t.Fields) == 2 && kind(1) == reflect.Int:
		return reflect.String
	case len(t.Fields) == 2 && kind(1) == reflect.UnsafePointer:
		return reflect.Interface
	}
	return reflect.Invalid
}

// isDescribed reports whether a type is a struct of a pointer that can lead to the description of a
// type, and an unsafe pointer: programs look at the words of interfaces by such.
func (t *Type) isDescribed() bool {
	if t.Kind != reflect.Struct || t.opaque || len(t.Fields) != 2 || t.Fields[1].Type.Kind != reflect.UnsafePointer {
		return false
	}
	first := t.Fields[0].Type
	return first.Kind == reflect.Pointer && first.Elem.isBlank()
}

// views reports whether values of type t may be views of those of type u.
func (t *Type) views(u *Type) bool { return u.Kind != reflect.Invalid && t.header() == u.Kind }

// isView reports whether values of type t may be views of those of another type.
func (t *Type) isView() bool { return t.isAddress() || t.header() != reflect.Invalid }

// isAddress reports whether values of the type are unsafe pointers, or structs of nothing but one.
func (t *Type) isAddress() bool {
	if t.Kind == reflect.Struct && len(t.Fields) == 1 && !t.opaque {
		t = t.Fields[0].Type
	}
	return t.Kind == reflect.UnsafePointer
}

// overlooks reports whether values of type t may be views of values of type u: a program that swaps
// the pointer in a field does it through the address of the field as one of an unsafe pointer, and
// one that goes over slices of pointers to many types does it through a slice of structs of an
// unsafe pointer.
func (t *Type) overlooks(u *Type) bool {
	if !t.isAddress() {
		return t.views(u)
	}
	switch u.Kind {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func:
		return true
	}
	return false
}

// isHeader reports whether values of the type mean nothing but as a view of another value.
func (t *Type) isHeader() bool {
	return t.Name == "reflect.SliceHeader" || t.Name == "reflect.StringHeader"
}

// sameUnnamed compares the parts of two types: identical, except that struct
// tags do not count, which the image does not keep.
func sameUnnamed(t, u *Type, depth int) bool {
	if t == u {
		return true
	}
	if t.Name != u.Name || t.Kind != u.Kind || depth > 20 || t.Name != "" {
		return false
	}
	depth++
	switch t.Kind {
	case reflect.Pointer, reflect.Slice:
		return sameUnnamed(t.Elem, u.Elem, depth)
	case reflect.Array:
		return t.Len == u.Len && sameUnnamed(t.Elem, u.Elem, depth)
	case reflect.Chan:
		return t.Dir == u.Dir && sameUnnamed(t.Elem, u.Elem, depth)
	case reflect.Map:
		return sameUnnamed(t.Key, u.Key, depth) && sameUnnamed(t.Elem, u.Elem, depth)
	case reflect.Struct:
		if len(t.Fields) != len(u.Fields) {
			return false
		}
		for i := range t.Fields {
			f, g := &t.Fields[i], &u.Fields[i]
			if f.Name != g.Name || !sameUnnamed(f.Type, g.Type, depth) {
				return false
			}
		}
		return true
	}
	return true
}

// holds reports whether an object of count values of type t has, at offset off,
// n consecutive values of type want (which is not an array).
func (t *Type) holds(count, off uint64, want *Type, n uint64) bool {
	return t.has(count, off, want, n, (*Type).overlooks)
}

// has does what holds does, with the given views.
func (t *Type) has(count, off uint64, want *Type, n uint64, views func(t, u *Type) bool) bool {
	for {
		if t.size == 0 || off/t.size >= count {
			return false
		}
		if off%t.size == 0 && off/t.size+n <= count && n <= count {
			if t.size == want.size && sameMemory(t, want) || (n == 1 || want.isAddress()) && views(want, t) {
				return true
			}
		}
		if n > 1 && off%t.size+n*want.size > t.size {
			return false
		}
		off %= t.size
		if t, count, off = t.part(off); t == nil {
			return false
		}
	}
}

// part returns the type of the field, or of the elements, that a value has at an offset, how many
// there are, and the offset in the first of them; nil if there is none.
func (t *Type) part(off uint64) (*Type, uint64, uint64) {
	switch t.Kind {
	case reflect.Struct:
		i := sort.Search(len(t.Fields), func(i int) bool { return t.Fields[i].off > off }) - 1
		for i >= 0 && t.Fields[i].Type.size == 0 {
			i--
		}
		if i < 0 || off >= t.Fields[i].off+t.Fields[i].Type.size {
			return nil, 0, 0
		}
		return t.Fields[i].Type, 1, off - t.Fields[i].off
	case reflect.Array: // the elements of its elements are one after the other, too
		count := uint64(1)
		for ; t.Kind == reflect.Array; t = t.Elem {
			count *= uint64(t.Len)
		}
		return t, count, off
	}
	return nil, 0, 0
}

// An op says what kind of reference a slot holds.
type op uint8

const (
	opPointer op = iota + 1
	opString
	opSlice
	opInterface
	opMap
	opChan
	opFunc
	opUnsafe
	opTold     // an unsafe pointer; another field tells what it leads to. In the image it is an opUnsafe
	opArray    // n values of the target type, one after the other
	opRefuse   // a value that can't be saved unless it is zero
	opProcess  // an os.Process, which can't be saved unless it has ended; its fields follow
	opFrames   // a runtime.Frames, of which the frames to come follow
	opType     // pointer to the description of a type
	opCode     // a *runtime.Func, which is in the image as a func value of the function would be
	opBlank    // pointer to a struct that can stand for the description of a type
	opSyncMap  // a sync.Map, in the image a map[any]any
	opIterator // an iterator over a map, in the image a pointer to an iteration
	opTimer    // a time.Timer or time.Ticker, in the image a struct of timerFields
	opFile     // an os.file, in the image a struct of fileFields
	opReflect  // the pointer in a reflect.Value
	opObject   // a pointer to something without peculiarities
	opHandle   // the pointer in a unique.Handle
	opWeak     // the word of a weak.Pointer
	opConvert  // a struct of system calls, in the image that of another machine
	opWords    // a slice of big.Word, or a pointer to one, which have another size in the image
)

// A wireSlot is a place in an encoded value that holds a reference.
type wireSlot struct {
	op     op
	off    uint64
	n      uint64 // of opArray; of opInterface as countBefore returns it
	target *Type  // what is referred to; for opInterface, opMap, opChan, opFunc the type of the slot itself
}

// wireSlots returns the reference slots of an encoded value.
func (t *Type) wireSlots() []wireSlot {
	if !t.slotted {
		t.slotted = true
		if t.refs {
			t.slots = t.appendSlots(nil, 0)
		}
	}
	return t.slots
}

func (t *Type) appendSlots(s []wireSlot, off uint64) []wireSlot {
	switch t.Kind {
	case reflect.Pointer:
		if isTypeDescriptor(t.Elem.Name) {
			return append(s, wireSlot{op: opType, off: off})
		}
		if isCode(t.Elem.Name) {
			return append(s, wireSlot{op: opCode, off: off})
		}
		if t.Elem.isBlank() {
			return append(s, wireSlot{op: opBlank, off: off, target: t.Elem})
		}
		return append(s, wireSlot{op: opPointer, off: off, target: t.Elem})
	case reflect.String:
		return append(s, wireSlot{op: opString, off: off})
	case reflect.Slice:
		return append(s, wireSlot{op: opSlice, off: off, target: t.Elem})
	case reflect.Interface:
		return append(s, wireSlot{op: opInterface, off: off, target: t})
	case reflect.Map:
		return append(s, wireSlot{op: opMap, off: off, target: t})
	case reflect.Chan:
		return append(s, wireSlot{op: opChan, off: off, target: t})
	case reflect.Func:
		return append(s, wireSlot{op: opFunc, off: off, target: t})
	case reflect.UnsafePointer:
		return append(s, wireSlot{op: opUnsafe, off: off})
	case reflect.Array:
		if !t.refs {
			return s
		}
		if t.Len > 8 {
			return append(s, wireSlot{op: opArray, off: off, n: uint64(t.Len), target: t.Elem})
		}
		for i := range t.Len {
			s = t.Elem.appendSlots(s, off+uint64(i)*t.Elem.size)
		}
	case reflect.Struct:
		if t.isHandle() {
			return append(s, wireSlot{op: opHandle, off: off, target: t.Fields[0].Type.Elem})
		}
		if t.isWeak() {
			return append(s, wireSlot{op: opWeak, off: off, target: t.Fields[1].Type.Elem})
		}
		for i := range t.Fields {
			if i == 1 && t.isReflection() {
				s = append(s, wireSlot{op: opReflect, off: off + t.Fields[i].off})
				continue
			}
			if t.Fields[i].Type.refs {
				s = t.Fields[i].Type.appendSlots(s, off+t.Fields[i].off)
			}
			if n := countBefore(t, i); n > 0 {
				s[len(s)-1].n = n
			}
		}
	}
	return s
}

// isTypeDescriptor reports whether pointers to values of the named type are
// the runtime's descriptions of types.
func isTypeDescriptor(name string) bool {
	return name == "reflect.rtype" || name == "internal/abi.Type"
}

// isCode reports whether pointers to values of the named type are the runtime's descriptions of
// functions.
func isCode(name string) bool { return name == "runtime.Func" }

// isBlank reports whether the type is a struct by which a program that knows the runtime's
// descriptions of types may have them: it has no size, as such programs call what package reflect
// has for its own, or begins as a description does. A pointer to it can lead to one.
func (t *Type) isBlank() bool {
	if t.Kind != reflect.Struct || t.opaque {
		return false
	}
	if t.size == 0 {
		return true
	}
	first := t.firstNumbers(nil)
	return len(first) == 3 && first[0] == reflect.Uintptr && first[1] == reflect.Uintptr && first[2] == reflect.Uint32
}

// firstNumbers appends the kinds of the values that a struct begins with, up to three.
func (t *Type) firstNumbers(kinds []reflect.Kind) []reflect.Kind {
	if t.Kind != reflect.Struct {
		return append(kinds, t.Kind)
	}
	for i := 0; i < len(t.Fields) && len(kinds) < 3; i++ {
		if u := t.Fields[i].Type; u.size > 0 {
			kinds = u.firstNumbers(kinds)
		}
	}
	return kinds
}

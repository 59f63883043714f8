package heap

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"
)

// A Variable is a named value of an image.
type Variable struct {
	Name  string
	Value Value
}

// A Value is a value in an image. It is looked at without the program that
// wrote the image. The zero Value is not valid.
type Value struct {
	im   *Image
	typ  *Type
	b    []byte
	text string // what is bound by name has no contents
	id   uint64 // number of the object that the value is the beginning of, or 0
	in   uint64 // number of the object that it is in, or 0
}

// Roots returns the variables that were captured, in the order of Capture.
func (im *Image) Roots() []Variable {
	vars := make([]Variable, len(im.roots))
	for i, r := range im.roots {
		v, _ := im.at(r.at, r.typ)
		vars[i] = Variable{r.name, v}
	}
	return vars
}

// Root returns the variable of the given name.
func (im *Image) Root(name string) (Value, bool) {
	for _, r := range im.roots {
		if r.name == name {
			return im.at(r.at, r.typ)
		}
	}
	return Value{}, false
}

// Objects returns the number of objects in the image.
func (im *Image) Objects() int { return int(im.objects) }

// DataSize returns the number of bytes that the objects take in the image.
func (im *Image) DataSize() int { return int(im.size) }

// Names returns the names of the types of which values are in the image or may be, without type
// arguments, and of the functions that func values in it are, as the runtime has them.
func (im *Image) Names() map[string]bool {
	names := make(map[string]bool)
	for _, t := range im.types {
		name, _, _ := strings.Cut(t.Name, "[")
		names[name] = true
	}
	for _, f := range im.funcs {
		names[f.code] = true
	}
	return names
}

// A TypeSize tells how much of an image is objects of one type.
type TypeSize struct {
	Type    *Type
	Objects int // allocations; an array is one
	Bytes   int
}

// ByType returns the sizes by type, largest first. Text and contents of byte
// slices are both objects of type uint8. Keys and values of a map are two arrays.
func (im *Image) ByType() []TypeSize {
	index := make(map[*Type]int)
	var sizes []TypeSize
	for _, g := range im.groups {
		i, ok := index[g.typ]
		if !ok {
			i = len(sizes)
			index[g.typ] = i
			sizes = append(sizes, TypeSize{Type: g.typ})
		}
		sizes[i].Objects += int(g.n)
		sizes[i].Bytes += len(g.data)
	}
	slices.SortStableFunc(sizes, func(a, b TypeSize) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return sizes
}

// at returns the value of a type that a reference leads to.
func (im *Image) at(word uint64, t *Type) (Value, bool) {
	v := Value{im: im, typ: t}
	if word == 0 {
		return Value{}, false
	}
	tag, n := split(word)
	off := uint64(0)
	if tag == tagInterior {
		in := im.interiors[n]
		off = in.off
		tag, n = split(in.base)
	}
	switch tag {
	case tagObject:
		_, b := im.content(n)
		v.b, v.in = b[off:], n
		if off == 0 {
			v.id = n
		}
	case tagNamed:
		v.text = im.names[n].name
		if im.names[n].variable {
			v.text = "&" + v.text
		}
	case tagFunc: // of a *runtime.Func
		v.text = im.funcs[n].code
	}
	return v, true
}

// IsValid reports whether v is a value.
func (v Value) IsValid() bool { return v.typ != nil }

// Type returns the type of the value.
func (v Value) Type() *Type { return v.typ }

// IsNil reports whether a pointer, interface, slice, map, channel or function
// is nil.
func (v Value) IsNil() bool {
	switch v.kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return v.reference(0) == 0
	}
	return false
}

func (v Value) kind() reflect.Kind {
	if v.typ == nil || v.text != "" || uint64(len(v.b)) < v.typ.size {
		return reflect.Invalid
	}
	return v.typ.Kind
}

// reference and number read the ith word.
func (v Value) reference(i int) uint64 { return v.im.reference(v.b[i*int(v.im.word):]) }
func (v Value) number(i int) uint64    { return v.im.number(v.b[i*int(v.im.word):]) }

// Elem returns what a pointer or interface leads to. It returns false if that is
// nil or if v is neither.
func (v Value) Elem() (Value, bool) {
	switch v.kind() {
	case reflect.Pointer:
		if isTypeDescriptor(v.typ.Elem.Name) {
			return Value{}, false
		}
		return v.im.at(v.reference(0), v.typ.Elem)
	case reflect.Interface:
		if v.number(0) == 0 {
			return Value{}, false
		}
		t := v.im.types[v.number(0)-1]
		if t.inWord() {
			return Value{im: v.im, typ: t, b: v.b[v.im.word:], in: v.in}, true
		}
		return v.im.at(v.reference(1), t)
	}
	return Value{}, false
}

// NumField returns the number of fields of a struct, else 0.
func (v Value) NumField() int {
	if v.kind() != reflect.Struct {
		return 0
	}
	return len(v.typ.Fields)
}

// FieldAt returns the ith field of a struct and its name.
func (v Value) FieldAt(i int) Variable {
	f := &v.typ.Fields[i]
	w := Value{im: v.im, typ: f.Type, b: v.b[f.off:], in: v.in}
	return Variable{f.Name, w}
}

// Field returns the field of a struct by name.
func (v Value) Field(name string) (Value, bool) {
	for i := range v.NumField() {
		if v.typ.Fields[i].Name == name {
			return v.FieldAt(i).Value, true
		}
	}
	return Value{}, false
}

// Len returns the length of a string, slice, array, map or of what is in the
// buffer of a channel.
func (v Value) Len() int {
	switch v.kind() {
	case reflect.String, reflect.Slice:
		return clampInt(v.number(1))
	case reflect.Array:
		return v.typ.Len
	case reflect.Map:
		if tag, n := split(v.reference(0)); tag == tagMap {
			return int(v.im.maps[n].n)
		}
	case reflect.Chan:
		if tag, n := split(v.reference(0)); tag == tagChan {
			return clampInt(v.im.chans[n].count)
		}
	}
	return 0
}

func clampInt(n uint64) int { return int(min(n, math.MaxInt)) }

// Index returns an element of a slice, array or channel buffer.
func (v Value) Index(i int) Value {
	var w Value
	switch v.kind() {
	case reflect.Slice:
		w, _ = v.im.at(v.reference(0), v.typ.Elem)
	case reflect.Array:
		w = Value{im: v.im, typ: v.typ.Elem, b: v.b, in: v.in}
	case reflect.Chan:
		_, n := split(v.reference(0))
		w, _ = v.im.at(v.im.chans[n].buffer, v.typ.Elem)
	}
	if w.typ != nil && w.typ.size > 0 && w.text == "" {
		w.b = w.b[uint64(i)*w.typ.size:]
	}
	w.id = 0
	return w
}

// Entry returns a key of a map and its value. The order is that of the image.
func (v Value) Entry(i int) (key, value Value) {
	if v.kind() != reflect.Map {
		return
	}
	_, n := split(v.reference(0))
	m := v.im.maps[n]
	key, _ = v.im.at(m.keys, m.typ.Key)
	value, _ = v.im.at(m.vals, m.typ.Elem)
	if key.typ.size > 0 {
		key.b = key.b[uint64(i)*key.typ.size:]
	}
	if value.typ.size > 0 {
		value.b = value.b[uint64(i)*value.typ.size:]
	}
	key.id, value.id = 0, 0
	return key, value
}

// Int returns the value of a signed or unsigned integer.
func (v Value) Int() (int64, bool) {
	switch v.kind() {
	case reflect.Int8:
		return int64(int8(v.b[0])), true
	case reflect.Uint8:
		return int64(v.b[0]), true
	case reflect.Int16:
		return int64(int16(le.Uint16(v.b))), true
	case reflect.Uint16:
		return int64(le.Uint16(v.b)), true
	case reflect.Int32:
		return int64(int32(le.Uint32(v.b))), true
	case reflect.Uint32:
		return int64(le.Uint32(v.b)), true
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return int64(le.Uint64(v.b)), true
	}
	return 0, false
}

// Float returns the value of a float.
func (v Value) Float() (float64, bool) {
	switch v.kind() {
	case reflect.Float32:
		return float64(math.Float32frombits(le.Uint32(v.b))), true
	case reflect.Float64:
		return math.Float64frombits(le.Uint64(v.b)), true
	}
	return 0, false
}

// Bool returns the value of a bool.
func (v Value) Bool() (value, ok bool) {
	if v.kind() != reflect.Bool {
		return false, false
	}
	return v.b[0] == 1, true
}

// Text returns at most the first limit bytes of a string or byte slice.
func (v Value) Text(limit int) (string, bool) {
	k := v.kind()
	if k != reflect.String && (k != reflect.Slice || v.typ.Elem.Kind != reflect.Uint8) {
		return "", false
	}
	n := min(v.Len(), limit)
	if n == 0 {
		return "", true
	}
	w, _ := v.im.at(v.reference(0), v.im.bytes)
	if len(w.b) < n {
		return "", false
	}
	return string(w.b[:n]), true
}

// Func returns the name of the code of a function and its environment, if it
// has one.
func (v Value) Func() (code string, env Value) {
	if v.kind() != reflect.Func {
		return "", Value{}
	}
	tag, n := split(v.reference(0))
	if tag != tagFunc {
		return "", Value{}
	}
	f := v.im.funcs[n]
	if f.typ != nil {
		env, _ = v.im.at(f.env, f.typ.Elem)
	}
	return f.code, env
}

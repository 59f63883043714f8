package heap

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Some programs take the words of an interface apart, and keep them in a struct of their own, so
// that numbers need no allocation: an unsafe pointer to the description of a type, one that is the
// data word, and a number. What the data word leads to is told by the description beside it, as in
// an interface. A string, or a slice of bytes, may be kept without a header: then the data word
// leads to the bytes, and the number says how many there are.
//
//	type value struct {
//		typ unsafe.Pointer // Type of the Pointee
//		ptr unsafe.Pointer // Field
//		num uint64         // Count
//	}

// A teller says where the fields are that tell what an unsafe pointer leads to, as offsets from it.
type teller struct {
	typ, wireTyp     int
	count, wireCount int
	narrow           bool // the count has four bytes in memory
	counts           bool
}

// teller returns the one of a field of a struct, or nil.
func (pl *planner) teller(of reflect.Type, field string, p *plan) *teller {
	x, ok := pl.told[typeField{of, field}]
	if !ok {
		return nil
	}
	var t teller
	seen := 0
	index := func(name string) int {
		for i := range p.Fields {
			if p.Fields[i].Name == name {
				seen++
				return i
			}
		}
		return 0
	}
	from, typ := index(field), index(x.Type)
	offsets := func(i int) (memory, wire int) {
		return int(of.Field(i).Offset) - int(of.Field(from).Offset), int(p.Fields[i].off) - int(p.Fields[from].off)
	}
	t.typ, t.wireTyp = offsets(typ)
	isWord := of.Field(typ).Type.Kind() == reflect.UnsafePointer
	if x.Count == "" {
		if seen == 2 && isWord {
			return &t
		}
		return nil
	}
	count := index(x.Count)
	t.count, t.wireCount = offsets(count)
	t.counts, t.narrow = true, of.Field(count).Type.Size() == 4
	switch of.Field(count).Type.Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		if seen == 3 && isWord {
			return &t
		}
	}
	return nil
}

// number returns the count beside the pointer at q.
func (t *teller) number(q unsafe.Pointer) uint64 {
	if t.narrow {
		return uint64(*(*uint32)(unsafe.Add(q, t.count)))
	}
	return *(*uint64)(unsafe.Add(q, t.count))
}

// counted reports whether values of a type are kept without a header.
func (t *teller) counted(x *Type) bool {
	return t.counts && (x.Kind == reflect.String || x.Kind == reflect.Slice && x.Elem.Kind == reflect.Uint8)
}

// toldType returns the type of what the unsafe pointer at q leads to, or nil if that is not told.
func (w *walker) toldType(s *slot, q unsafe.Pointer) *plan {
	typ := *(*unsafe.Pointer)(unsafe.Add(q, s.teller.typ))
	if p := w.toldTypes[typ]; p != nil {
		return p
	}
	if !isDescriptor(typ) {
		return nil
	}
	if w.toldTypes == nil {
		w.toldTypes = make(map[unsafe.Pointer]*plan)
	}
	p := w.of(described(typ))
	w.toldTypes[typ] = p
	return p
}

// tell visits what an unsafe pointer x, found at q, leads to.
func (w *walker) tell(s *slot, x, q unsafe.Pointer) error {
	p := w.toldType(s, q)
	if p == nil {
		return w.word(&slot{op: opUnsafe, target: s.target}, x, q)
	}
	if _, err := w.findable(p, q); err != nil {
		return err
	}
	switch {
	case s.teller.counted(p.Type):
		n := s.teller.number(q)
		if n > maxSize {
			w.note(q)
			return &refusal{"unsafe.Pointer", fmt.Sprintf("it leads to a %s of length %d", typeText(p.rt), n)}
		}
		w.visit(x, w.toldBytes(p), int(n), bySlice, q)
		return nil
	case !p.direct && p.refuse != "":
		return w.refusal(p, q)
	case !p.direct:
		w.box(x, p, q)
		return nil
	}
	if only := p.only(); only != nil && !only.op.isTellable() {
		w.note(q)
		return &refusal{typeText(p.rt), "it is kept as an unsafe.Pointer"}
	}
	return w.single(p, x, q)
}

// isTellable reports whether a reference can be kept in an unsafe pointer. The others are remade,
// or looked up, when they are rebuilt.
func (o op) isTellable() bool {
	switch o {
	case opPointer, opObject, opMap, opChan, opFunc, opType, opBlank, opUnsafe:
		return true
	}
	return false
}

// toldBytes returns the plan of the bytes of a string or slice without a header.
func (w *walker) toldBytes(p *plan) *plan {
	if p.Kind == reflect.String {
		return w.bytes()
	}
	return p.elem
}

// tell returns the reference for an unsafe pointer.
func (e *encoder) tell(s *slot, x, q unsafe.Pointer) uint64 {
	p := e.toldType(s, q)
	switch {
	case p == nil:
		return e.word(&slot{op: opUnsafe}, x)
	case s.teller.counted(p.Type):
		if s.teller.number(q) == 0 {
			return reference(tagZero, 0)
		}
		return e.address(x, e.toldBytes(p))
	case !p.direct:
		return e.box(x, p)
	case p.only() == nil:
		return 0
	}
	return e.word(p.only(), x)
}

// checkTold checks a reference of an unsafe pointer as far as that can be done without the types of
// the program: what it leads to may be told by another field.
func (im *Image) checkTold(word uint64) bool {
	switch tag, n := split(word); tag {
	case tagObject:
		return n > 0 && n <= im.objects
	case tagZero:
		return n == 0
	case tagMap:
		return n < uint64(len(im.maps))
	case tagChan:
		return n < uint64(len(im.chans))
	case tagFunc:
		return n < uint64(len(im.funcs))
	}
	return false
}

// tell returns the pointer for a reference that stands in an object at an offset.
func (b *builder) tell(s *slot, object []byte) (unsafe.Pointer, error) {
	word := b.reference(object[s.wire:])
	at := func(off int) []byte { return object[int(s.wire)+off:] }
	tag, n := split(b.reference(at(s.teller.wireTyp)))
	if word == 0 || tag != tagType {
		return b.word(&slot{op: opUnsafe}, word)
	}
	t, p := b.Image.types[n], b.plans[n]
	switch {
	case s.teller.counted(t):
		bytes, n := b.Image.bytes, le.Uint64(at(s.teller.wireCount))
		if t.Kind == reflect.Slice {
			bytes = t.Elem
		}
		if n == 0 && word == reference(tagZero, 0) {
			return b.zero, nil
		}
		if n == 0 || bytes == nil {
			return nil, fmt.Errorf("a %s of length %d is %#x", t, n, word)
		}
		if err := b.checkPointer(word, bytes, n, false); err != nil {
			return nil, err
		}
		return b.pointer(word), nil
	case !t.inWord():
		if err := b.checkPointer(word, t, 1, true); err != nil {
			return nil, err
		}
		return b.pointer(word), nil
	}
	if err := b.checkWord(&t.wireSlots()[0], word); err != nil {
		return nil, err
	}
	only := p.only()
	if only == nil || !only.op.isTellable() {
		return nil, fmt.Errorf("an unsafe.Pointer is a %s", t)
	}
	return b.word(only, word)
}

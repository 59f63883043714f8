package heap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/ckpgen/ckpgen/hugepages"
)

// An encoder turns the objects of a walk into the bytes of an image.
type encoder struct {
	now int64 // on the clock of timers
	*walker
	names     []named
	grouped   []*regionList // of each group
	boxed     []uint32      // of the regions of w.boxes: those of lists
	groups    []group
	interiors []interior
	inner     []uint32                  // index of interiors + 1, by hash
	overflow  bool                      // something does not fit into short words
	err       error                     // a reference that the image can't express
	gone      map[unsafe.Pointer]uint64 // numbers of weak pointers to what is not saved
	apart     bool                      // blocks are kept apart
	blocks    []found
	total     uint64 // bytes of all objects
}

var le = binary.LittleEndian

// number gives each object its number and place.
func (e *encoder) number() {
	for i := range e.objects {
		if o := &e.objects[i]; o.named == 0 {
			o.region = e.lists.add(e.lists.list(o.plan, o.count, false), uintptr(o.ptr), o.count)
		}
	}
	e.boxed = make([]uint32, e.boxes.n)
	for i := range e.boxed {
		r := e.boxes.at(i)
		e.boxed[i] = e.lists.add(e.lists.list(r.plan, r.count, true), uintptr(r.ptr), r.count)
	}
	first := uint64(1)
	order := e.lists.order
	if e.apart {
		order = e.lists.blocksLast()
	}
	for _, k := range order {
		if n := e.lists.number(k, first); n > 0 {
			e.grouped = append(e.grouped, k)
			e.groups = append(e.groups, group{typ: k.plan.Type, n: n, box: k.box, text: k.plan.text, first: first, block: e.apart && k.blocky})
			first += n
		}
	}
	e.overflow = first >= 1<<shortBits
}

// encode writes all objects.
func (e *encoder) encode() error {
	for i, k := range e.grouped {
		g := &e.groups[i]
		e.measure(k, g)
		if g.block {
			e.found(k)
			continue
		}
		if err := e.objectsOf(k, g); err != nil {
			return err
		}
		e.total = roundUp(e.total+g.size(), 8)
	}
	return nil
}

// measure sets the number of elements of the objects of a group, and makes room for them.
func (e *encoder) measure(k *regionList, g *group) {
	g.count = 1
	total := g.n
	if k.many {
		total, g.count = k.total()
		if g.count == 0 && !g.text {
			g.start = make([]uint64, 1, g.n+1)
			at := uint64(0)
			e.lists.each(k, func(b *batch, i int) {
				at += uint64(b.count(i))
				g.start = append(g.start, at)
			})
		}
		g.list = k
	}
	if e.drafted(k) || g.block {
		return
	}
	if k.plan.bulk {
		g.data = unzeroed(int(total * k.plan.size))
		return
	}
	g.data = hugepages.Bytes(make([]byte, total*k.plan.size))
}

// unzeroed returns memory that is to be overwritten. To clear it first would take as long as to
// fill it.
func unzeroed(n int) []byte {
	if n == 0 {
		return nil
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	return hugepages.Bytes(unsafe.Slice(unsafe.StringData(b.String()), n))
}

// clone returns a copy.
func clone(src []byte) []byte {
	dst := unzeroed(len(src))
	copy(dst, src)
	return dst
}

// drafted reports whether objects of a list have been written, as drafts.
func (e *encoder) drafted(k *regionList) bool {
	return len(k.drafts) > 0 && (k.plan.text || e.drafts(k))
}

func (e *encoder) objectsOf(k *regionList, g *group) error {
	p, dst := k.plan, g.data
	if e.drafted(k) {
		return e.finish(k, g)
	}
	for _, b := range k.batches {
		for i, ptr := range b.ptrs {
			if ptr == 0 {
				continue
			}
			n := p.size * uint64(b.count(i))
			if err := e.written(dst[:n:n], address(ptr), p); err != nil {
				return e.wrong(b, i, err)
			}
			dst = dst[n:]
		}
	}
	return nil
}

const spoilt = ", which only package unsafe, or a data race, can have made of it"

// wrong returns the error for an object that can't be written.
func (e *encoder) wrong(b *batch, i int, err error) error {
	var not *notBool
	switch {
	case !errors.As(err, &not):
		return fmt.Errorf("a %s: %w", b.list.plan.Type, err)
	case e.tracing:
		return &UnsupportedError{Path: e.pathOf(b, i), Type: typeText(b.list.plan.rt), Why: not.Error() + spoilt}
	}
	return &refusal{typeText(b.list.plan.rt), not.Error() + spoilt}
}

// object writes values of a type, one after the other.
func (e *encoder) object(dst []byte, src unsafe.Pointer, p *plan) error {
	all := dst
	if p.bulk {
		copy(dst, unsafe.Slice((*byte)(src), len(dst)))
	} else {
		for {
			if err := e.value(dst, src, p); err != nil {
				return err
			}
			if uint64(len(dst)) <= p.size {
				break
			}
			dst, src = dst[p.size:], unsafe.Add(src, p.native)
		}
	}
	return checkBools(p.Type, all)
}

func (e *encoder) value(dst []byte, src unsafe.Pointer, p *plan) error {
	if len(p.locks) > 0 {
		for _, m := range p.moves {
			copyUnseen(dst[m.wire:m.wire+m.len], unsafe.Add(src, m.off))
		}
	} else {
		for i := range p.moves {
			p.moves[i].encode(dst, src)
		}
	}
	for i := range p.leaves {
		p.leaves[i].encode(dst, src)
	}
	if len(p.slots) > 0 {
		if err := e.slots(dst, src, p.slots); err != nil {
			return err
		}
	}
	for _, t := range p.times {
		encodeTime(dst[t.wire:], (*time.Time)(unsafe.Add(src, t.off)))
	}
	for _, l := range p.locks {
		encodeLock(dst[l.wire:], l.target.rt, unsafe.Add(src, l.off))
	}
	return nil
}

func (m *move) encode(dst []byte, src unsafe.Pointer) {
	d, q := dst[m.wire:m.wire+m.len], unsafe.Add(src, m.off)
	if m.len == 8 {
		*(*[8]byte)(d) = *(*[8]byte)(q)
		return
	}
	copy(d, unsafe.Slice((*byte)(q), m.len))
}

func (m *move) decode(dst unsafe.Pointer, src []byte) {
	d, q := unsafe.Add(dst, m.off), src[m.wire:m.wire+m.len]
	if m.len == 8 {
		*(*[8]byte)(d) = *(*[8]byte)(q)
		return
	}
	copy(unsafe.Slice((*byte)(d), m.len), q)
}

// put writes a reference, and length a length.
func (e *encoder) put(d []byte, x uint64) { putReference(d, e.planner.word, x) }

func (e *encoder) length(d []byte, n uint64) {
	e.overflow = e.overflow || n>>32 != 0
	putNumber(d, e.planner.word, n)
}

// encodeTime writes the first two words of a time without the reading of the
// monotonic clock, which means nothing in another process.
func encodeTime(dst []byte, t *time.Time) {
	plain := t.Round(0)
	w := (*struct {
		wall uint64
		ext  int64
	})(unsafe.Pointer(&plain))
	le.PutUint64(dst, w.wall)
	le.PutUint64(dst[8:], uint64(w.ext))
}

func (e *encoder) slots(dst []byte, src unsafe.Pointer, slots []slot) error {
	word := e.planner.word
	for i := range slots {
		s := &slots[i]
		q, d := unsafe.Add(src, s.off), dst[s.wire:]
		switch s.op {
		case opPointer, opObject:
			if x := *(*unsafe.Pointer)(q); x != nil {
				e.put(d, e.address(x, s.target))
			}
		case opString:
			x := *(*string)(q)
			if len(x) > 0 {
				e.put(d, e.address(unsafe.Pointer(unsafe.StringData(x)), e.bytes()))
				e.length(d[word:], uint64(len(x)))
			}
		case opSlice:
			x := (*sliceHeader)(q)
			if x.data == nil {
				if x.cap != 0 || x.len != 0 {
					return fmt.Errorf("a slice of length %d and capacity %d is at nil", x.len, x.cap)
				}
				continue
			}
			if x.len < 0 || x.len > x.cap {
				return fmt.Errorf("a slice of length %d has capacity %d", x.len, x.cap)
			}
			to := reference(tagZero, 0)
			if x.cap > 0 {
				to = e.address(x.data, s.target)
			}
			e.put(d, to)
			e.length(d[word:], uint64(x.len))
			e.length(d[2*word:], uint64(x.cap))
		case opArray:
			for i := range s.n {
				if i > 0 {
					q, d = unsafe.Add(q, s.target.native), d[s.target.size:]
				}
				if err := e.value(d, q, s.target); err != nil {
					return err
				}
			}
		case opInterface:
			x := (*words)(q)
			if x.typ == nil {
				continue
			}
			dyn := e.known(x.typ)
			to := uint64(0)
			switch {
			case !dyn.direct:
				to = e.box(x.data, dyn)
			case x.data != nil:
				to = e.word(dyn.only(), x.data)
			}
			e.length(d, uint64(dyn.ID)+1)
			e.put(d[word:], to)
		case opSyncMap:
			if x := e.syncs[q]; x != nil {
				e.put(d, reference(tagMap, uint64(e.maps[x].number)))
			}
		case opIterator:
			if x := e.iterations[q]; x != nil {
				e.put(d, e.address(unsafe.Pointer(x), s.target.elem))
			}
		case opTimer:
			e.timer(d, s, q)
		case opFile:
			e.file(d, q)
		case opRefuse: // zero
		case opProcess, opFrames: // its fields are written as those of others
		default:
			if x := *(*unsafe.Pointer)(q); x != nil {
				to := uint64(0)
				switch s.op {
				case opTold:
					to = e.tell(s, x, q)
				case opReflect:
					r := reflectionAt(q)
					if uint64(r.flag)&flagKinds != uint64(r.kind()) {
						return fmt.Errorf("a reflect.Value of %s has the flags %#x", described(r.typ), r.flag)
					}
					to = e.reflected(x, q)
				default:
					to = e.word(s, x)
				}
				e.put(d, to)
			}
		}
	}
	return nil
}

// box returns the reference for a value behind an interface.
func (e *encoder) box(x unsafe.Pointer, p *plan) uint64 {
	count, p := p.flatCount, p.flatElem
	if p.native == 0 || count == 0 {
		return reference(tagZero, 0)
	}
	if c, _ := e.cell(uintptr(x), cellBox); c != nil {
		for r := *c & cellNumber; r != 0; r = e.lists.after(r) {
			if b, i := e.lists.at(r - 1); b.ptrs[i] == uintptr(x) && b.list.plan == p && b.count(i) == count {
				return reference(tagObject, b.numberOf(i))
			}
		}
	}
	return e.region(e.boxed[e.boxes.find(x, p)])
}

// region returns the reference for a region of a list.
func (e *encoder) region(number uint32) uint64 {
	b, i := e.lists.at(number)
	return reference(tagObject, b.numberOf(i))
}

// address returns the reference for a pointer to a value of a type.
func (e *encoder) address(x unsafe.Pointer, target *plan) uint64 {
	if target.native == 0 {
		return reference(tagZero, 0)
	}
	if c, begins := e.cell(uintptr(x), cellMemory); c != nil && *c&cellTable == 0 {
		v := *c
		if b, i := e.lists.at(v - 1); begins && v&cellInside == 0 {
			return reference(tagObject, b.numberOf(i))
		}
		b, i, ok := e.lists.find(v, uintptr(x))
		if !ok {
			panic(fmt.Sprintf("heap: a %s was not visited", target.Type))
		}
		return e.inside(reference(tagObject, b.numberOf(i)), b.list.plan, uintptr(x)-b.ptrs[i])
	}
	if x == zeroSized {
		if p := e.voids[voidKind{target.flatElem, target.flatCount}]; p != nil {
			return e.address(p, target)
		}
	}
	target = target.flatElem
	i := e.mem.find(x, target)
	if i < 0 { // part of a region that was in a list at first
		return e.into(into(e.objects, x), x)
	}
	r := e.mem.at(i)
	if r.plan == nil {
		if et, _ := e.names[r.count].typ.Elem.flat(); !sameMemory(et, target.Type) && e.err == nil {
			e.err = fmt.Errorf("a pointer to %s leads to %s, of type %s", target.Type, e.names[r.count].name, et)
		}
		return reference(tagNamed, uint64(r.count))
	}
	return e.into(&e.objects[e.owner[i]], x)
}

// into returns the reference for a pointer into an object.
func (e *encoder) into(o *object, x unsafe.Pointer) uint64 {
	base := reference(tagNamed, uint64(o.named-1))
	if o.named == 0 {
		base = e.region(o.region)
	}
	return e.inside(base, o.plan, uintptr(x)-uintptr(o.ptr))
}

// inside returns the reference for an offset in an object of elements p.
func (e *encoder) inside(base uint64, p *plan, off uintptr) uint64 {
	if off == 0 {
		return base
	}
	in := interior{base, e.wireOffset(p, off)}
	if len(e.interiors)*2 >= len(e.inner) {
		e.inner = make([]uint32, max(256, 2*len(e.inner)))
		for i := range e.interiors {
			*e.place(e.interiors[i]) = uint32(i + 1)
		}
	}
	at := e.place(in)
	if *at == 0 {
		e.interiors = append(e.interiors, in)
		*at = uint32(len(e.interiors))
		e.overflow = e.overflow || len(e.interiors) >= 1<<shortBits
	}
	return reference(tagInterior, uint64(*at-1))
}

// place finds an interior pointer in the hash table, or where it is to be put.
func (e *encoder) place(in interior) *uint32 {
	mask := uint64(len(e.inner) - 1)
	h := (in.base*0x9e3779b97f4a7c15 ^ in.off) * 0x9e3779b97f4a7c15
	for i := h >> 32 & mask; ; i = (i + 1) & mask {
		if n := e.inner[i]; n == 0 || e.interiors[n-1] == in {
			return &e.inner[i]
		}
	}
}

// word returns the reference for the pointer x in a slot of one word.
func (e *encoder) word(s *slot, x unsafe.Pointer) uint64 {
	switch s.op {
	case opPointer, opObject:
		return e.address(x, s.target)
	case opHandle:
		return e.address(x, s.target.elem)
	case opWeak:
		return e.weak(s, x)
	case opMap:
		m := e.maps[x]
		e.expect(s, m.named, m.plan)
		if m.named != 0 {
			return reference(tagNamed, uint64(m.named-1))
		}
		return reference(tagMap, uint64(m.number))
	case opChan:
		c := e.chans[x]
		e.expect(s, c.named, c.plan)
		if c.named != 0 {
			return reference(tagNamed, uint64(c.named-1))
		}
		return reference(tagChan, uint64(c.number))
	case opFunc, opCode:
		return reference(tagFunc, uint64(e.funcs[x]))
	case opType:
		return reference(tagType, uint64(e.of(described(x)).ID))
	case opBlank:
		if isDescriptor(x) {
			return reference(tagType, uint64(e.of(described(x)).ID))
		}
		return e.address(x, s.target)
	case opUnsafe:
		if x == zerobase() {
			return reference(tagZero, 0)
		}
		if isDescriptor(x) {
			return reference(tagType, uint64(e.of(described(x)).ID))
		}
		o, found := e.walker.into(x)
		if word, ok := e.headed(x); !found && ok {
			return word
		}
		return e.into(&o, x)
	}
	panic(fmt.Sprintf("heap: slot of kind %d has a pointer", s.op))
}

// expect makes sure that a map or channel is of the type that the place says where it was found.
func (e *encoder) expect(s *slot, named int, p *plan) {
	if s.target == nil || p != nil && p.Type == s.target.Type || e.err != nil {
		return
	}
	var t *Type
	if named != 0 {
		t = e.names[named-1].typ
	} else {
		t = p.Type
	}
	want := s.target.Type
	if t.Kind == reflect.Chan && want.Kind == reflect.Chan && named == 0 {
		t, want = t.Elem, want.Elem
		if sameUnnamed(t, want, 0) {
			return
		}
	} else if sameMemory(t, want) {
		return
	}
	e.err = fmt.Errorf("a %s is also used as a %s", t, s.target.Type)
}

// encode converts numbers of one kind.
func (l *scalar) encode(dst []byte, src unsafe.Pointer) {
	q, d := unsafe.Add(src, uintptr(l.off)), dst[l.wire:]
	if e := l.elem; e != nil {
		for i := range l.n {
			d, q := d[uint64(i)*e.size:], unsafe.Add(q, uintptr(i)*e.native)
			for k := range e.moves {
				e.moves[k].encode(d, q)
			}
			for k := range e.leaves {
				e.leaves[k].encode(d, q)
			}
		}
		return
	}
	for i := range l.n {
		if i > 0 {
			q = unsafe.Add(q, uintptr(l.step))
		}
		switch l.kind {
		case reflect.Bool, reflect.Int8, reflect.Uint8:
			d[i] = *(*byte)(q)
		case reflect.Int16, reflect.Uint16:
			le.PutUint16(d[2*i:], *(*uint16)(q))
		case reflect.Int32, reflect.Uint32, reflect.Float32:
			le.PutUint32(d[4*i:], *(*uint32)(q))
		case reflect.Int64, reflect.Uint64, reflect.Float64:
			le.PutUint64(d[8*i:], *(*uint64)(q))
		case reflect.Int:
			le.PutUint64(d[8*i:], uint64(int64(*(*int)(q))))
		case reflect.Uint, reflect.Uintptr:
			le.PutUint64(d[8*i:], uint64(*(*uint)(q)))
		case reflect.Complex64:
			c := *(*[2]uint32)(q)
			le.PutUint32(d[8*i:], c[0])
			le.PutUint32(d[8*i+4:], c[1])
		case reflect.Complex128:
			c := *(*[2]uint64)(q)
			le.PutUint64(d[16*i:], c[0])
			le.PutUint64(d[16*i+8:], c[1])
		}
	}
}

// decode is the reverse; it reports a number that does not fit.
func (l *scalar) decode(dst unsafe.Pointer, src []byte) error {
	q, d := unsafe.Add(dst, uintptr(l.off)), src[l.wire:]
	if e := l.elem; e != nil {
		for i := range l.n {
			at := uint64(i) * e.size
			d, q := d[at:], unsafe.Add(q, uintptr(i)*e.native)
			for k := range e.moves {
				e.moves[k].decode(q, d)
			}
			for k := range e.leaves {
				if err := e.leaves[k].decode(q, d); err != nil {
					return within(err, l.wire+at)
				}
			}
		}
		return nil
	}
	for i := range l.n {
		if i > 0 {
			q = unsafe.Add(q, uintptr(l.step))
		}
		switch l.kind {
		case reflect.Bool, reflect.Int8, reflect.Uint8:
			*(*byte)(q) = d[i]
		case reflect.Int16, reflect.Uint16:
			*(*uint16)(q) = le.Uint16(d[2*i:])
		case reflect.Int32, reflect.Uint32, reflect.Float32:
			*(*uint32)(q) = le.Uint32(d[4*i:])
		case reflect.Int64, reflect.Uint64, reflect.Float64:
			*(*uint64)(q) = le.Uint64(d[8*i:])
		case reflect.Int:
			v := int64(le.Uint64(d[8*i:]))
			if v > math.MaxInt || v < math.MinInt {
				return &overflow{l.wire + uint64(8*i), strconv.FormatInt(v, 10), l.kind}
			}
			*(*int)(q) = int(v)
		case reflect.Uint, reflect.Uintptr:
			v := le.Uint64(d[8*i:])
			if v > math.MaxUint {
				return &overflow{l.wire + uint64(8*i), strconv.FormatUint(v, 10), l.kind}
			}
			*(*uint)(q) = uint(v)
		case reflect.Complex64:
			*(*[2]uint32)(q) = [2]uint32{le.Uint32(d[8*i:]), le.Uint32(d[8*i+4:])}
		case reflect.Complex128:
			*(*[2]uint64)(q) = [2]uint64{le.Uint64(d[16*i:]), le.Uint64(d[16*i+8:])}
		}
	}
	return nil
}

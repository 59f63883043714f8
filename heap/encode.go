package heap

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"time"
	"unsafe"
)

// An encoder turns the objects of a walk into the bytes of an image.
type encoder struct {
	now int64 // on the clock of timers
	*walker
	objects   []object
	owner     []uint32 // region -> object
	boxed     []object // of the regions of w.boxes
	groups    []group
	interiors []interior
	inner     map[interior]uint64
	heap      []byte
	last      uint64 // number of the last object
}

var le = binary.LittleEndian

// number gives each object its number and place.
func (e *encoder) number() {
	type key struct {
		plan  *plan
		count int
		box   bool
	}
	index := make(map[key]int)
	var last key
	lastGroup := -1
	groupOf := func(o *object, box bool) int {
		k := key{o.plan, o.count, box}
		if lastGroup >= 0 && k == last {
			return lastGroup
		}
		g, ok := index[k]
		if !ok {
			g = len(e.groups)
			index[k] = g
			e.groups = append(e.groups, group{typ: o.plan.Type, count: uint64(o.count), box: box})
		}
		last, lastGroup = k, g
		return g
	}
	each := func(f func(o *object, box bool)) {
		for i := range e.objects {
			if e.objects[i].named == 0 {
				f(&e.objects[i], false)
			}
		}
		for i := range e.boxed {
			f(&e.boxed[i], true)
		}
	}
	each(func(o *object, box bool) { e.groups[groupOf(o, box)].n++ })
	number, off := uint64(1), uint64(0)
	next := make([]uint64, len(e.groups))
	for i := range e.groups {
		g := &e.groups[i]
		g.first, g.off = number, off
		next[i] = number
		number += g.n
		off = roundUp(off+g.n*g.stride(), 8)
	}
	each(func(o *object, box bool) {
		g := groupOf(o, box)
		o.number = next[g]
		next[g]++
	})
	e.heap = make([]byte, off)
	e.last = number - 1
}

// encode writes all objects.
func (e *encoder) encode() error {
	groups := make(map[*Type]map[[2]uint64]*group)
	for i := range e.groups {
		g := &e.groups[i]
		if groups[g.typ] == nil {
			groups[g.typ] = make(map[[2]uint64]*group)
		}
		box := uint64(0)
		if g.box {
			box = 1
		}
		groups[g.typ][[2]uint64{g.count, box}] = g
	}
	do := func(list []object, box uint64) error {
		var g *group
		for i := range list {
			o := &list[i]
			if o.named != 0 {
				continue
			}
			if g == nil || g.typ != o.plan.Type || g.count != uint64(o.count) {
				g = groups[o.plan.Type][[2]uint64{uint64(o.count), box}]
			}
			at := g.off + (o.number-g.first)*g.stride()
			if err := e.object(e.heap[at:at+g.stride()], o); err != nil {
				return err
			}
		}
		return nil
	}
	if err := do(e.objects, 0); err != nil {
		return err
	}
	return do(e.boxed, 1)
}

func (e *encoder) object(dst []byte, o *object) error {
	p := o.plan
	switch {
	case !p.same:
	case len(p.locks) > 0 || len(p.clear) > 0:
		copyUnseen(dst, o.ptr)
	default:
		copy(dst, unsafe.Slice((*byte)(o.ptr), len(dst)))
	}
	if p.same && len(p.slots) == 0 && len(p.clear) == 0 && len(p.times) == 0 && len(p.locks) == 0 {
		return nil
	}
	src := o.ptr
	for i := range o.count {
		if i > 0 {
			src = unsafe.Add(src, p.native)
			dst = dst[p.size:]
		}
		for _, c := range p.clear {
			clear(dst[c.off : c.off+c.len])
		}
		for i := range p.leaves {
			p.leaves[i].encode(dst, src)
		}
		for _, t := range p.times {
			encodeTime(dst[t.wire:], (*time.Time)(unsafe.Add(src, t.off)))
		}
		for _, l := range p.locks {
			encodeLock(dst[l.wire:], l.target.rt, unsafe.Add(src, l.off))
		}
		if err := e.slots(dst, src, p.slots); err != nil {
			return err
		}
	}
	return nil
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
	for i := range slots {
		s := &slots[i]
		q, d := unsafe.Add(src, s.off), dst[s.wire:]
		switch s.op {
		case opString:
			x := *(*string)(q)
			word := uint64(0)
			if len(x) > 0 {
				word = e.address(unsafe.Pointer(unsafe.StringData(x)), e.bytes())
			}
			le.PutUint64(d, word)
			le.PutUint64(d[8:], uint64(len(x)))
		case opSlice:
			x := (*sliceHeader)(q)
			word := uint64(0)
			if x.data != nil {
				word = reference(tagZero, 0)
				if x.cap > 0 {
					word = e.address(x.data, s.target)
				}
			}
			le.PutUint64(d, word)
			le.PutUint64(d[8:], uint64(x.len))
			le.PutUint64(d[16:], uint64(x.cap))
		case opArray:
			for i := range s.n {
				if i > 0 {
					q, d = unsafe.Add(q, s.target.native), d[s.target.size:]
				}
				if err := e.slots(d, q, s.target.slots); err != nil {
					return err
				}
			}
		case opInterface:
			x := (*words)(q)
			if x.typ == nil {
				le.PutUint64(d, 0)
				le.PutUint64(d[8:], 0)
				continue
			}
			dyn := e.dynamic[x.typ]
			word := uint64(0)
			switch {
			case !dyn.direct:
				word = e.box(x.data, dyn)
			case x.data != nil:
				word = e.word(dyn.only(), x.data)
			}
			le.PutUint64(d, uint64(dyn.ID)+1)
			le.PutUint64(d[8:], word)
		case opSyncMap:
			word := uint64(0)
			if x := e.syncs[q]; x != nil {
				word = reference(tagMap, uint64(e.maps[x].number))
			}
			le.PutUint64(d, word)
		case opTimer:
			e.timer(d, s, q)
		case opFile:
			e.file(d, q)
		case opRefuse: // zero
			clear(d[:s.target.size])
		default:
			word := uint64(0)
			if x := *(*unsafe.Pointer)(q); x != nil {
				if s.op == opReflect {
					word = e.reflected(x, q)
				} else {
					word = e.word(s, x)
				}
			}
			le.PutUint64(d, word)
		}
	}
	return nil
}

// box returns the reference for a value behind an interface.
func (e *encoder) box(x unsafe.Pointer, p *plan) uint64 {
	if p.flatElem.native == 0 || p.flatCount == 0 {
		return reference(tagZero, 0)
	}
	return reference(tagObject, e.boxed[e.boxes.find(x, p.flatElem)].number)
}

// address returns the reference for a pointer to a value of a type.
func (e *encoder) address(x unsafe.Pointer, target *plan) uint64 {
	if target.native == 0 {
		return reference(tagZero, 0)
	}
	target = target.flatElem
	i := e.mem.find(x, target)
	r := e.mem.at(i)
	if r.plan == nil {
		return reference(tagNamed, uint64(r.count))
	}
	return e.inside(&e.objects[e.owner[i]], x)
}

// inside returns the reference for a pointer into an object.
func (e *encoder) inside(o *object, x unsafe.Pointer) uint64 {
	base := reference(tagObject, o.number)
	if o.named != 0 {
		base = reference(tagNamed, uint64(o.named-1))
	}
	if x == o.ptr {
		return base
	}
	in := interior{base, e.wireOffset(o.plan, uintptr(x)-uintptr(o.ptr))}
	n, ok := e.inner[in]
	if !ok {
		n = uint64(len(e.interiors))
		e.inner[in] = n
		e.interiors = append(e.interiors, in)
	}
	return reference(tagInterior, n)
}

// word returns the reference for the pointer x in a slot of one word.
func (e *encoder) word(s *slot, x unsafe.Pointer) uint64 {
	switch s.op {
	case opPointer:
		return e.address(x, s.target)
	case opMap:
		m := e.maps[x]
		if m.named != 0 {
			return reference(tagNamed, uint64(m.named-1))
		}
		return reference(tagMap, uint64(m.number))
	case opChan:
		c := e.chans[x]
		if c.named != 0 {
			return reference(tagNamed, uint64(c.named-1))
		}
		return reference(tagChan, uint64(c.number))
	case opFunc:
		return reference(tagFunc, uint64(e.funcs[x]))
	case opType:
		return reference(tagType, uint64(e.of(described(x)).ID))
	case opUnsafe:
		return e.inside(into(e.objects, x), x)
	}
	panic(fmt.Sprintf("heap: slot of kind %d has a pointer", s.op))
}

// encode converts numbers of one kind.
func (l *scalar) encode(dst []byte, src unsafe.Pointer) {
	q, d := unsafe.Add(src, uintptr(l.off)), dst[l.wire:]
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
				return fmt.Errorf("%s: %d does not fit into an int of this machine", l.name, v)
			}
			*(*int)(q) = int(v)
		case reflect.Uint, reflect.Uintptr:
			v := le.Uint64(d[8*i:])
			if v > math.MaxUint {
				return fmt.Errorf("%s: %d does not fit into a uint of this machine", l.name, v)
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

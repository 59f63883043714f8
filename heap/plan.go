package heap

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// A plan is a type of the running program, compiled once: where in its values
// the references are, natively and in the image, and how to get from one
// layout to the other. The walks below run on plans; they use package reflect
// for maps only.
type plan struct {
	*Type  // the layout in the image
	rt     reflect.Type
	native uintptr // size in memory
	slots  []slot
	plain  []span   // bytes outside references, when same
	leaves []scalar // numbers, when not same
	clear  []span   // bytes that are not saved: zero in the image
	same   bool     // memory and image have the same layout and byte order
	direct bool     // kept in the data word of an interface, not behind it
	refuse string   // why values other than zero can't be saved
	elem   *plan    // what a pointer, slice, map, channel leads to
	key    *plan    // of map
	times  []slot   // values of type time.Time: the monotonic clock of a process is not saved
	locks  []slot   // locks of package sync; target is the type

	flatElem  *plan // elements of the innermost array, or the plan itself
	flatCount int
}

// A slot is a place in a value that holds a reference.
type slot struct {
	op     op
	off    uintptr // in memory
	wire   uint64  // in the image
	n      int     // of opArray
	target *plan   // as in wireSlot; for opRefuse the type refused

	pointee *plan // of opUnsafe, if it is known
}

// A span is a range of bytes, at the same place in memory and image.
type span struct{ off, len uintptr }

// A scalar is a run of n numbers whose size or byte order differ.
type scalar struct {
	kind      reflect.Kind
	off, wire uint64
	n         int
	step      uint64 // in memory
	name      string // for messages
}

// A planner compiles types. It belongs to one capture or rebuild.
type planner struct {
	plans  map[reflect.Type]*plan
	types  []*Type
	failed error

	transient map[string]map[string]bool // fields that are left out, by type
	pointees  map[typeField]reflect.Type
}

// newPlanner returns a planner that leaves out the transient fields, each written as path of the
// package, type and field, with dots between them.
func newPlanner(transient []string) *planner {
	pl := &planner{plans: make(map[reflect.Type]*plan), transient: make(map[string]map[string]bool)}
	for _, name := range transient {
		if dot := strings.LastIndexByte(name, '.'); dot > 0 {
			if pl.transient[name[:dot]] == nil {
				pl.transient[name[:dot]] = make(map[string]bool)
			}
			pl.transient[name[:dot]][name[dot+1:]] = true
		}
	}
	return pl
}

var littleEndian = func() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}()

var typeOfByte = reflect.TypeFor[byte]()

// of returns the plan of a type.
func (pl *planner) of(rt reflect.Type) *plan {
	if p := pl.plans[rt]; p != nil {
		return p
	}
	var made []*plan
	p := pl.declare(rt, &made)
	for i := 0; i < len(made); i++ { // grows: all types reachable
		pl.link(made[i], &made)
	}
	for _, q := range made {
		if err := q.Type.layout(); err != nil && pl.failed == nil {
			pl.failed = err
		}
	}
	for _, q := range made {
		pl.compile(q)
	}
	return p
}

// declare makes a plan without contents.
func (pl *planner) declare(rt reflect.Type, made *[]*plan) *plan {
	if p := pl.plans[rt]; p != nil {
		return p
	}
	t := &Type{ID: len(pl.types), Kind: rt.Kind()}
	if rt.Name() != "" || rt.Kind() == reflect.Func || rt.Kind() == reflect.Interface {
		t.Name = typeText(rt)
	}
	p := &plan{Type: t, rt: rt, native: rt.Size(), flatCount: 1}
	p.flatElem = p
	pl.types = append(pl.types, t)
	pl.plans[rt] = p
	*made = append(*made, p)
	return p
}

// link fills in the parts of a type.
func (pl *planner) link(p *plan, made *[]*plan) {
	rt, t := p.rt, p.Type
	if to := pl.pointees[typeField{rt, ""}]; to != nil {
		pl.declare(to, made)
	}
	switch rt.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan, reflect.Map:
		p.elem = pl.declare(rt.Elem(), made)
		t.Elem = p.elem.Type
		switch rt.Kind() {
		case reflect.Array:
			t.Len = rt.Len()
		case reflect.Chan:
			t.Dir = rt.ChanDir()
		case reflect.Map:
			p.key = pl.declare(rt.Key(), made)
			t.Key = p.key.Type
			pl.declare(reflect.SliceOf(rt.Key()), made)
			pl.declare(reflect.SliceOf(rt.Elem()), made)
		}
	case reflect.Struct:
		if refused(rt) != "" {
			t.opaque = true
			return
		}
		if isTimer(rt) {
			pl.linkTimer(p, made)
			return
		}
		if isFile(rt) {
			pl.linkFile(p, made)
			return
		}
		if rt == typeOfSyncMap {
			p.elem = pl.declare(typeOfEntries, made)
			t.Fields = []Field{{Name: "entries", Type: p.elem.Type}}
			return
		}
		t.Fields = make([]Field, rt.NumField())
		for i := range t.Fields {
			f := rt.Field(i)
			if to := pl.pointees[typeField{rt, f.Name}]; to != nil {
				pl.declare(to, made)
			}
			t.Fields[i] = Field{Name: f.Name, Embedded: f.Anonymous, pkg: f.PkgPath, tag: string(f.Tag), Type: pl.declare(fieldType(rt, f), made).Type}
		}
	}
}

// compile fills in slots and conversions of a plan whose parts are laid out.
func (pl *planner) compile(p *plan) {
	e, n := p, 1
	for e.rt.Kind() == reflect.Array {
		n *= e.rt.Len()
		e = pl.plans[e.rt.Elem()]
	}
	p.flatElem, p.flatCount = e, n
	p.refuse = refused(p.rt)
	p.same = littleEndian && pl.sameLayout(p.rt)
	p.direct = isDirect(p.rt)
	if p.size == 0 && p.native == 0 {
		return
	}
	p.slots = pl.appendSlots(nil, p, 0, 0, "")
	if p.same {
		at := uintptr(0)
		for _, s := range p.slots {
			if s.off > at {
				p.plain = append(p.plain, span{at, s.off - at})
			}
			at = s.off + slotSize(s)
		}
		if at < p.native {
			p.plain = append(p.plain, span{at, p.native - at})
		}
	} else {
		p.leaves = pl.appendLeaves(nil, p.rt, 0, 0, "")
	}
	p.clear = pl.clears(p.rt, p.Type)
	isTime := func(rt reflect.Type) bool { return rt == typeOfTime }
	p.times = pl.appendValues(nil, p, 0, 0, isTime)
	p.locks = pl.appendValues(nil, p, 0, 0, isLock)
}

func slotSize(s slot) uintptr {
	switch s.op {
	case opString, opInterface:
		return 2 * unsafe.Sizeof(uintptr(0))
	case opSlice:
		return 3 * unsafe.Sizeof(uintptr(0))
	case opArray:
		return uintptr(s.n) * s.target.native
	case opRefuse:
		return s.target.native
	case opSyncMap:
		return typeOfSyncMap.Size()
	case opTimer, opFile:
		return s.target.native
	}
	return unsafe.Sizeof(uintptr(0))
}

// sameLayout reports whether values have the same layout in memory as in the
// image.
func (pl *planner) sameLayout(rt reflect.Type) bool {
	t := pl.plans[rt].Type
	if uint64(rt.Size()) != t.size {
		return false
	}
	switch rt.Kind() {
	case reflect.Array:
		return pl.sameLayout(rt.Elem())
	case reflect.Struct:
		if t.opaque || translated(rt) {
			return false
		}
		for i := range t.Fields {
			f := rt.Field(i)
			if uint64(f.Offset) != t.Fields[i].off || !pl.sameLayout(fieldType(rt, f)) {
				return false
			}
		}
	}
	return true
}

func (pl *planner) appendSlots(s []slot, p *plan, off uintptr, wire uint64, field string) []slot {
	if p.refuse == "" {
		p.refuse = refused(p.rt)
	}
	if p.refuse != "" {
		if p.native == 0 {
			return s
		}
		return append(s, slot{op: opRefuse, off: off, wire: wire, target: p})
	}
	one := func(o op, target *plan) []slot {
		return append(s, slot{op: o, off: off, wire: wire, target: target})
	}
	switch p.rt.Kind() {
	case reflect.Pointer:
		if isTypeDescriptor(p.elem.Name) {
			return one(opType, p)
		}
		if !isDirect(p.rt) { // its type is marked so by the runtime, or an incomplete one of C
			p.refuse = "it leads to memory that is not in Go's heap"
			return one(opRefuse, p)
		}
		return one(opPointer, p.elem)
	case reflect.String:
		return one(opString, p)
	case reflect.Slice:
		return one(opSlice, p.elem)
	case reflect.Interface:
		return one(opInterface, p)
	case reflect.Map:
		return one(opMap, p)
	case reflect.Chan:
		return one(opChan, p)
	case reflect.Func:
		return one(opFunc, p)
	case reflect.UnsafePointer:
		return append(s, slot{op: opUnsafe, off: off, wire: wire, target: p, pointee: pl.pointee(p.rt, "")})
	case reflect.Array:
		if len(pl.appendSlots(nil, p.elem, 0, 0, field)) == 0 {
			return s
		}
		if p.Len > 8 {
			return append(s, slot{op: opArray, off: off, wire: wire, n: p.Len, target: p.elem})
		}
		for i := range p.Len {
			s = pl.appendSlots(s, p.elem, off+uintptr(i)*p.elem.native, wire+uint64(i)*p.elem.size, field)
		}
	case reflect.Struct:
		if p.rt == typeOfSyncMap {
			return one(opSyncMap, p.elem)
		}
		if isTimer(p.rt) {
			return one(opTimer, p)
		}
		if isFile(p.rt) {
			return one(opFile, p)
		}
		keep := pl.kept(p.rt)
		for i := range p.Fields {
			f := p.rt.Field(i)
			if p.Name == reflectValue && f.Type.Kind() == reflect.UnsafePointer {
				s = append(s, slot{op: opReflect, off: off + f.Offset, wire: wire + p.Fields[i].off})
				continue
			}
			if keep == nil || keep(f.Name) {
				n := len(s)
				s = pl.appendSlots(s, pl.plans[fieldType(p.rt, f)], off+f.Offset, wire+p.Fields[i].off, f.Name)
				if to := pl.pointee(p.rt, f.Name); to != nil && len(s) == n+1 && s[n].op == opUnsafe {
					s[n].pointee = to
				}
			}
		}
	}
	return s
}

func (pl *planner) appendLeaves(s []scalar, rt reflect.Type, off, wire uint64, name string) []scalar {
	t := pl.plans[rt].Type
	switch rt.Kind() {
	case reflect.Struct:
		if translated(rt) {
			return s
		}
		keep := pl.kept(rt)
		for i := range t.Fields {
			f := rt.Field(i)
			if keep == nil || keep(f.Name) {
				s = pl.appendLeaves(s, fieldType(rt, f), off+uint64(f.Offset), wire+t.Fields[i].off, name+"."+f.Name)
			}
		}
	case reflect.Array:
		if rt.Len() == 0 {
			return s
		}
		one := pl.appendLeaves(nil, rt.Elem(), off, wire, name+"[]")
		if len(one) == 1 && one[0].n == 1 {
			one[0].n, one[0].step = rt.Len(), uint64(rt.Elem().Size())
			return append(s, one[0])
		}
		for i := range rt.Len() {
			for _, l := range one {
				l.off += uint64(i) * uint64(rt.Elem().Size())
				l.wire += uint64(i) * t.Elem.size
				s = append(s, l)
			}
		}
	default:
		if !t.refs {
			s = append(s, scalar{kind: rt.Kind(), off: off, wire: wire, n: 1, step: uint64(rt.Size()), name: name})
		}
	}
	return s
}

// wireOffset translates an offset in an object of elements p.
func (pl *planner) wireOffset(p *plan, off uintptr) uint64 {
	if p.same || p.native == 0 {
		return uint64(off)
	}
	w := uint64(off/p.native) * p.size
	off %= p.native
	if isTimer(p.rt) || isFile(p.rt) {
		return w // nothing but the field C of a timer can be referred to
	}
	switch p.rt.Kind() {
	case reflect.Array:
		return w + pl.wireOffset(p.elem, off)
	case reflect.Struct:
		for i := len(p.Fields) - 1; i >= 0; i-- {
			f := p.rt.Field(i)
			if off >= f.Offset && off < f.Offset+f.Type.Size() {
				return w + p.Fields[i].off + pl.wireOffset(pl.plans[fieldType(p.rt, f)], off-f.Offset)
			}
		}
	}
	return w
}

// nativeOffset translates an offset in the image of an object of elements p.
func (pl *planner) nativeOffset(p *plan, off uint64) uintptr {
	if p.same || p.size == 0 {
		return uintptr(off)
	}
	w := uintptr(off/p.size) * p.native
	off %= p.size
	if isTimer(p.rt) || isFile(p.rt) {
		return w
	}
	switch p.rt.Kind() {
	case reflect.Array:
		return w + pl.nativeOffset(p.elem, off)
	case reflect.Struct:
		for i := len(p.Fields) - 1; i >= 0; i-- {
			g := p.Fields[i]
			if off >= g.off && off < g.off+g.Type.size {
				f := p.rt.Field(i)
				return w + f.Offset + pl.nativeOffset(pl.plans[fieldType(p.rt, f)], off-g.off)
			}
		}
	}
	return w
}

// isDirect reports whether an interface keeps values of the type in its data
// word. The data word of a zero value tells: it is nil, or it is an address.
func isDirect(rt reflect.Type) bool {
	if rt.Kind() == reflect.Interface || rt.Size() != unsafe.Sizeof(uintptr(0)) {
		return false
	}
	v := reflect.Zero(rt).Interface()
	return (*words)(unsafe.Pointer(&v)).data == nil
}

// words is an interface value.
type words struct{ typ, data unsafe.Pointer }

// descriptor returns the runtime's description of a type.
func descriptor(rt reflect.Type) unsafe.Pointer {
	return (*words)(unsafe.Pointer(&rt)).data
}

// described returns the type that a description is of.
func described(p unsafe.Pointer) reflect.Type {
	rt := typeOfByte
	(*words)(unsafe.Pointer(&rt)).data = p
	return rt
}

func (p *plan) String() string { return fmt.Sprintf("plan of %s", p.rt) }

// genericOf returns the name without type arguments.
func genericOf(rt reflect.Type) string {
	name := rt.Name()
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	return rt.PkgPath() + "." + name
}

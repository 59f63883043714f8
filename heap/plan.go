package heap

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
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
	moves  []move   // bytes outside references that are the same in memory and image
	leaves []scalar // other numbers
	clear  []span   // bytes that are not saved: zero in the image
	same   bool     // memory and image have the same layout and byte order
	bulk   bool     // and all of it is saved as it is
	direct bool     // kept in the data word of an interface, not behind it
	refuse string   // why values other than zero can't be saved
	head   bool     // its address may be that of a larger struct
	part   bool     // it is, if its allocation is larger
	field  bool     // it may be that of a later field
	wide   bool     // its address may be that of what is only its beginning
	punned bool     // its address may be that of a struct of another type
	first  bool     // its address may be that of the first of several values
	hiding bool     // several may be memory with references
	elem   *plan    // what a pointer, slice, map, channel leads to
	key    *plan    // of map
	times  []slot   // values of type time.Time: the monotonic clock of a process is not saved
	locks  []slot   // locks of package sync; target is the type

	conversions []conversion // of a struct of system calls that this machine has another form of

	flatElem  *plan // elements of the innermost array, or the plan itself
	flatCount int

	text  bool           // the bytes of strings
	view  bool           // it may be a view of another value: see header
	lists [5]*regionList // of regions: single or many, boxes or not; blocks
}

// A slot is a place in a value that holds a reference.
type slot struct {
	op     op
	off    uintptr // in memory
	wire   uint64  // in the image
	n      int     // of opArray; of opWords 1 if it is a fraction; of opInterface as countBefore returns it
	target *plan   // as in wireSlot; for opRefuse the type refused

	pointee *pointee // of opUnsafe, and of opSlice and opArray if these have such elements: what they lead to, if it is known
	teller  *teller  // of opTold
}

// A span is a range of bytes, at the same place in memory and image.
type span struct{ off, len uintptr }

// A move is a range of bytes, in memory and in the image.
type move struct {
	off  uintptr
	wire uint64
	len  uint64
}

// A scalar is a run of n numbers whose size or byte order differ, or of n structs of several
// numbers, each of which is gone through by its own plan.
type scalar struct {
	kind      reflect.Kind
	off, wire uint64
	n         int
	step      uint64 // in memory
	elem      *plan  // of the structs, or nil
}

// A planner compiles types. It belongs to one capture or rebuild.
type planner struct {
	plans  map[reflect.Type]*plan
	types  []*Type
	word   uint64 // size of a reference in the image
	failed error

	transient          map[string]map[string]bool     // fields that are left out, by type
	foreign            map[reflect.Type]*Type         // structs of system calls whose form in the image is that of another machine
	fills              map[reflect.Type]map[int]*Type // blank fields that have another length in the image, by number: see isFill
	otherWords         bool                           // words of package math/big are of another size in the image
	pointees           map[typeField][]reflect.Type
	leads              map[typeField][]string  // names of these, until they are looked for
	templates          map[genericField]string // see instances.go
	owners             map[string][]ownedField // by the names of generic structs
	heads, parts, wide []string
	punned             []string
	firstTypes, hiding map[string]bool
	several            map[any]bool // a typeField or a genericField
	told               map[typeField]Pointee
	iterators          map[reflect.Type]bool // structs that packages use as iterators over maps
}

// newPlanner returns a planner that leaves out the transient fields, each written as path of the
// package, type and field, with dots between them.
func newPlanner(transient []string, word uint64) *planner {
	pl := &planner{word: word, plans: make(map[reflect.Type]*plan), transient: make(map[string]map[string]bool)}
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
		if err := q.Type.layout(pl.word); err != nil && pl.failed == nil {
			pl.failed = err
		}
	}
	for _, q := range made {
		pl.compile(q)
	}
	return p
}

// widen lays all types out again, with long words.
func (pl *planner) widen() {
	pl.word = longWord
	for _, t := range pl.types {
		t.state, t.size, t.align, t.depth, t.refs, t.single, t.slots, t.slotted = 0, 0, 0, 0, false, false, nil, false
	}
	for _, t := range pl.types {
		if err := t.layout(pl.word); err != nil && pl.failed == nil {
			pl.failed = err
		}
	}
	for _, p := range pl.plans {
		pl.compile(p)
	}
}

// declare makes a plan without contents.
func (pl *planner) declare(rt reflect.Type, made *[]*plan) *plan {
	if p := pl.plans[rt]; p != nil {
		return p
	}
	t := pl.foreign[rt]
	if t != nil {
		p := &plan{Type: t, rt: rt, native: rt.Size(), flatCount: 1, conversions: foreign(t, rt)}
		p.flatElem = p
		pl.plans[rt] = p
		*made = append(*made, p)
		return p
	}
	t = &Type{ID: len(pl.types), Kind: rt.Kind()}
	if rt.Name() != "" || rt.Kind() == reflect.Func || rt.Kind() == reflect.Interface {
		t.Name = typeText(rt)
	}
	t.narrow = t.isWord() && strconv.IntSize == 32
	p := &plan{Type: t, rt: rt, native: rt.Size(), flatCount: 1}
	switch {
	case rt.Kind() == reflect.Struct && rt.Name() != "":
		name := genericOf(rt)
		p.head, p.part, p.wide = slices.Contains(pl.heads, name), slices.Contains(pl.parts, name), slices.Contains(pl.wide, name)
		p.punned = slices.Contains(pl.punned, name)
	case len(pl.heads) > 0 && rt.Name() != "":
		name := rt.Name()
		if rt.PkgPath() != "" {
			name = genericOf(rt)
		}
		p.head, p.part = slices.Contains(pl.heads, name), slices.Contains(pl.parts, name)
		if rt.PkgPath() == "" && rt.Kind() != reflect.String {
			p.part, p.field = false, p.part // as pointers to int are nearly always something else
		}
	case len(pl.heads) > 0:
		w := typeWriter{generic: true}
		name := w.text(rt)
		p.head, p.part = slices.Contains(pl.heads, name), slices.Contains(pl.parts, name)
	}
	p.first = isFirst(pl.firstTypes, rt)
	p.hiding = isFirst(pl.hiding, elementOf(rt))
	p.flatElem = p
	pl.types = append(pl.types, t)
	pl.plans[rt] = p
	*made = append(*made, p)
	return p
}

// link fills in the parts of a type.
func (pl *planner) link(p *plan, made *[]*plan) {
	rt, t := p.rt, p.Type
	if p.conversions != nil {
		return
	}
	for _, to := range pl.leadsTo(rt, "") {
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
	case reflect.Func:
		if !isMade(rt) {
			return
		}
		t.made = &signature{variadic: rt.IsVariadic()}
		for in := range rt.Ins() {
			t.made.in = append(t.made.in, pl.declare(in, made).Type)
		}
		for out := range rt.Outs() {
			t.made.out = append(t.made.out, pl.declare(out, made).Type)
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
		if pl.iterates(rt) {
			p.elem = pl.declare(typeOfIteration, made)
			t.Fields = []Field{{Name: iterationField, pkg: typeOfIteration.PkgPath(), Type: pl.declare(reflect.PointerTo(typeOfIteration), made).Type}}
			return
		}
		if isWeak(rt) {
			p.elem = pl.declare(weakTarget(rt).Elem(), made)
		}
		if isHandle(rt) {
			p.elem = pl.declare(rt.Field(0).Type.Elem(), made)
		}
		if isSyncMap(rt) {
			p.elem = pl.declare(typeOfEntries, made)
			t.Fields = []Field{{Name: "entries", Type: p.elem.Type}}
			return
		}
		t.Fields = make([]Field, rt.NumField())
		for i := range t.Fields {
			f := rt.Field(i)
			for _, to := range pl.leadsTo(rt, f.Name) {
				pl.declare(to, made)
			}
			t.Fields[i] = Field{Name: f.Name, Embedded: f.Anonymous, pkg: f.PkgPath, tag: string(f.Tag), Type: pl.declare(fieldType(rt, f), made).Type}
			if fill := pl.fills[rt][i]; fill != nil {
				t.Fields[i].Type = fill
			}
		}
		if machine := boundTo(t.Name); machine != "" && len(t.Fields) > 0 {
			t.Fields[0].tag = machine
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
	array := p.rt.Kind() == reflect.Array
	if array && len(p.slots) == 0 {
		return // objects are no arrays: what follows is that of its elements
	}
	p.moves, p.leaves = movable(pl.appendLeaves(nil, p.rt, 0, 0))
	if !array {
		p.clear = pl.clears(p.rt, p.Type)
		isTime := func(rt reflect.Type) bool { return isA(rt, typeOfTime) }
		p.times = pl.appendValues(nil, p, 0, 0, isTime)
		p.locks = pl.appendValues(nil, p, 0, 0, isLock)
	}
	p.bulk = p.same && len(p.slots) == 0 && len(p.clear) == 0 && len(p.times) == 0 && len(p.locks) == 0
	p.view = p.Type.isView()
	for i := range p.slots {
		s := &p.slots[i]
		if t := s.target; s.op == opPointer && t.native > 0 && refused(t.rt) == "" && !isFile(t.rt) && t.rt.Kind() != reflect.Array && !t.Type.isView() &&
			(t.rt.Kind() != reflect.Pointer || isDirect(t.rt)) && !t.wide && !t.first {
			s.op = opObject
		}
	}
}

// movable makes moves of the numbers that have the same bytes in memory and image.
func movable(all []scalar) (moves []move, rest []scalar) {
	for _, l := range all {
		size := scalarSize(l.kind)
		whole := l.step == size || l.n == 1
		if l.elem != nil || !whole || size != 1 && !littleEndian || unsafe.Sizeof(uintptr(0)) != 8 && (l.kind == reflect.Int || l.kind == reflect.Uint || l.kind == reflect.Uintptr) {
			rest = append(rest, l)
			continue
		}
		m := move{uintptr(l.off), l.wire, size * uint64(l.n)}
		if n := len(moves); n > 0 {
			last := &moves[n-1]
			if gap := uint64(m.off - last.off); gap == m.wire-last.wire && gap == last.len {
				last.len = gap + m.len
				continue
			}
		}
		moves = append(moves, m)
	}
	return moves, rest
}

// scalarSize returns the size of a number in the image.
func scalarSize(k reflect.Kind) uint64 {
	switch k {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return 1
	case reflect.Int16, reflect.Uint16:
		return 2
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return 4
	case reflect.Complex128:
		return 16
	}
	return 8
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
		if t.opaque || pl.translated(rt) {
			return false
		}
		for i := range t.Fields {
			f := rt.Field(i)
			if pl.fills[rt][i] != nil || uint64(f.Offset) != t.Fields[i].off || !pl.sameLayout(fieldType(rt, f)) {
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
		if isCode(p.elem.Name) {
			return one(opCode, p)
		}
		if !isDirect(p.rt) { // its type is marked so by the runtime, or an incomplete one of C
			p.refuse = "it leads to memory that is not in Go's heap"
			return one(opRefuse, p)
		}
		if pl.otherWords && p.leadsToWords() {
			return one(opWords, p)
		}
		if p.elem.isBlank() {
			return one(opBlank, p.elem)
		}
		return one(opPointer, p.elem)
	case reflect.String:
		return one(opString, p)
	case reflect.Slice:
		if pl.otherWords && p.leadsToWords() {
			return one(opWords, p)
		}
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
		if isSyncMap(p.rt) {
			return one(opSyncMap, p.elem)
		}
		if isTimer(p.rt) {
			return one(opTimer, p)
		}
		if pl.iterates(p.rt) {
			return one(opIterator, p)
		}
		if isFile(p.rt) {
			return one(opFile, p)
		}
		if isWeak(p.rt) {
			return one(opWeak, p)
		}
		if isHandle(p.rt) {
			return one(opHandle, p)
		}
		if p.conversions != nil {
			return one(opConvert, p)
		}
		if p.rt == typeOfProcess {
			s = one(opProcess, p)
		}
		if p.rt == typeOfFrames && p.refuse == "" {
			s = one(opFrames, p)
		}
		keep := pl.kept(p.rt)
		for i := range p.Fields {
			f := p.rt.Field(i)
			if f.Type.Kind() == reflect.UnsafePointer && p.isReflection() {
				s = append(s, slot{op: opReflect, off: off + f.Offset, wire: wire + p.Fields[i].off})
				continue
			}
			if keep == nil || keep(f.Name) {
				n := len(s)
				s = pl.appendSlots(s, pl.plans[fieldType(p.rt, f)], off+f.Offset, wire+p.Fields[i].off, f.Name)
				if countBefore(p.Type, i) > 0 {
					s[n].n = int(f.Offset - p.rt.Field(i-1).Offset)
				}
				if len(s) == n+1 && s[n].op == opWords && isFraction(p.rt, f.Name) {
					s[n].n = 1
				}
				if to := pl.pointee(p.rt, f.Name); to != nil && isUnsafe(f.Type) {
					for i := n; i < len(s); i++ {
						s[i].pointee = to
					}
				}
				if t := pl.teller(p.rt, f.Name, p); t != nil && len(s) == n+1 && s[n].op == opUnsafe {
					s[n].op, s[n].teller = opTold, t
				}
			}
		}
	}
	return s
}

// asArray reports whether an array within a value is gone through element by element.
func (pl *planner) asArray(p *plan) bool {
	return p.Len > 8 && len(pl.appendSlots(nil, p.elem, 0, 0, "")) > 0
}

func (pl *planner) appendLeaves(s []scalar, rt reflect.Type, off, wire uint64) []scalar {
	t := pl.plans[rt].Type
	switch rt.Kind() {
	case reflect.Struct:
		if pl.translated(rt) {
			return s
		}
		keep := pl.kept(rt)
		for i := range t.Fields {
			f := rt.Field(i)
			if (keep == nil || keep(f.Name)) && pl.fills[rt][i] == nil {
				s = pl.appendLeaves(s, fieldType(rt, f), off+uint64(f.Offset), wire+t.Fields[i].off)
			}
		}
	case reflect.Array:
		if rt.Len() == 0 || pl.asArray(pl.plans[rt]) {
			return s
		}
		if l, ok := pl.structs(pl.plans[rt], off, wire); ok {
			return append(s, l)
		}
		one := pl.appendLeaves(nil, rt.Elem(), off, wire)
		if len(one) == 1 && one[0].n == 1 && scalarSize(one[0].kind) == t.Elem.size { // the numbers follow each other in the image
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
			s = append(s, scalar{kind: rt.Kind(), off: off, wire: wire, n: 1, step: uint64(rt.Size())})
		}
	}
	return s
}

// structs returns an array of more than a few structs as one run, so that a plan is no longer for a
// larger array. There is none if other things than numbers are in them.
func (pl *planner) structs(p *plan, off, wire uint64) (l scalar, ok bool) {
	e, n := p, 1
	for e.rt.Kind() == reflect.Array {
		n *= e.Len
		e = pl.plans[e.rt.Elem()]
	}
	if n <= 8 || e.rt.Kind() != reflect.Struct || len(pl.appendSlots(nil, e, 0, 0, "")) > 0 || len(pl.appendValues(nil, e, 0, 0, isLock)) > 0 {
		return l, false
	}
	if moves, rest := movable(pl.appendLeaves(nil, e.rt, 0, 0)); len(rest) == 0 && len(moves) == 1 && moves[0] == (move{len: uint64(e.native)}) && e.size == moves[0].len {
		return scalar{kind: reflect.Uint8, off: off, wire: wire, n: n * int(e.size), step: 1}, true // bytes
	}
	return scalar{off: off, wire: wire, n: n, elem: e}, true
}

// word is the size of a word, in bytes.
const word = unsafe.Sizeof(uintptr(0))

// wireOffset translates an offset in an object of elements p.
func (pl *planner) wireOffset(p *plan, off uintptr) uint64 {
	if p.same || p.native == 0 {
		return uint64(off)
	}
	w := uint64(off/p.native) * p.size
	off %= p.native
	if pl.restated(p.rt) {
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
	case reflect.String, reflect.Slice, reflect.Interface: // a program can have the address of a later word
		w += uint64(off/word) * p.word
		if off %= word; uint64(off) < p.word {
			w += uint64(off)
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
	if pl.restated(p.rt) {
		return w
	}
	if p.conversions != nil {
		return w + p.converted(off)
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
	case reflect.String, reflect.Slice, reflect.Interface:
		w += uintptr(off/p.word) * word
		if off %= p.word; uintptr(off) < word {
			w += uintptr(off)
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

func (p *plan) String() string { return fmt.Sprintf("plan of %s", p.rt) }

// genericOf returns the name without type arguments.
func genericOf(rt reflect.Type) string {
	name := nameOf(rt)
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	return rt.PkgPath() + "." + name
}

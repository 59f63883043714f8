package heap

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/ckpgen/ckpgen/hugepages"
)

// Rebuild fills the variables with what the image holds. The roots are matched by name; those of
// the image and of the program must be the same, and so must their types: otherwise the error is a
// *TypeChangedError, but for what [Options].Missing allows. After an error the variables must not
// be used, except that a *TypeChangedError is found before anything is changed. Nothing outside of
// the process is changed before all else has succeeded: see [Options].Later.
func (im *Image) Rebuild(roots []Root, opt Options) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("heap: rebuild failed: %v", e)
		}
	}()
	defer restCollector()()
	b := &builder{Image: im, planner: newPlanner(opt.Transient, im.word), matcher: newMatcher(), finder: newFinder(), recast: opt.Recast, files: make(map[unsafe.Pointer]*reopened), kept: opt.Files, copies: make(map[string]string)}
	defer func() {
		if err != nil {
			b.closeFiles()
		}
	}()
	b.planner.setPointees(opt.Pointees)
	b.planner.iterators = iteratorTypes(opt.Iterators)
	b.planner.foreign, b.planner.fills, b.planner.otherWords = b.matcher.foreign, b.matcher.fills, im.otherWords()
	if b.planner.otherWords {
		b.findWords()
	}
	b.finder.limit = im.size + 2<<20 // few have no value
	for _, step := range []func() error{
		im.turned,
		func() error { return b.bindRoots(roots, opt.Missing) },
		func() error { return b.bindNames(slices.Concat(opt.Named, reservedMemory(mappings()))) },
		b.bindDynamic, b.bindRest, b.allocate, b.makeFuncs, b.fill, b.remake, b.insert, b.copyReceivers,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	runtime.KeepAlive(roots)
	arm := func() error {
		if err := b.cut(); err != nil {
			return err
		}
		for _, f := range b.arm {
			f()
		}
		return nil
	}
	if opt.Later == nil {
		return arm()
	}
	opt.Later(arm)
	return nil
}

// A builder makes the objects of an image.
type builder struct {
	*Image
	*planner
	*matcher
	finder *finder

	receivers []func() error // copy those of method values, and the like

	vars      []unsafe.Pointer // root variables, as im.roots
	names     []unsafe.Pointer // what names are bound to
	plans     []*plan          // of types, by id; nil if no object has it
	ptrs      []unsafe.Pointer // of objects, by number
	maps      []reflect.Value
	chans     []reflect.Value
	funcs     []unsafe.Pointer
	ftype     []reflect.Type // of funcs with environment
	recast    []reflect.Type // see Options
	syncs     []syncMap
	iterators []rebuiltIterator
	zero      unsafe.Pointer
	timers    map[unsafe.Pointer]bool       // those that were made
	arm       []func()                      // sets them
	files     map[unsafe.Pointer]*reopened  // by os.file
	kept      []string                      // further names of files
	copies    map[string]string             // of files that are put back, by where they are to be
	single    map[uint64]bool               // words of package math/big that are numbers by themselves
	words     map[wordSlice][]uint          // slices that were converted
	iface     map[[2]uintptr]unsafe.Pointer // (interface type, dynamic type) -> type word

	handles []remaking                // package unique is to be asked for
	gone    map[uint64]unsafe.Pointer // words of weak pointers to what is gone, by number
}

func (b *builder) bindRoots(roots []Root, missing *[]string) error {
	byName := make(map[string]reflect.Value)
	for _, r := range roots {
		v := reflect.ValueOf(r.Ptr)
		if v.Kind() != reflect.Pointer || v.IsNil() {
			return fmt.Errorf("heap: root %s: Ptr must be a non-nil pointer to the variable, not %T", r.Name, r.Ptr)
		}
		if _, ok := byName[r.Name]; ok {
			return fmt.Errorf("heap: two roots are named %s; give each variable its own name", r.Name)
		}
		byName[r.Name] = v
	}
	for _, r := range b.Image.roots {
		v, ok := byName[r.name]
		if !ok && missing != nil {
			if rt, err := b.finder.find(r.typ); err == nil {
				v, ok = reflect.New(rt), true // nothing leads to it
				*missing = append(*missing, r.name)
			}
		}
		if !ok {
			return &TypeChangedError{Type: r.name, Was: "a variable of type " + r.typ.String(), Is: "no such variable"}
		}
		delete(byName, r.name)
		if err := b.match(r.typ, v.Type().Elem()); err != nil {
			return fmt.Errorf("variable %s: %w", r.name, err)
		}
		b.vars = append(b.vars, v.UnsafePointer())
	}
	for _, r := range roots {
		if v, ok := byName[r.Name]; ok && missing == nil {
			return &TypeChangedError{Type: r.Name, Was: "no such variable", Is: "a variable of type " + typeText(v.Type().Elem())}
		}
	}
	return nil
}

func (b *builder) bindNames(vars []Root) error {
	byName := make(map[string]reflect.Value)
	for _, r := range vars {
		v := reflect.ValueOf(r.Ptr)
		if v.Kind() != reflect.Pointer || v.IsNil() {
			return fmt.Errorf("heap: named variable %s: Ptr must be a non-nil pointer to the variable, not %T", r.Name, r.Ptr)
		}
		byName[r.Name] = v
	}
	used := b.namesUsed()
	b.names = make([]unsafe.Pointer, len(b.Image.names))
	for i, n := range b.Image.names {
		v, ok := byName[n.name]
		switch {
		case !used[i]:
		case !ok:
			return &TypeChangedError{Type: n.name, Was: "a value that is bound by this name", Is: "no such name"}
		case n.variable:
			if err := b.match(n.typ, v.Type().Elem()); err != nil {
				return fmt.Errorf("variable %s: %w", n.name, err)
			}
			b.names[i] = v.UnsafePointer()
		default:
			p, t := holds(v.Elem())
			if p == nil {
				return &TypeChangedError{Type: n.name, Was: "a " + n.typ.String(), Is: "nil"}
			}
			if err := b.match(n.typ, t); err != nil {
				return fmt.Errorf("value of %s: %w", n.name, err)
			}
			b.names[i] = p
		}
	}
	return nil
}

// namesUsed tells which names something refers to.
func (im *Image) namesUsed() []bool {
	used := make([]bool, len(im.names))
	if len(used) == 0 {
		return used
	}
	note := func(word uint64) {
		if tag, n := split(word); tag == tagNamed {
			used[n] = true
		}
	}
	for _, in := range im.interiors {
		note(in.base)
	}
	for _, f := range im.funcs { // a receiver that only a method value has
		note(f.env)
	}
	im.eachWord(func(_ op, _ *Type, word uint64) { note(word) })
	return used
}

// bindDynamic finds the types of values in interfaces by their names.
func (b *builder) bindDynamic() error {
	for _, t := range b.Image.types {
		if !t.dynamic || b.bound[t] != nil {
			continue
		}
		rt, err := b.finder.find(t)
		if err == nil {
			err = b.match(t, rt)
		}
		if err != nil {
			return fmt.Errorf("heap: a value in an interface: %w", err)
		}
	}
	return nil
}

// bindRest makes the plans of all types that objects have.
func (b *builder) bindRest() error {
	b.plans = make([]*plan, len(b.Image.types))
	need := func(t *Type) error {
		if b.plans[t.ID] != nil {
			return nil
		}
		rt := b.bound[t]
		if rt == nil {
			var err error
			if rt, err = b.finder.find(t); err == nil {
				err = b.match(t, rt)
			}
			if err != nil {
				return err
			}
		}
		p := b.of(rt)
		if p.size != t.size || p.align != t.align {
			return &TypeChangedError{Type: t.String(), Was: fmt.Sprint(t.size, " bytes"), Is: fmt.Sprint(p.size, " bytes")}
		}
		b.plans[t.ID] = p
		return nil
	}
	for i := range b.groups {
		if err := need(b.groups[i].typ); err != nil {
			return err
		}
		if err := b.groups[i].typ.unbound(); err != nil {
			return err
		}
	}
	for _, m := range b.Image.maps {
		if err := need(m.typ); err != nil {
			return err
		}
	}
	for _, c := range b.Image.chans {
		if err := need(c.elem); err != nil {
			return err
		}
	}
	for _, t := range b.Image.types {
		if t.dynamic {
			if err := need(t); err != nil {
				return err
			}
		}
	}
	return b.failed
}

// allocate makes all objects, maps and channels, each by its true type, so that
// the garbage collector knows where their pointers are.
func (b *builder) allocate() error {
	b.ptrs = make([]unsafe.Pointer, b.objects+1)
	b.timers = make(map[unsafe.Pointer]bool)
	b.zero = zerobase()
	for i, r := range b.Image.roots {
		if tag, n := split(r.at); tag == tagObject && b.ptrs[n] == nil {
			g := b.groupOf(n)
			t, count := r.typ.flat()
			if g.elements(n-g.first) == count && g.typ.size == t.size {
				b.ptrs[n] = b.vars[i]
			}
		}
	}
	total := 0
	for i := range b.groups {
		if g := &b.groups[i]; len(g.data) > 0 {
			total += len(g.data) / int(g.typ.size) * int(b.plans[g.typ.ID].native)
		}
	}
	hugepages.Reserve(total)
	for i := range b.groups {
		if err := b.allocateGroup(&b.groups[i]); err != nil {
			return err
		}
	}
	for i, r := range b.Image.roots {
		if tag, _ := split(r.at); tag != tagZero && b.pointer(r.at) != b.vars[i] {
			return &TypeChangedError{Type: r.name, Was: "a part of another variable", Is: "a variable of its own"}
		}
	}
	b.maps = make([]reflect.Value, len(b.Image.maps))
	iterated := b.iterated()
	for i, m := range b.Image.maps {
		n := int(m.n)
		if iterated[uint64(i)] {
			n = max(n, wideMap)
		}
		b.maps[i] = reflect.MakeMapWithSize(b.plans[m.typ.ID].rt, n)
	}
	b.chans = make([]reflect.Value, len(b.Image.chans))
	for i, c := range b.Image.chans {
		if tag, n := split(c.buffer); tag == tagObject && c.cap == 0 {
			if !b.timers[b.ptrs[n]] || b.plans[c.elem.ID].rt != typeOfTime {
				return damaged(secChans, "channel %d is not that of a timer", i)
			}
			b.chans[i] = reflect.ValueOf(*(*chan time.Time)(b.ptrs[n]))
			continue
		}
		if c.cap > math.MaxInt {
			return &OverflowError{Path: "a channel", Type: "chan " + c.elem.String(), Value: fmt.Sprint("a capacity of ", c.cap)}
		}
		b.chans[i] = reflect.MakeChan(reflect.ChanOf(reflect.BothDir, b.plans[c.elem.ID].rt), int(c.cap))
	}
	return nil
}

// allocateGroup makes the objects of a group.
func (b *builder) allocateGroup(g *group) error {
	p := b.plans[g.typ.ID]
	if uint64(len(g.data))/g.typ.size > math.MaxInt/uint64(p.native) {
		return b.located(&overflow{0, fmt.Sprintf("a length of %d bytes", len(g.data)), reflect.Slice}, g.first)
	}
	if g.text {
		b.allocateText(g)
		return nil
	}
	special := isTimer(p.rt) || isFile(p.rt)
	typ := descriptor(p.rt)
	ptrs := b.ptrs[g.first : g.first+g.n]
	for k := range ptrs {
		if ptrs[k] != nil {
			continue // a variable
		}
		n := g.elements(uint64(k))
		if special && n == 1 {
			made := isTimer(p.rt) && b.makeTimer(g, uint64(k))
			if isFile(p.rt) {
				var err error
				if made, err = b.makeFile(g, uint64(k)); err != nil {
					return err
				}
			}
			if made {
				continue
			}
		}
		if n == 1 {
			ptrs[k] = newObject(typ)
		} else {
			ptrs[k] = newArray(typ, int(n))
		}
	}
	return nil
}

// textBlock is how many bytes of short strings share an allocation, and live as long as any of
// them.
const textBlock = 256

// allocateText makes the bytes of strings.
func (b *builder) allocateText(g *group) {
	var room []byte
	for k := range g.n {
		d := g.at(k)
		if len(d) > textBlock/4 {
			b.ptrs[g.first+k] = unsafe.Pointer(unsafe.SliceData(append([]byte(nil), d...)))
			continue
		}
		if len(d) > len(room) {
			room = make([]byte, textBlock)
		}
		copy(room, d)
		b.ptrs[g.first+k] = unsafe.Pointer(unsafe.SliceData(room))
		room = room[len(d):]
	}
}

// newObject and newArray are what reflect.New and reflect.MakeSlice come down to.
//
//go:linkname newObject reflect.unsafe_New
func newObject(typ unsafe.Pointer) unsafe.Pointer

//go:linkname newArray reflect.unsafe_NewArray
func newArray(typ unsafe.Pointer, n int) unsafe.Pointer

// pointerAt returns the address that a reference to memory in a value stands for.
func (b *builder) pointerAt(d []byte) unsafe.Pointer {
	if b.Image.word == shortWord {
		if n := le.Uint32(d); n>>shortBits == tagObject {
			return b.ptrs[n]
		}
	}
	return b.pointer(b.reference(d))
}

// pointer returns the address that a reference to memory stands for.
func (b *builder) pointer(word uint64) unsafe.Pointer {
	tag, n := split(word)
	switch tag {
	case tagObject:
		return b.ptrs[n] // ptrs[0] is nil
	case tagInterior:
		in := b.interiors[n]
		tag, n := split(in.base)
		if tag == tagNamed {
			return unsafe.Add(b.names[n], b.nativeOffset(b.of(b.bound[b.Image.names[n].typ]), in.off))
		}
		return unsafe.Add(b.ptrs[n], b.nativeOffset(b.plans[b.groupOf(n).typ.ID], in.off))
	case tagNamed:
		return b.names[n]
	}
	return b.zero
}

func (b *builder) makeFuncs() error {
	b.funcs = make([]unsafe.Pointer, len(b.Image.funcs))
	b.ftype = make([]reflect.Type, len(b.Image.funcs))
	for i, f := range b.Image.funcs {
		r, method := receiverOf(f.code), f.isMethodValue() && !b.bound[f.typ].Implements(typeOfRemade)
		if method && r.pt != b.bound[f.typ] {
			return &TypeChangedError{Type: f.code, Was: "a method of " + f.typ.String(), Is: "something else"}
		}
		if x, err := equalFunc(f.code); x != nil || err != nil {
			if b.funcs[i] = x; err != nil {
				return err
			}
			continue
		}
		if f.typ == nil || method {
			entry := soleEntry(f.code)
			if entry == 0 {
				return &TypeChangedError{Type: f.code, Was: "a function", Is: fmt.Sprintf("%d functions of this name", len(entryPoints(f.code)))}
			}
			b.funcs[i] = unsafe.Pointer(functionWord(entry))
			if method {
				b.funcs[i] = b.methodObject(r, entry, f.env)
			}
			continue
		}
		c, ok := reflect.NewAt(b.bound[f.typ].Elem(), b.pointer(f.env)).Interface().(Closure)
		if !ok {
			return &TypeChangedError{Type: f.typ.String(), Was: "a closure environment", Is: "something else"}
		}
		if err := callable(b.bound[f.typ]); err != nil {
			return fmt.Errorf("heap: %w", err)
		}
		if m, ok := c.(made); ok {
			v := standIn(m)
			x := (*words)(unsafe.Pointer(&v)).data
			b.funcs[i] = x
			b.receivers = append(b.receivers, func() error { return become(x, m) })
			continue
		}
		v := c.Func()
		if t := reflect.TypeOf(v); t == nil || t.Kind() != reflect.Func {
			return &TypeChangedError{Type: f.typ.String(), Was: "a closure environment", Is: fmt.Sprintf("an environment of %v", t)}
		}
		b.funcs[i] = itself((*words)(unsafe.Pointer(&v)).data, b.pointer(f.env), b.bound[f.typ].Elem())
		b.ftype[i] = reflect.TypeOf(v)
	}
	return nil
}

// itself returns a func object, if what a func value points to is the value of a method of that:
// the process that was saved had no other, to which unsafe pointers may lead.
func itself(x, object unsafe.Pointer, rt reflect.Type) unsafe.Pointer {
	if x == object || len(processFields(rt)) != len(funcFields) || (*methodValue)(object).code != 0 {
		return x
	}
	code := (*methodValue)(x).code
	if !strings.HasSuffix(functionName(code), "-fm") || (*methodValue)(x).receiver != object {
		return x
	}
	*(*methodValue)(object) = methodValue{code, object}
	return object
}

// methodObject makes what a method value points to. What the receiver of env is a copy of has yet
// to be filled.
func (b *builder) methodObject(r receiver, entry uintptr, env uint64) unsafe.Pointer {
	if !r.value {
		return unsafe.Pointer(&methodValue{entry, b.pointer(env)})
	}
	object := reflect.New(r.methodObject())
	object.Elem().Field(0).SetUint(uint64(entry))
	if env != 0 {
		b.receivers = append(b.receivers, func() error {
			object.Elem().Field(1).Set(reflect.NewAt(r.pt.Elem(), b.pointer(env)).Elem())
			return nil
		})
	}
	return object.UnsafePointer()
}

// copyReceivers copies the receivers of method values, and makes what package reflect has made.
func (b *builder) copyReceivers() error {
	for _, f := range b.receivers {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// fill writes the contents of all objects.
func (b *builder) fill() error {
	b.iface = make(map[[2]uintptr]unsafe.Pointer)
	for i := range b.groups {
		g := &b.groups[i]
		if g.text {
			continue // done
		}
		p := b.plans[g.typ.ID]
		numbers := b.planner.otherWords && g.typ.isWord() && !g.box // but for the single ones
		for k := range g.n {
			if numbers && !b.single[g.first+k] {
				continue
			}
			if err := b.object(b.ptrs[g.first+k], g.at(k), p); err != nil {
				return b.located(err, g.first+k)
			}
		}
	}
	return nil
}

func (b *builder) object(dst unsafe.Pointer, src []byte, p *plan) error {
	if p.copied() {
		copy(unsafe.Slice((*byte)(dst), len(src)), src)
		return nil
	}
	for off := uint64(0); ; off += p.size {
		if err := b.value(dst, src, p); err != nil {
			return within(err, off)
		}
		if uint64(len(src)) <= p.size {
			return nil
		}
		dst, src = unsafe.Add(dst, p.native), src[p.size:]
	}
}

// copied reports whether the values in an image are those in memory.
func (p *plan) copied() bool { return p.same && len(p.slots) == 0 }

func (b *builder) value(dst unsafe.Pointer, src []byte, p *plan) error {
	for i := range p.moves {
		p.moves[i].decode(dst, src)
	}
	for i := range p.leaves {
		if err := p.leaves[i].decode(dst, src); err != nil {
			return err
		}
	}
	return b.slots(dst, src, p.slots)
}

func (b *builder) slots(dst unsafe.Pointer, src []byte, slots []slot) error {
	word := b.Image.word
	for i := range slots {
		s := &slots[i]
		q, d := unsafe.Add(dst, s.off), src[s.wire:]
		switch s.op {
		case opPointer, opObject:
			*(*unsafe.Pointer)(q) = b.pointerAt(d)
		case opString:
			n := b.Image.number(d[word:])
			if n > math.MaxInt {
				return &overflow{s.wire, fmt.Sprint("a length of ", n), reflect.String}
			}
			*(*string)(q) = unsafe.String((*byte)(b.pointerAt(d)), int(n))
		case opSlice:
			n, c := b.Image.number(d[word:]), b.Image.number(d[2*word:])
			if c > math.MaxInt {
				return &overflow{s.wire, fmt.Sprint("a capacity of ", c), reflect.Slice}
			}
			*(*sliceHeader)(q) = sliceHeader{b.pointerAt(d), int(n), int(c)}
		case opArray:
			for i := range s.n {
				if i > 0 {
					q, d = unsafe.Add(q, s.target.native), d[s.target.size:]
				}
				if err := b.value(q, d[:s.target.size], s.target); err != nil {
					return within(err, s.wire+uint64(i)*s.target.size)
				}
			}
		case opInterface:
			typ := b.Image.number(d)
			if typ == 0 {
				*(*words)(q) = words{}
				continue
			}
			if err := b.interfaceValue(q, s.target, b.plans[typ-1], b.reference(d[word:])); err != nil {
				return err
			}
		case opSyncMap:
			m := (*sync.Map)(q)
			m.Clear()
			if word := b.reference(d); word != 0 {
				tag, n := split(word)
				if tag != tagMap {
					return fmt.Errorf("heap: a sync.Map is %#x", word)
				}
				b.syncs = append(b.syncs, syncMap{m, n})
			}
		case opIterator:
			clear(unsafe.Slice((*byte)(q), s.target.native))
			if word := b.reference(d); word != 0 {
				b.iterators = append(b.iterators, rebuiltIterator{q, s.target.rt, (*iteration)(b.pointer(word))})
			}
		case opTimer:
			if err := b.timer(q, s, d); err != nil {
				return err
			}
		case opFile:
			if b.files[q] == nil && !isZeroBytes(d[:filePlaces(word).size]) {
				return damaged(secData, "a file is part of something else")
			}
		case opConvert:
			if err := s.target.convert(q, d); err != nil {
				return within(err, s.wire)
			}
		case opWords:
			if err := b.wordSlot(q, d, s); err != nil {
				return err
			}
		case opProcess, opFrames:
		case opRefuse:
			clear(unsafe.Slice((*byte)(q), s.target.native))
		case opTold:
			x, err := b.tell(s, src)
			if err != nil {
				return err
			}
			*(*unsafe.Pointer)(q) = x
		case opReflect:
			x, err := b.reflected(b.reference(src[s.wire-word:]), b.reference(d), le.Uint64(d[word:]))
			if err != nil {
				return err
			}
			*(*unsafe.Pointer)(q) = x
			b.remadeValue(q)
		default:
			x, err := b.word(s, b.reference(d))
			if err != nil {
				return err
			}
			*(*unsafe.Pointer)(q) = x
			b.remade(s, q)
		}
	}
	return nil
}

// word returns the pointer for a reference in a slot of one word.
func (b *builder) word(s *slot, word uint64) (unsafe.Pointer, error) {
	if word == 0 {
		return nil, nil
	}
	tag, n := split(word)
	switch {
	case s.op == opWeak:
		return b.weak(word), nil
	case tag == tagType:
		return descriptor(b.bound[b.Image.types[n]]), nil
	case s.op == opCode:
		return b.code(b.Image.funcs[n].code)
	case s.op == opUnsafe && !b.checkLoose(word):
		return nil, damaged(secData, "an unsafe.Pointer is %#x", word)
	case s.op == opUnsafe && tag == tagMap:
		return b.maps[n].UnsafePointer(), nil
	case s.op == opUnsafe && tag == tagChan:
		return b.chans[n].UnsafePointer(), nil
	case s.op == opPointer || s.op == opObject || s.op == opBlank || s.op == opUnsafe || s.op == opHandle || tag == tagNamed:
		return b.pointer(word), nil
	case s.op == opMap:
		return b.maps[n].UnsafePointer(), nil
	case s.op == opChan:
		return b.chans[n].UnsafePointer(), nil
	case s.op == opFunc:
		if t := b.ftype[n]; t != nil && !b.canBe(t, s.target.rt) {
			return nil, &TypeChangedError{Type: b.Image.funcs[n].typ.String(), Was: "an environment of " + typeText(s.target.rt), Is: "an environment of " + typeText(t)}
		}
		return b.funcs[n], nil
	}
	return nil, fmt.Errorf("heap: a reference of kind %d is %#x", s.op, word)
}

func (b *builder) interfaceValue(q unsafe.Pointer, iface, dyn *plan, word uint64) error {
	key := [2]uintptr{uintptr(descriptor(iface.rt)), uintptr(descriptor(dyn.rt))}
	typ, ok := b.iface[key]
	if !ok {
		if !dyn.rt.Implements(iface.rt) {
			return &TypeChangedError{Type: dyn.Type.String(), Was: "an implementation of " + iface.Type.String(), Is: "none"}
		}
		v := reflect.New(iface.rt)
		v.Elem().Set(reflect.Zero(dyn.rt))
		typ = (*words)(v.UnsafePointer()).typ
		b.iface[key] = typ
	}
	x := words{typ: typ}
	switch {
	case !dyn.direct:
		x.data = b.pointer(word)
	case word != 0:
		only := dyn.only()
		if only == nil {
			return fmt.Errorf("heap: a %s can't be held by an interface", dyn.Type)
		}
		var err error
		if x.data, err = b.word(only, word); err != nil {
			return err
		}
	}
	*(*words)(q) = x
	if dyn.direct && word != 0 {
		b.remade(dyn.only(), unsafe.Pointer(&(*words)(q).data))
	}
	return nil
}

// A syncMap is a sync.Map and the map that holds its entries.
type syncMap struct {
	m   *sync.Map
	all uint64
}

// insert fills maps and channels: their keys are complete only now.
func (b *builder) insert() error {
	for i, m := range b.Image.maps {
		p := b.plans[m.typ.ID]
		n := int(m.n)
		keys := b.array(m.keys, p.key.rt, n).UnsafePointer()
		vals := b.array(m.vals, p.elem.rt, n).UnsafePointer()
		typ, to := descriptor(p.rt), b.maps[i].UnsafePointer()
		for k := range uintptr(n) {
			mapAssign(typ, to, unsafe.Add(keys, k*p.key.native), unsafe.Add(vals, k*p.elem.native))
		}
		if b.maps[i].Len() != n {
			return damaged(secMaps, "map %d has equal keys", i)
		}
	}
	for i := range b.iterators {
		if err := b.iterators[i].restore(); err != nil {
			return err
		}
	}
	for _, s := range b.syncs {
		for k, v := range b.maps[s.all].Interface().(map[any]any) {
			s.m.Store(k, v)
		}
	}
	for i, c := range b.Image.chans {
		if tag, _ := split(c.buffer); tag == tagObject && c.cap == 0 {
			continue
		}
		ch := b.chans[i]
		if elem := b.plans[c.elem.ID]; elem.native == 0 && c.count > 0 {
			if !channelsKnown() {
				return errors.New("heap: this version of Go keeps channels in a way that is not known")
			}
			h := (*channel)(ch.UnsafePointer())
			h.count, h.sendx = uint(c.count), uint(c.count%c.cap)
		} else {
			vals := b.array(c.buffer, elem.rt, int(c.cap))
			for k := range int(c.count) {
				ch.Send(vals.Index(k))
			}
		}
		if c.closed {
			ch.Close()
		}
	}
	return nil
}

// array returns the array of n values at a reference as a slice.
func (b *builder) array(word uint64, elem reflect.Type, n int) reflect.Value {
	if tag, _ := split(word); tag == tagZero {
		return reflect.MakeSlice(reflect.SliceOf(elem), n, n)
	}
	h := &sliceHeader{b.pointer(word), n, n}
	return reflect.NewAt(reflect.SliceOf(elem), unsafe.Pointer(h)).Elem()
}

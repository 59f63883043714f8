package heap

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// An iterator of package reflect (reflect.MapIter, in which the runtime's
// internal/runtime/maps.Iter is) stands at a place in the tables of a map. No other process has
// that place: the map is made anew, with another seed. In the image it is what it means: the map,
// the entry that it has come to, and the keys that it would still come to if nothing changed, in
// its order. These are found by going on with a copy of it.
//
// Rebuild makes an iterator that goes over these keys, and no others. The runtime has what it
// takes: one that is in the middle of a table which the map has outgrown goes on with that table,
// but looks each of its keys up in the map, so that what was deleted does not come, and what was
// changed comes as it is (package internal/runtime/maps, Iter.Next, grownKeyElem). So the iterator
// stands at the beginning of a table of the keys, of which the runtime believes that it was the
// last of the directory and has been replaced. A map of up to eight entries has no directory, and
// its iterators look nothing up; a map with an iterator is made so large that it has one.
//
// A key that is not equal to itself, such as NaN, can't be looked up, nor deleted. Its element is
// taken from the table. That is why the elements are in the image, too.
//
// Packages that have the runtime's functions for iterators by go:linkname (runtime.mapiterinit,
// reflect.mapiterinit) use structs of their own, of which the runtime has the first four words:
// pointers to key and element, the type of the map, and a pointer to the iterator (package runtime,
// linknameIter). Such structs are known by Options.Iterators. In the image they are as the
// iterators that they lead to.

// An iteration is what an iterator is in the image.
type iteration struct {
	over  any  // the map, of its type
	keys  any  // a slice of its keys: those to come, behind that of the entry that the iterator is at
	elems any  // a slice of the elements of these
	ended bool // it is at no entry, but at the end
	lives bool // the element of the entry is the one in the map; else the entry was deleted or replaced
}

// mostKeys is how many keys a table can have at most.
const mostKeys = 1 << 15

var (
	typeOfIteration = reflect.TypeFor[iteration]()
	typeOfIterator  = func() reflect.Type {
		f, ok := reflect.TypeFor[reflect.MapIter]().FieldByName("hiter")
		if !ok || f.Type.PkgPath() != "internal/runtime/maps" {
			return nil
		}
		return f.Type
	}()
)

// isIterator reports whether values of a type are saved as an iteration.
func isIterator(rt reflect.Type) bool {
	return typeOfIterator != nil && rt == typeOfIterator && iteratorsKnown()
}

// iterates reports the same of structs that packages use in its place, too.
func (pl *planner) iterates(rt reflect.Type) bool { return isIterator(rt) || pl.iterators[rt] }

// A mapIterator is the runtime's iterator, as far as it is looked at here, and a mapTable and a
// mapHead what it leads to. Whether this is what the runtime has is tested before it is relied on.
type mapIterator struct {
	key, elem   unsafe.Pointer
	typ         unsafe.Pointer
	m           *mapHead
	entryOffset uint64
	dirOffset   uint64
	clearSeq    uint64
	globalDepth uint8
	dirIdx      int
	tab         *mapTable
	group       struct{ data unsafe.Pointer }
	entryIdx    uint64
}

type mapTable struct {
	used       uint16
	capacity   uint16
	growthLeft uint16
	localDepth uint8
	index      int // -1: it has been replaced
	groups     struct {
		data       unsafe.Pointer
		lengthMask uint64
	}
}

type mapHead struct {
	used              uint64
	seed              uintptr
	dirPtr            unsafe.Pointer
	dirLen            int
	globalDepth       uint8
	globalShift       uint8
	writing           uint8
	tombstonePossible bool
	clearSeq          uint64
}

// A linkedIterator is the beginning of a struct that a package uses in the place of an iterator.
type linkedIterator struct {
	key, elem unsafe.Pointer
	typ       unsafe.Pointer
	it        *mapIterator
}

// mapAccess is what reflect.Value.MapIndex comes down to: it returns the address of the element, or
// nil.
//
//go:linkname mapAccess reflect.mapaccess
func mapAccess(typ, m, key unsafe.Pointer) unsafe.Pointer

// SameLayout reports whether two structs have fields of the same names at the same places, of the
// same sizes, and pointers where the other has pointers.
func SameLayout(a, b reflect.Type) bool {
	if a.Kind() != reflect.Struct || b.Kind() != reflect.Struct || a.Size() != b.Size() || a.NumField() != b.NumField() {
		return false
	}
	for i := range a.NumField() {
		f, g := a.Field(i), b.Field(i)
		if f.Name != g.Name || f.Offset != g.Offset || f.Type.Size() != g.Type.Size() || isPointer(f.Type) != isPointer(g.Type) ||
			(f.Type.Kind() == reflect.Struct || g.Type.Kind() == reflect.Struct) && !SameLayout(f.Type, g.Type) {
			return false
		}
	}
	return true
}

func isPointer(rt reflect.Type) bool {
	return rt.Kind() == reflect.Pointer || rt.Kind() == reflect.UnsafePointer
}

// iteratorsKnown tests the layout, by its description and on maps whose iterators are made again.
var iteratorsKnown = sync.OnceValue(func() bool {
	if typeOfIterator == nil || !SameLayout(typeOfIterator, reflect.TypeFor[mapIterator]()) {
		return false
	}
	tab, _ := typeOfIterator.FieldByName("tab")
	m, _ := typeOfIterator.FieldByName("m")
	if tab.Type.Kind() != reflect.Pointer || !SameLayout(tab.Type.Elem(), reflect.TypeFor[mapTable]()) ||
		m.Type.Kind() != reflect.Pointer || !SameLayout(m.Type.Elem(), reflect.TypeFor[mapHead]()) {
		return false
	}
	for _, n := range []int{3, 40} {
		numbers := make(map[uint16]uint32, wideMap)
		for i := range n {
			numbers[uint16(i)] = uint32(11 * i)
		}
		it := reflect.ValueOf(numbers).MapRange()
		it.Next()
		inner := iteratorOf(it)
		state, why := inner.iteration()
		if why != "" || !state.lives || reflect.ValueOf(state.keys).Len() != n || state.restore(inner) != nil {
			return false
		}
		first := uint16(it.Key().Uint())
		gone, changed := uint16(first+1)%uint16(n), uint16(first+2)%uint16(n)
		delete(numbers, gone)
		numbers[changed]++
		for more := true; more; more = it.Next() {
			key, value := uint16(it.Key().Uint()), uint32(it.Value().Uint())
			if want, ok := numbers[key]; !ok || value != want {
				return false
			}
			delete(numbers, key)
		}
		if len(numbers) > 0 {
			return false
		}
	}
	return true
})

// iteratorOf returns the iterator in one of package reflect.
func iteratorOf(it *reflect.MapIter) *mapIterator {
	f, _ := reflect.TypeFor[reflect.MapIter]().FieldByName("hiter")
	return (*mapIterator)(unsafe.Add(unsafe.Pointer(it), f.Offset))
}

// mapOf returns the map that an iterator goes over.
func (it *mapIterator) mapOf() reflect.Value {
	m := it.m
	return reflect.NewAt(described(it.typ), unsafe.Pointer(&m)).Elem()
}

// iteration returns what an iterator that has begun is in the image, or why it can't be saved.
func (it *mapIterator) iteration() (state *iteration, why string) {
	m := it.mapOf()
	state = &iteration{over: m.Interface(), ended: it.key == nil}
	keyType, elemType := reflect.SliceOf(m.Type().Key()), reflect.SliceOf(m.Type().Elem())
	if state.ended {
		return state, ""
	}
	rest := func(visit func(*mapIterator)) {
		r := m.MapRange()
		c := iteratorOf(r)
		for *c = *it; r.Next(); {
			visit(c)
		}
	}
	n := 1
	rest(func(*mapIterator) { n++ })
	if n > mostKeys {
		return nil, fmt.Sprintf("the iterator of package reflect has yet to come to %d entries of a map, and with more than %d it can't be saved", n-1, mostKeys-1)
	}
	keys, elems := reflect.MakeSlice(keyType, n, n), reflect.MakeSlice(elemType, n, n)
	i := 0
	put := func(c *mapIterator) {
		typedMove(descriptor(keyType.Elem()), unsafe.Add(keys.UnsafePointer(), uintptr(i)*keyType.Elem().Size()), c.key)
		typedMove(descriptor(elemType.Elem()), unsafe.Add(elems.UnsafePointer(), uintptr(i)*elemType.Elem().Size()), c.elem)
		i++
	}
	put(it)
	rest(put)
	state.keys, state.elems = keys.Interface(), elems.Interface()
	state.lives = mapAccess(it.typ, unsafe.Pointer(it.m), it.key) == it.elem
	return state, ""
}

const (
	unknownIterators = "this version of Go keeps iterators over maps in a way that is not known; go through the keys that MapKeys returns, or take the checkpoint before or after the loop"
	otherIterator    = "the package uses it as an iterator over a map, but it is not one that the runtime has begun"
)

// iteratorTypes returns the structs that the program uses as iterators, and that the runtime could.
func iteratorTypes(list []reflect.Type) map[reflect.Type]bool {
	types := make(map[reflect.Type]bool)
	for _, rt := range list {
		if canIterate(rt) && iteratorsKnown() {
			types[rt] = true
		}
	}
	return types
}

// canIterate reports whether the runtime can have its four words in a struct.
func canIterate(rt reflect.Type) bool {
	return rt.Kind() == reflect.Struct && rt.Size() >= unsafe.Sizeof(linkedIterator{}) && rt != typeOfIterator
}

// isIteration reports whether values of a type are iterators in the image that it is of.
func (t *Type) isIteration() bool {
	return len(t.Fields) == 1 && t.Fields[0].Name == iterationField && t.Fields[0].Type.Kind == reflect.Pointer && t.Fields[0].Type.Elem.Name == typeText(typeOfIteration)
}

// iterationField is the field that an iterator has in an image.
const iterationField = "iteration"

// begun returns the iterator that q is, or leads to; nil if it has not begun.
func begun(q unsafe.Pointer, rt reflect.Type) (it *mapIterator, why string) {
	if isIterator(rt) {
		if it = (*mapIterator)(q); it.typ == nil {
			return nil, ""
		}
		return it, ""
	}
	l := (*linkedIterator)(q)
	if *l == (linkedIterator{}) {
		return nil, ""
	}
	base, size := extent(uintptr(unsafe.Pointer(l.it)))
	if base != uintptr(unsafe.Pointer(l.it)) || size < unsafe.Sizeof(mapIterator{}) || l.typ == nil || l.it.typ != l.typ || l.it.key != l.key || l.it.elem != l.elem {
		return nil, otherIterator
	}
	return l.it, ""
}

// iterator visits what the iterator at q is in the image.
func (w *walker) iterator(s *slot, q unsafe.Pointer) error {
	state := w.iterations[q]
	if state == nil {
		it, why := begun(q, s.target.rt)
		if it == nil && why == "" {
			return nil
		}
		if why == "" {
			if m := w.maps[unsafe.Pointer(it.m)]; m != nil && m.named != 0 {
				why = "an iterator of package reflect goes over a map that is not saved but belongs to the process"
			} else {
				state, why = it.iteration()
			}
		}
		if why != "" {
			w.note(q)
			return &refusal{typeText(s.target.rt), why}
		}
		w.iterations[q] = state // keeps it, so that its address stays its own
	}
	w.visit(unsafe.Pointer(state), s.target.elem, 1, byPointer, q)
	return nil
}

// A rebuiltIterator is an iterator in memory, and what it was in the image.
type rebuiltIterator struct {
	at    unsafe.Pointer
	rt    reflect.Type
	state *iteration
}

// restore makes the iterator go on. All maps have been filled.
func (r *rebuiltIterator) restore() error {
	if isIterator(r.rt) {
		return r.state.restore((*mapIterator)(r.at))
	}
	it := (*mapIterator)(newObject(descriptor(typeOfIterator)))
	if err := r.state.restore(it); err != nil {
		return err
	}
	*(*linkedIterator)(r.at) = linkedIterator{it.key, it.elem, it.typ, it}
	return nil
}

// iterated returns the numbers of the maps that have iterators.
func (b *builder) iterated() map[uint64]bool {
	list := make(map[uint64]bool)
	for i := range b.groups {
		g := &b.groups[i]
		if b.plans[g.typ.ID].rt != typeOfIteration {
			continue
		}
		over := g.typ.Fields[0].off + b.Image.word // the data word of the interface
		for k := range g.n {
			for d := g.at(k); len(d) > 0; d = d[g.typ.size:] {
				if tag, n := split(b.reference(d[over:])); tag == tagMap {
					list[n] = true
				}
			}
		}
	}
	return list
}

// wideMap is a size for which the runtime makes a map with a directory.
const wideMap = 9

// restore makes an iterator of what it is in the image. Its map has been filled.
func (state *iteration) restore(it *mapIterator) error {
	m := reflect.ValueOf(state.over)
	if m.Kind() != reflect.Map {
		return damaged(secData, "an iterator goes over a %T", state.over)
	}
	typ, head := descriptor(m.Type()), (*mapHead)(m.UnsafePointer())
	*it = mapIterator{typ: typ}
	if head == nil {
		return nil
	}
	keyType, elemType := m.Type().Key(), m.Type().Elem()
	keys, elems := reflect.MakeSlice(reflect.SliceOf(keyType), 0, 0), reflect.MakeSlice(reflect.SliceOf(elemType), 0, 0)
	if !state.ended {
		if reflect.TypeOf(state.keys) != keys.Type() || reflect.TypeOf(state.elems) != elems.Type() {
			return damaged(secData, "an iterator over a %T has %T and %T", state.over, state.keys, state.elems)
		}
		keys, elems = reflect.ValueOf(state.keys), reflect.ValueOf(state.elems)
		if n := keys.Len(); n == 0 || n != elems.Len() || n > mostKeys {
			return damaged(secData, "an iterator over a %T has %d keys and %d elements", state.over, n, elems.Len())
		}
		it.key, it.elem = keys.UnsafePointer(), elems.UnsafePointer()
		if state.lives {
			if it.elem = mapAccess(typ, unsafe.Pointer(head), it.key); it.elem == nil {
				return damaged(secData, "an iterator over %v is at a key that is not there", m.Type())
			}
		}
		keys, elems = keys.Slice(1, keys.Len()), elems.Slice(1, elems.Len())
	}
	if head.dirLen <= 0 {
		return fmt.Errorf("heap: an iterator goes over a map of the process, %v", m.Type())
	}
	table, err := tableOf(m.Type(), keys, elems)
	if err != nil {
		return err
	}
	it.m, it.tab = head, table
	it.globalDepth, it.clearSeq, it.dirIdx = head.globalDepth, head.clearSeq, head.dirLen-1
	return nil
}

// A mapGroup tells where the keys and elements of a group are: eight of them, behind a word that
// has a byte for each.
type mapGroup struct {
	typ                   reflect.Type
	slots, step, elem     uintptr
	keyBehind, elemBehind bool // pointers to them are there instead
}

const (
	groupSlots = 8
	emptySlot  = 0x80
)

// groupOf returns that of a type of maps.
func groupOf(rt reflect.Type) (g mapGroup, ok bool) {
	type mapType struct {
		description
		key, elem, group unsafe.Pointer
	}
	t := (*mapType)(descriptor(rt))
	if t.key != descriptor(rt.Key()) || t.elem != descriptor(rt.Elem()) || t.group == nil {
		return g, false
	}
	g.typ = described(t.group)
	if g.typ.Kind() != reflect.Struct || g.typ.NumField() != 2 || g.typ.Field(0).Type.Kind() != reflect.Uint64 {
		return g, false
	}
	slots := g.typ.Field(1)
	if slots.Type.Kind() != reflect.Array || slots.Type.Len() != groupSlots || slots.Type.Elem().Kind() != reflect.Struct || slots.Type.Elem().NumField() != 2 {
		return g, false
	}
	slot := slots.Type.Elem()
	g.slots, g.step, g.elem = slots.Offset, slot.Size(), slot.Field(1).Offset
	behind := func(is, want reflect.Type) (behind, ok bool) {
		if is == want {
			return false, true
		}
		return true, is.Kind() == reflect.UnsafePointer || is == reflect.PointerTo(want)
	}
	var keyOK, elemOK bool
	g.keyBehind, keyOK = behind(slot.Field(0).Type, rt.Key())
	g.elemBehind, elemOK = behind(slot.Field(1).Type, rt.Elem())
	return g, keyOK && elemOK
}

// tableOf returns a table of keys and elements that a map is to have outgrown.
func tableOf(rt reflect.Type, keys, elems reflect.Value) (*mapTable, error) {
	g, ok := groupOf(rt)
	if !ok {
		return nil, fmt.Errorf("heap: an iterator over a %v: %s", rt, unknownIterators)
	}
	capacity := groupSlots
	for capacity < keys.Len() {
		capacity *= 2
	}
	groups := newArray(descriptor(g.typ), capacity/groupSlots)
	key, elem := rt.Key(), rt.Elem()
	for i := range capacity {
		group := unsafe.Add(groups, uintptr(i/groupSlots)*g.typ.Size())
		slot := unsafe.Add(group, g.slots+uintptr(i%groupSlots)*g.step)
		if i >= keys.Len() {
			*(*uint64)(group) |= emptySlot << (8 * (i % groupSlots))
			continue
		}
		put := func(to, from unsafe.Pointer, rt reflect.Type, behind bool) {
			if behind {
				*(*unsafe.Pointer)(to) = from
				return
			}
			typedMove(descriptor(rt), to, from)
		}
		put(slot, unsafe.Add(keys.UnsafePointer(), uintptr(i)*key.Size()), key, g.keyBehind)
		put(unsafe.Add(slot, g.elem), unsafe.Add(elems.UnsafePointer(), uintptr(i)*elem.Size()), elem, g.elemBehind)
	}
	tab, _ := typeOfIterator.FieldByName("tab")
	table := (*mapTable)(newObject(descriptor(tab.Type.Elem())))
	table.used, table.capacity, table.index = uint16(keys.Len()), uint16(capacity), -1
	table.groups.data, table.groups.lengthMask = groups, uint64(capacity/groupSlots-1)
	return table, nil
}

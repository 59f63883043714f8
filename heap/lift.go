package heap

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// A Lift moves to the heap what the frames of one goroutine refer to on its stack, while the goroutine unwinds. Go's compiler leaves there
// what nothing refers to that outlives a call: variables whose addresses are taken, environments of func values, arrays,
// values behind interfaces, small maps. When the goroutine goes on, its activations are restored from the frames, and what they shared on
// the stack they share on the heap.
//
// A frame is copied when its activation is about to return ([Lift.Frame]). What it refers to on the stack is still there then, in that activation or in
// those that called it, and is copied, too: regions, so many values of a type at a distance from the end of the stack. That
// end is the one address that stays what it is for as long as the goroutine does not move its stack; so all places there are told by
// their distance from it, and references to them are left out in the copies until all frames have been copied ([Lift.Finish]).
// Then the regions are in order, one that lies in another is a part of it, and the references are put in.
//
// Nothing is changed on the stack in the meantime: what was copied early is what it would have been at the end.
type Lift struct {
	bounds  func() (low, high uintptr)
	past    [2]uintptr // bounds at another time, if references of that time are looked at
	regions []lifted
	known   map[liftedKey]int
	todo    []int // regions that are to be copied
	maps    []liftedMap
	mapped  map[liftedKey]unsafe.Pointer
	fixes   []fix
	free    []fix // that unsafe pointers are; it is not known what they lead to
}

// lifted is a region of the stack, or what was made of it.
type lifted struct {
	from   uintptr // distance of its beginning
	layout *layout
	n      int
	to     unsafe.Pointer // the copy
}

func (r *lifted) size() uintptr { return r.layout.size * uintptr(r.n) }

// until is the distance of its end.
func (r *lifted) until() uintptr { return r.from - r.size() }

// liftedKey tells a region from others that begin where it does.
type liftedKey struct {
	from uintptr
	typ  reflect.Type
}

// liftedMap is a map that was on the stack; its contents are put in at the end, when the keys are complete.
type liftedMap struct {
	to, keys, values reflect.Value
}

// A fix is a reference that is still to be put in.
type fix struct {
	slot unsafe.Pointer // in a copy
	from uintptr        // distance of what it leads to
	none bool           // it leads to something without a size
	what string         // the reference is, if its type does not tell what it leads to
}

// NewLift returns a Lift for the calling goroutine. bounds returns the lowest and the highest address of its stack.
func NewLift(bounds func() (low, high uintptr)) *Lift {
	return &Lift{bounds: bounds, known: make(map[liftedKey]int), mapped: make(map[liftedKey]unsafe.Pointer)}
}

// Frame returns a copy of a frame, a pointer to a struct on the stack of the calling goroutine or anywhere else.
func (l *Lift) Frame(frame any) any {
	rt := reflect.TypeOf(frame)
	lay := layoutOf(rt.Elem())
	to := lay.allocate(1)
	l.copy(to, (*words)(unsafe.Pointer(&frame)).data, lay, 1)
	l.follow()
	return reflect.NewAt(rt.Elem(), to).Interface()
}

// follow copies the regions that are to be copied, and those that they lead to.
func (l *Lift) follow() {
	for len(l.todo) > 0 {
		r := l.regions[l.todo[len(l.todo)-1]]
		l.todo = l.todo[:len(l.todo)-1]
		l.copy(r.to, l.at(r.from), r.layout, r.n)
	}
}

// at returns the address at a distance. The caller may keep it in a variable of type unsafe.Pointer on the stack, which the runtime
// changes when it moves the stack, and nowhere else.
func (l *Lift) at(from uintptr) unsafe.Pointer {
	_, high := l.bounds()
	return unsafe.Add(nil, high-from)
}

// distance returns how far from the end of the stack x is, if it is an address there.
func (l *Lift) distance(x unsafe.Pointer) (from uintptr, ok bool) {
	low, high := l.past[0], l.past[1]
	if high == 0 {
		low, high = l.bounds()
	}
	return high - uintptr(x), low <= uintptr(x) && uintptr(x) < high
}

// copy copies n values without their references to the stack, which it notes.
func (l *Lift) copy(to, src unsafe.Pointer, lay *layout, n int) {
	if len(lay.references) == 0 {
		size := lay.size * uintptr(n)
		copy(unsafe.Slice((*byte)(to), size), unsafe.Slice((*byte)(src), size))
		return
	}
	for i := range n {
		off := uintptr(i) * lay.size
		// Until they are cut, the copy has references to the stack. The collector does not mind these, but those to where a stack was.
		reflect.NewAt(lay.typ, unsafe.Add(to, off)).Elem().Set(reflect.NewAt(lay.typ, unsafe.Add(src, off)).Elem())
		l.cut(unsafe.Add(to, off), unsafe.Add(src, off), lay)
	}
}

// cut cuts the references to the stack in the copy of a value.
func (l *Lift) cut(to, src unsafe.Pointer, lay *layout) {
	for i := range lay.references {
		r := &lay.references[i]
		for k := range r.n {
			off := r.off + uintptr(k)*r.step
			l.reference(unsafe.Add(to, off), unsafe.Add(src, off), r)
		}
	}
}

// reference looks at one reference, which stands at src and was copied to the slot to.
func (l *Lift) reference(to, src unsafe.Pointer, r *liftReference) {
	switch r.kind {
	case reflect.Array:
		l.cut(to, src, r.layout())
	case reflect.Slice:
		h := (*sliceHeader)(src)
		if from, ok := l.distance(h.data); ok {
			l.fix(to, from, r.layout(), h.cap)
		}
	case reflect.String:
		if from, ok := l.distance(unsafe.Pointer(unsafe.StringData(*(*string)(src)))); ok {
			l.fix(to, from, layoutOf(typeOfByte), len(*(*string)(src)))
		}
	case reflect.Interface:
		w := (*words)(src)
		typ := w.typ
		if r.typ.NumMethod() > 0 && typ != nil {
			typ = (*[2]unsafe.Pointer)(typ)[1] // of an itab
		}
		if _, ok := l.distance(w.data); !ok || typ == nil {
			return
		}
		l.value(unsafe.Add(to, unsafe.Sizeof(w.typ)), unsafe.Pointer(&w.data), layoutOf(described(typ)))
	case reflect.Struct: // a reflect.Value
		if v := (*reflection)(src); v.typ != nil {
			if _, ok := l.distance(v.ptr); !ok {
				return
			}
			lay := layoutOf(described(v.typ))
			if v.flag&flagIndirect != 0 && lay.direct {
				from, _ := l.distance(v.ptr)
				l.fix(unsafe.Add(to, unsafe.Sizeof(v.typ)), from, lay, 1)
				return
			}
			l.value(unsafe.Add(to, unsafe.Sizeof(v.typ)), unsafe.Pointer(&v.ptr), lay)
		}
	default:
		x := *(*unsafe.Pointer)(src)
		from, ok := l.distance(x)
		if !ok {
			return
		}
		switch r.kind {
		case reflect.Pointer:
			l.fix(to, from, r.layout(), 1)
		case reflect.Map:
			l.mapAt(to, src, from, r.typ)
		case reflect.Func:
			if lay := environmentAt(x); lay != nil {
				l.fix(to, from, lay, 1)
				return
			}
			fallthrough
		default:
			what := "an " + r.typ.String()
			if r.kind == reflect.Func {
				what = "a func value of " + unescaped(functionName(*(*uintptr)(x)))
			}
			*(*uintptr)(to) = 0
			l.free = append(l.free, fix{slot: to, from: from, what: what})
		}
	}
}

// value looks at the data word of an interface, which leads to the stack.
func (l *Lift) value(to, src unsafe.Pointer, lay *layout) {
	if lay.direct {
		l.cut(to, src, lay)
		return
	}
	from, _ := l.distance(*(*unsafe.Pointer)(src))
	l.fix(to, from, lay, 1)
}

// fix cuts a reference to n values on the stack.
func (l *Lift) fix(to unsafe.Pointer, from uintptr, lay *layout, n int) {
	*(*uintptr)(to) = 0 // not as a pointer: the collector need not hear of what was there
	none := lay.size*uintptr(n) == 0
	l.fixes = append(l.fixes, fix{slot: to, from: from, none: none})
	if !none {
		l.want(from, lay, n)
	}
}

// want notes a region.
func (l *Lift) want(from uintptr, lay *layout, n int) {
	key := liftedKey{from, lay.typ}
	if i, ok := l.known[key]; ok && l.regions[i].n >= n {
		return
	}
	l.known[key] = len(l.regions)
	l.todo = append(l.todo, len(l.regions))
	l.regions = append(l.regions, lifted{from, lay, n, lay.allocate(n)})
}

// mapAt makes a map in the place of one that is on the stack. src is where the reference to it stands.
func (l *Lift) mapAt(to, src unsafe.Pointer, from uintptr, rt reflect.Type) {
	key := liftedKey{from, rt}
	if x := l.mapped[key]; x != nil {
		*(*unsafe.Pointer)(to) = x
		return
	}
	m := reflect.NewAt(rt, src).Elem()
	made := liftedMap{to: reflect.MakeMapWithSize(rt, m.Len())}
	l.mapped[key] = made.to.UnsafePointer()
	*(*unsafe.Pointer)(to) = made.to.UnsafePointer()
	made.keys, made.values = reflect.MakeSlice(reflect.SliceOf(rt.Key()), m.Len(), m.Len()), reflect.MakeSlice(reflect.SliceOf(rt.Elem()), m.Len(), m.Len())
	keys, values := layoutOf(rt.Key()), layoutOf(rt.Elem())
	l.maps = append(l.maps, made)
	it := m.MapRange()
	for i := 0; it.Next(); i++ {
		key, value := made.keys.Index(i), made.values.Index(i)
		for l.past[1] == 0 {
			low, high := l.bounds()
			key.SetIterKey(it)
			value.SetIterValue(it)
			if _, now := l.bounds(); now == high { // else the references may be those of before
				l.past = [2]uintptr{low, high}
			}
		}
		l.cut(key.Addr().UnsafePointer(), key.Addr().UnsafePointer(), keys)
		l.cut(value.Addr().UnsafePointer(), value.Addr().UnsafePointer(), values)
		l.past = [2]uintptr{}
	}
}

// Finish puts the references in. The goroutine has left all activations.
func (l *Lift) Finish() error {
	slices.SortFunc(l.regions, func(a, b lifted) int {
		return cmp.Or(cmp.Compare(b.from, a.from), cmp.Compare(a.until(), b.until()))
	})
	var whole []lifted
	for _, r := range l.regions {
		if n := len(whole); n > 0 && r.from > whole[n-1].until() {
			if r.until() >= whole[n-1].until() && whole[n-1].layout.has(whole[n-1].from-r.from, r.layout, r.n) {
				continue // a part of it
			}
			whole[n-1] = l.union(whole[n-1], r)
			continue
		}
		whole = append(whole, r)
	}
	for _, f := range l.fixes {
		r := containing(whole, f.from)
		switch {
		case r != nil:
			*(*unsafe.Pointer)(f.slot) = unsafe.Add(r.to, r.from-f.from)
		case f.none:
			*(*unsafe.Pointer)(f.slot) = unsafe.Pointer(&nothing)
		}
	}
	for _, f := range l.free {
		r := containing(whole, f.from)
		if r == nil {
			return fmt.Errorf("heap: %s leads to the stack, and nothing tells to what", f.what)
		}
		*(*unsafe.Pointer)(f.slot) = unsafe.Add(r.to, r.from-f.from)
	}
	for _, m := range l.maps {
		for i := range m.keys.Len() {
			m.to.SetMapIndex(m.keys.Index(i), m.values.Index(i))
		}
	}
	return nil
}

// containing returns the region that has the byte at a distance, or nil.
func containing(whole []lifted, from uintptr) *lifted {
	i, _ := slices.BinarySearchFunc(whole, from, func(r lifted, from uintptr) int {
		if r.until() >= from {
			return -1
		}
		return 1
	})
	if i == len(whole) || whole[i].from < from {
		return nil
	}
	return &whole[i]
}

// union makes one region of two that overlap, neither of which is a part of the other: a and, behind its beginning, b.
func (l *Lift) union(a, b lifted) lifted {
	until := min(a.until(), b.until())
	u := lifted{from: a.from, n: 1}
	if a.layout.typ == b.layout.typ && (a.from-b.from)%a.layout.size == 0 {
		u.layout, u.n = a.layout, int((a.from-until)/a.layout.size)
	} else {
		u.layout = wordsLayout(a.from, until, func(from uintptr) bool {
			return a.layout.isReference(a.from-from, a.n) || from <= b.from && b.layout.isReference(b.from-from, b.n)
		})
	}
	u.to = u.layout.allocate(u.n)
	for _, r := range []lifted{a, b} {
		off := a.from - r.from
		r.layout.move(unsafe.Add(u.to, off), r.to, r.n)
		for _, list := range []*[]fix{&l.fixes, &l.free} {
			for _, f := range *list {
				if at := uintptr(f.slot) - uintptr(r.to); at < r.size() {
					f.slot = unsafe.Add(u.to, off+at)
					*list = append(*list, f)
				}
			}
		}
	}
	return u
}

// nothing is what references to something without a size lead to.
var nothing struct{}

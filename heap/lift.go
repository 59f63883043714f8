package heap

import (
	"cmp"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"unsafe"
)

// A Lift moves to the heap what the frames of one goroutine refer to on its stack, while the
// goroutine unwinds. Go's compiler leaves there what nothing refers to that outlives a call:
// variables whose addresses are taken, environments of func values, arrays, values behind
// interfaces, small maps. When the goroutine goes on, its activations are restored from the frames,
// and what they shared on the stack they share on the heap.
//
// A frame is copied when its activation is about to return ([Lift.Frame]). What it refers to on the
// stack is still there then, in that activation or in those that called it, and is copied, too:
// regions, so many values of a type at a distance from the end of the stack. That end is the one
// address that stays what it is for as long as the goroutine does not move its stack; so all places
// there are told by their distance from it, and references to them are left out in the copies until
// all frames have been copied ([Lift.Finish]). Then the regions are in order, one that lies in
// another is a part of it, and the references are put in.
//
// Nothing is changed on the stack in the meantime: what was copied early is what it would have been
// at the end.
type Lift struct {
	bounds  func() (low, high uintptr)
	regions []lifted
	known   map[liftedKey]int     // how many values there are from here on
	ended   map[liftedKey]uintptr // where the first of those begins that end here
	todo    []int                 // regions that are to be copied
	mapped  map[uintptr]unsafe.Pointer
	fixes   []fix
	free    []fix // that unsafe pointers are; it is not known what they lead to

	firstTypes map[string]bool // see Options.Firsts
	firsts     []uintptr       // distances of what may be the first of several values
	behind     []stretch       // what follows such values

	hiding  map[string]bool // see Options.Hiding
	hidden  []hiddenAt
	onStack []uintptr // distances of addresses of the stack among numbers
	heap    *arenas   // nil: not asked for yet
}

// lifted is a region of the stack, or what was made of it.
type lifted struct {
	from   uintptr // distance of its beginning
	layout *layout
	n      int
	to     unsafe.Pointer // the copy
	joined bool           // the region that begins where it ends goes on with it
	fixes  [2]int         // those in its copy
	free   [2]int
}

func (r *lifted) size() uintptr { return r.layout.size * uintptr(r.n) }

// until is the distance of its end.
func (r *lifted) until() uintptr { return r.from - r.size() }

// liftedKey tells a place, and the type of what begins or ends there.
type liftedKey struct {
	at  uintptr
	typ reflect.Type
}

// A fix is a reference that is still to be put in.
type fix struct {
	slot unsafe.Pointer // in a copy
	from uintptr        // distance of what it leads to
	none bool           // it leads to something without a size
	what string         // the reference is, if its type does not tell what it leads to
}

// NewLift returns a Lift for the calling goroutine. bounds returns the lowest and the highest
// address of its stack, and firsts and hiding are types as in [Options].
func NewLift(bounds func() (low, high uintptr), firsts, hiding map[string]bool) *Lift {
	return &Lift{firstTypes: firsts, hiding: hiding, bounds: bounds, known: make(map[liftedKey]int), ended: make(map[liftedKey]uintptr), mapped: make(map[uintptr]unsafe.Pointer)}
}

// Frame returns a copy of a frame, a pointer to a struct on the stack of the calling goroutine or
// anywhere else.
func (l *Lift) Frame(frame any) any {
	lay := layoutOf(reflect.TypeOf(frame).Elem())
	to := lay.allocate(1)
	l.copy(to, (*words)(unsafe.Pointer(&frame)).data, lay, 1)
	l.follow()
	copied := frame
	(*words)(unsafe.Pointer(&copied)).data = to
	// The variables on the stack may be dead where they are declared; what they lead to would be
	// collected while they are copied if nothing led to them.
	runtime.KeepAlive(frame)
	return copied
}

// follow copies the regions that are to be copied, and those that they lead to.
func (l *Lift) follow() {
	for len(l.todo) > 0 {
		i := l.todo[len(l.todo)-1]
		l.todo = l.todo[:len(l.todo)-1]
		r := l.regions[i]
		r.fixes[0], r.free[0] = len(l.fixes), len(l.free)
		l.copy(r.to, l.at(r.from), r.layout, r.n)
		r.fixes[1], r.free[1] = len(l.fixes), len(l.free)
		l.regions[i] = r
		l.keepHidden(&r)
	}
}

// at returns the address at a distance. The caller may keep it in a variable of type unsafe.Pointer
// on the stack, which the runtime changes when it moves the stack, and nowhere else. Here and in
// pointer nothing may be called while the address is a number: a call can move the stack, even that
// of the tests of pointers that -race adds.
//
//go:nocheckptr
func (l *Lift) at(from uintptr) unsafe.Pointer {
	_, high := l.bounds()
	address := high - from
	return *(*unsafe.Pointer)(unsafe.Pointer(&address))
}

// pointer copies a pointer, unless it leads to the stack; then it returns the distance of what it
// leads to.
//
//go:nocheckptr
func (l *Lift) pointer(to, src unsafe.Pointer) (from uintptr, ok bool) {
	low, high := l.bounds()
	x := *(*unsafe.Pointer)(src) // from here on the stack can't be moved
	if low <= uintptr(x) && uintptr(x) < high {
		return high - uintptr(x), true
	}
	*(*unsafe.Pointer)(to) = x
	return 0, false
}

// copy copies n values without their references to the stack, which it notes. The room for the copy
// is zero.
func (l *Lift) copy(to, src unsafe.Pointer, lay *layout, n int) {
	if len(lay.references) == 0 {
		copyBytes(to, src, 0, lay.size*uintptr(n))
		return
	}
	for i := range n {
		off := uintptr(i) * lay.size
		l.value(unsafe.Add(to, off), unsafe.Add(src, off), lay)
	}
}

// value copies one value. No reference to the stack is ever in the copy: once the stack has been
// moved, the collector would find an address there where nothing is any more.
func (l *Lift) value(to, src unsafe.Pointer, lay *layout) {
	done := uintptr(0)
	for i := range lay.references {
		r := &lay.references[i]
		copyBytes(to, src, done, r.off)
		done = r.off
		for range r.n {
			l.reference(unsafe.Add(to, done), unsafe.Add(src, done), r)
			done += r.step
		}
	}
	copyBytes(to, src, done, lay.size)
}

// copyBytes copies what has no references, between two offsets.
func copyBytes(to, src unsafe.Pointer, off, end uintptr) {
	if off < end {
		copy(unsafe.Slice((*byte)(unsafe.Add(to, off)), end-off), unsafe.Slice((*byte)(unsafe.Add(src, off)), end-off))
	}
}

// reference copies a reference, or notes it if it leads to the stack.
func (l *Lift) reference(to, src unsafe.Pointer, r *liftReference) {
	switch r.kind {
	case reflect.Array:
		l.value(to, src, r.layout())
	case reflect.Slice:
		h := (*sliceHeader)(src)
		if from, ok := l.pointer(to, src); ok {
			l.fix(to, from, r.layout(), h.cap)
		}
		copyBytes(to, src, word, 3*word)
	case reflect.String:
		if from, ok := l.pointer(to, src); ok {
			l.fix(to, from, layoutOf(typeOfByte), len(*(*string)(src)))
		}
		copyBytes(to, src, word, 2*word)
	case reflect.Interface:
		w := (*words)(src)
		(*words)(to).typ = w.typ
		from, ok := l.pointer(unsafe.Add(to, word), unsafe.Add(src, word))
		if !ok {
			return
		}
		typ := w.typ
		if r.typ.NumMethod() > 0 {
			typ = (*[2]unsafe.Pointer)(typ)[1] // of an itab
		}
		if lay := layoutOf(described(typ)); lay.direct {
			l.value(unsafe.Add(to, word), unsafe.Add(src, word), lay)
		} else {
			l.fix(unsafe.Add(to, word), from, lay, 1)
		}
	case reflect.Struct: // a reflect.Value
		v := (*reflection)(src)
		(*reflection)(to).typ, (*reflection)(to).flag = v.typ, v.flag
		from, ok := l.pointer(unsafe.Add(to, word), unsafe.Add(src, word))
		if !ok {
			return
		}
		if lay := layoutOf(described(v.typ)); lay.direct && v.flag&flagIndirect == 0 {
			l.value(unsafe.Add(to, word), unsafe.Add(src, word), lay)
		} else {
			l.fix(unsafe.Add(to, word), from, lay, 1)
		}
	default:
		from, ok := l.pointer(to, src)
		if !ok {
			return
		}
		what := "an " + r.typ.String()
		switch r.kind {
		case reflect.Pointer:
			if isFirst(l.firstTypes, r.typ) {
				l.first(from, r.layout())
			}
			l.fix(to, from, r.layout(), 1)
			return
		case reflect.Map:
			*(*unsafe.Pointer)(to) = l.mapAt(src, from, r.typ)
			return
		case reflect.Func:
			if lay := environmentAt(*(*unsafe.Pointer)(src)); lay != nil {
				l.fix(to, from, lay, 1)
				return
			}
			what = "a func value of " + unescaped(functionName(**(**uintptr)(src)))
		}
		l.free = append(l.free, fix{slot: to, from: from, what: what})
	}
}

// fix notes a reference to n values on the stack.
func (l *Lift) fix(to unsafe.Pointer, from uintptr, lay *layout, n int) {
	none := lay.size*uintptr(n) == 0
	l.fixes = append(l.fixes, fix{slot: to, from: from, none: none})
	if !none {
		l.want(from, lay, n)
	}
}

// want notes a region. The slices of an array that a recursion walks end in the same place, and each begins earlier than the last:
// of such a region only the beginning is copied.
func (l *Lift) want(from uintptr, lay *layout, n int) {
	begin, end := liftedKey{from, lay.typ}, liftedKey{from - lay.size*uintptr(n), lay.typ}
	first, joined := l.ended[end]
	if l.known[begin] >= n || joined && first >= from {
		return
	}
	l.known[begin], l.ended[end] = n, from
	if joined {
		n = int((from - first) / lay.size)
	}
	l.todo = append(l.todo, len(l.regions))
	l.regions = append(l.regions, lifted{from: from, layout: lay, n: n, to: lay.allocate(n), joined: joined})
}

// mapAt returns a map that is as the one on the stack. src is where a reference to it stands. The
// compiler has keys and values on the heap, with all that they refer to, and so are their copies
// complete.
func (l *Lift) mapAt(src unsafe.Pointer, from uintptr, rt reflect.Type) unsafe.Pointer {
	if x := l.mapped[from]; x != nil {
		return x
	}
	m := reflect.NewAt(rt, src).Elem()
	made := reflect.MakeMapWithSize(rt, m.Len())
	key, value := reflect.New(rt.Key()).Elem(), reflect.New(rt.Elem()).Elem()
	for it := m.MapRange(); it.Next(); {
		key.SetIterKey(it)
		value.SetIterValue(it)
		made.SetMapIndex(key, value)
	}
	l.mapped[from] = made.UnsafePointer()
	return made.UnsafePointer()
}

// Finish puts the references in. The goroutine has left all activations.
func (l *Lift) Finish() error {
	slices.SortFunc(l.regions, func(a, b lifted) int {
		return cmp.Or(cmp.Compare(b.from, a.from), cmp.Compare(a.until(), b.until()))
	})
	var whole []lifted
	for rest := l.regions; len(rest) > 0; {
		n, until := overlapping(rest)
		whole = append(whole, l.union(rest[:n], until))
		rest = rest[n:]
	}
	whole = l.wholeFirsts(whole)
	if err := l.scanHidden(whole); err != nil {
		return err
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
			return fmt.Errorf("heap: %s leads to the stack, and nothing tells to what; keep a pointer with a type beside it, or have the package that makes it rewritten (-auto=all)", f.what)
		}
		*(*unsafe.Pointer)(f.slot) = unsafe.Add(r.to, r.from-f.from)
	}
	return nil
}

// overlapping returns how many of the first regions are to be one, and where that ends.
func overlapping(regions []lifted) (n int, until uintptr) {
	until, joined := regions[0].until(), false
	for i := range regions {
		r := &regions[i]
		if i > 0 && r.from <= until && !(r.from == until && joined) {
			return i, until
		}
		if end := r.until(); end < until || i == 0 {
			until, joined = end, r.joined
		} else if end == until {
			joined = joined || r.joined
		}
	}
	return len(regions), until
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

// union makes one region of those that overlap, of which the first begins first.
func (l *Lift) union(regions []lifted, until uintptr) lifted {
	a := regions[0]
	parts, same := a.until() == until, true
	for _, r := range regions[1:] {
		parts = parts && a.layout.has(a.from-r.from, r.layout, r.n)
		same = same && r.layout == a.layout && (a.from-r.from)%a.layout.size == 0
	}
	if parts {
		return a
	}
	u := lifted{from: a.from, layout: a.layout, n: int((a.from - until) / a.layout.size)}
	if !same {
		const align = 8 // as the stack
		u.from, u.n = (a.from+align-1)&^(align-1), 1
		u.layout = wordsLayout(u.from, until&^(align-1), regions)
	}
	u.to = u.layout.allocate(u.n)
	for _, r := range regions {
		to := unsafe.Add(u.to, u.from-r.from)
		if same {
			r.layout.move(to, r.to, r.n)
		} else {
			l.merge(&u, &r)
		}
		for _, f := range l.fixes[r.fixes[0]:r.fixes[1]] {
			f.slot = unsafe.Add(to, uintptr(f.slot)-uintptr(r.to))
			l.fixes = append(l.fixes, f)
		}
		for _, f := range l.free[r.free[0]:r.free[1]] {
			f.slot = unsafe.Add(to, uintptr(f.slot)-uintptr(r.to))
			l.free = append(l.free, f)
		}
	}
	return u
}

// merge copies a region into a larger one. References come from regions only that have them as
// such: in another one there may be an address of the stack.
func (l *Lift) merge(u, r *lifted) {
	off := u.from - r.from
	for at := uintptr(0); at < r.size(); {
		n := min(word-(off+at)%word, r.size()-at)
		to, src := unsafe.Add(u.to, off+at), unsafe.Add(r.to, at)
		switch {
		case r.layout.isReference(at, r.n):
			*(*unsafe.Pointer)(to) = *(*unsafe.Pointer)(src)
		case !u.layout.isWord((off + at) &^ (word - 1)):
			copyBytes(to, src, 0, n)
		}
		at += n
	}
}

// nothing is what references to something without a size lead to.
var nothing struct{}

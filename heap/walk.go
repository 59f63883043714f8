package heap

import (
	"fmt"
	"reflect"
	"sync"
	"time"
	"unsafe"
)

// A region is memory that something refers to: count values of a type. The
// same memory may be in several regions; merging makes objects of them.
type region struct {
	ptr   unsafe.Pointer
	plan  *plan // nil: the region is bound by name, count is the index of it
	count int
}

func (r *region) end() uintptr { return uintptr(r.ptr) + r.plan.native*uintptr(r.count) }

// A table finds regions by address and type: open addressing, no deletion. The
// regions do not move when it grows.
type table struct {
	chunks [][]region
	n      int
	index  []uint32 // region number + 1
	shift  uint8
}

const chunkBits = 14

// at returns a region by its number.
func (t *table) at(i int) *region { return &t.chunks[i>>chunkBits][i&(1<<chunkBits-1)] }

func newTable() *table { return &table{index: make([]uint32, 1<<10), shift: 64 - 10} }

func (t *table) hash(p unsafe.Pointer) int {
	return int(uint64(uintptr(p)) * 0x9e3779b97f4a7c15 >> t.shift)
}

// find returns the number of the region at p of the given type, or of the
// named thing at p, or -1.
func (t *table) find(p unsafe.Pointer, pl *plan) int {
	mask := len(t.index) - 1
	for i := t.hash(p); ; i = (i + 1) & mask {
		n := t.index[i]
		if n == 0 {
			return -1
		}
		if r := t.at(int(n - 1)); r.ptr == p && (r.plan == pl || r.plan == nil) {
			return int(n - 1)
		}
	}
}

func (t *table) add(r region) int {
	if t.n*4 >= len(t.index)*3 {
		t.shift--
		t.index = make([]uint32, 2*len(t.index))
		for i := range t.n {
			t.put(i)
		}
	}
	if t.n&(1<<chunkBits-1) == 0 {
		size := 1 << chunkBits
		if t.n == 0 {
			size = 64 // most graphs are small
		}
		t.chunks = append(t.chunks, make([]region, 0, size))
	}
	last := len(t.chunks) - 1
	t.chunks[last] = append(t.chunks[last], r)
	t.n++
	t.put(t.n - 1)
	return t.n - 1
}

func (t *table) put(n int) {
	mask := len(t.index) - 1
	i := t.hash(t.at(n).ptr)
	for t.index[i] != 0 {
		i = (i + 1) & mask
	}
	t.index[i] = uint32(n + 1)
}

// An item is work to be done: count values whose references are to be followed.
type item struct {
	ptr   unsafe.Pointer
	plan  *plan
	count int
	trace int // in walker.traces
}

type mapCapture struct {
	plan       *plan
	n          int
	keys, vals unsafe.Pointer // copies of keys and values
	keep       [2]reflect.Value
	named      int // or index + 1 of the name it is bound by
	number     int
}

type chanCapture struct {
	plan      *plan
	c         *channel
	timer     unsafe.Pointer // that it belongs to; nil: none
	timerPlan *plan
	values    unsafe.Pointer // a copy of the buffer, oldest first, zero beyond count
	keep      reflect.Value
	named     int
	number    int
}

type funcCapture struct {
	name string
	env  unsafe.Pointer // nil for functions without environment
	plan *plan          // of *env
}

// A walker follows all references from the roots and collects the regions.
type walker struct {
	*planner
	mem    *table // addressable memory
	boxes  *table // values behind interfaces: immutable, and nothing points into them
	maps   map[unsafe.Pointer]*mapCapture
	chans  map[unsafe.Pointer]*chanCapture
	funcs  map[unsafe.Pointer]int
	mapSeq []*mapCapture
	chnSeq []*chanCapture
	fncSeq []funcCapture
	syncs  map[unsafe.Pointer]unsafe.Pointer // sync.Map -> map of its entries
	cover  map[*plan]*coverage
	todo   []item
	item   item // that is being scanned

	dynamic map[unsafe.Pointer]*plan // type word of an interface -> dynamic type
	static  map[*plan]bool           // types reachable from the types of the roots
	finder  *finder

	files map[unsafe.Pointer]*openFile // what the os.file at an address is saved as

	loose   []loose // unsafe pointers
	waiters bool    // may be at channels

	tracing bool
	traces  []trace
	current int // trace of the item being scanned
	base    unsafe.Pointer
}

func newWalker(transient []string, pointees []Pointee) *walker {
	pl := newPlanner(transient)
	pl.setPointees(pointees)
	return &walker{
		planner: pl,
		mem:     newTable(),
		boxes:   newTable(),
		maps:    make(map[unsafe.Pointer]*mapCapture),
		chans:   make(map[unsafe.Pointer]*chanCapture),
		funcs:   make(map[unsafe.Pointer]int),
		syncs:   make(map[unsafe.Pointer]unsafe.Pointer),
		cover:   make(map[*plan]*coverage),
		dynamic: make(map[unsafe.Pointer]*plan),
		static:  make(map[*plan]bool),
		files:   make(map[unsafe.Pointer]*openFile),
		traces:  []trace{{}},
	}
}

// visit notes that something refers to count values at p.
func (w *walker) visit(p unsafe.Pointer, pl *plan, count int, how relation, slot unsafe.Pointer) {
	count *= pl.flatCount
	pl = pl.flatElem
	if pl.native == 0 || count == 0 {
		return
	}
	done := 0
	if i := w.mem.find(p, pl); i >= 0 {
		r := w.mem.at(i)
		if r.plan == nil || r.count >= count {
			return
		}
		done, r.count = r.count, count
	} else {
		w.mem.add(region{p, pl, count})
	}
	if len(pl.slots) == 0 {
		return
	}
	if count*len(pl.slots) < 64 {
		w.push(unsafe.Add(p, uintptr(done)*pl.native), pl, count-done, how, slot)
		return
	}
	// Many slices of one array: each part of it is scanned once.
	c := w.cover[pl]
	if c == nil {
		c = new(coverage)
		w.cover[pl] = c
	}
	for _, gap := range c.add(uintptr(p), uintptr(p)+pl.native*uintptr(count)) {
		w.push(unsafe.Add(p, gap.off-uintptr(p)), pl, int(gap.len/pl.native), how, slot)
	}
}

func (w *walker) push(p unsafe.Pointer, pl *plan, count int, how relation, slot unsafe.Pointer) {
	it := item{p, pl, count, 0}
	if w.tracing {
		w.traces = append(w.traces, trace{parent: w.current, off: uintptr(slot) - uintptr(w.base), how: how, plan: pl, count: count})
		it.trace = len(w.traces) - 1
	}
	w.todo = append(w.todo, it)
}

// run follows references until nothing is left to do.
func (w *walker) run() error {
	for len(w.todo) > 0 {
		it := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		w.current, w.base, w.item = it.trace, it.ptr, it
		for i := range it.count {
			if err := w.scan(unsafe.Add(it.ptr, uintptr(i)*it.plan.native), it.plan.slots); err != nil {
				return err
			}
		}
	}
	return w.failed
}

func (w *walker) scan(p unsafe.Pointer, slots []slot) error {
	for i := range slots {
		s := &slots[i]
		q := unsafe.Add(p, s.off)
		switch s.op {
		case opPointer:
			if x := *(*unsafe.Pointer)(q); x != nil {
				if err := w.pointer(x, s.target, q); err != nil {
					return err
				}
			}
		case opString:
			if x := *(*string)(q); len(x) > 0 {
				w.visit(unsafe.Pointer(unsafe.StringData(x)), w.bytes(), len(x), byString, q)
			}
		case opSlice:
			if x := (*sliceHeader)(q); x.data != nil && x.cap > 0 {
				w.visit(x.data, s.target, x.cap, bySlice, q)
			}
		case opArray:
			for i := range s.n {
				if err := w.scan(unsafe.Add(q, uintptr(i)*s.target.native), s.target.slots); err != nil {
					return err
				}
			}
		case opInterface:
			x := (*words)(q)
			if x.typ == nil {
				continue
			}
			dyn, err := w.dynamicType(x.typ, s.target, q)
			if err != nil {
				return err
			}
			if dyn.direct {
				if err := w.single(dyn, x.data, q); err != nil {
					return err
				}
				continue
			}
			if dyn.refuse != "" {
				return w.refusal(dyn, q)
			}
			w.box(x.data, dyn, q)
		case opSyncMap:
			if w.syncs[q] == nil && !isZero(q, typeOfSyncMap.Size()) {
				if entries := syncMapEntries((*sync.Map)(q)); len(entries) > 0 {
					x := reflect.ValueOf(entries).UnsafePointer()
					w.syncs[q] = x // keeps the map, so that its address stays its own
					if err := w.mapped(x, s.target, q); err != nil {
						return err
					}
				}
			}
		case opTimer:
			if err := w.timer(s, q); err != nil {
				return err
			}
		case opFile:
			if w.files[q] == nil && !isZero(q, s.target.native) {
				w.note(q)
				return &refusal{typeText(s.target.rt), "it is a copy of what package os keeps"}
			}
		case opRefuse:
			if !isZero(q, s.target.native) {
				return w.refusal(s.target, q)
			}
		default:
			if x := *(*unsafe.Pointer)(q); x != nil {
				if err := w.word(s, x, q); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

func (w *walker) bytes() *plan { return w.of(typeOfByte) }

func isZero(p unsafe.Pointer, n uintptr) bool {
	for _, b := range unsafe.Slice((*byte)(p), n) {
		if b != 0 {
			return false
		}
	}
	return true
}

// pointer visits what a pointer leads to.
func (w *walker) pointer(x unsafe.Pointer, target *plan, q unsafe.Pointer) error {
	if isFile(target.rt) {
		return w.file(x, target, q)
	}
	if target.refuse != "" {
		if i := w.mem.find(x, target); i >= 0 {
			return nil // named
		}
		// A runtime.Func has no size: its address is what it is.
		if target.native == 0 || !isZero(x, target.native) {
			return w.refusal(target, q)
		}
	}
	w.visit(x, target, 1, byPointer, q)
	return nil
}

// single visits the reference in the data word of an interface.
func (w *walker) single(dyn *plan, x unsafe.Pointer, q unsafe.Pointer) error {
	s := dyn.only()
	if x == nil || s == nil {
		return nil
	}
	return w.word(s, x, q)
}

// only returns the reference slot of a type that has one word.
func (p *plan) only() *slot {
	if len(p.slots) != 1 {
		return nil
	}
	return &p.slots[0]
}

// word visits the reference x, found at q, of a slot that is one word.
func (w *walker) word(s *slot, x, q unsafe.Pointer) error {
	switch s.op {
	case opPointer:
		return w.pointer(x, s.target, q)
	case opMap:
		return w.mapped(x, s.target, q)
	case opChan:
		return w.channel(x, s.target, q)
	case opFunc:
		return w.function(x, s.target, q)
	case opType:
		_, err := w.findable(w.of(described(x)), q)
		return err
	case opUnsafe:
		l := loose{to: x, pointee: s.pointee, trace: w.current, off: uintptr(q) - uintptr(w.base)}
		if w.item.plan.header() != reflect.Invalid {
			l.view = q
		}
		w.loose = append(w.loose, l)
		return nil
	case opReflect:
		return w.reflected(x, q)
	}
	return w.refusal(s.target, q)
}

func (w *walker) refusal(p *plan, q unsafe.Pointer) error {
	w.note(q)
	return &refusal{typeText(p.rt), p.refuse}
}

// note remembers where the walk failed.
func (w *walker) note(q unsafe.Pointer) {
	if w.tracing {
		w.traces[0].off = uintptr(q) - uintptr(w.base)
		w.traces[0].parent = w.current
	}
}

// box visits the value behind an interface.
func (w *walker) box(p unsafe.Pointer, pl *plan, q unsafe.Pointer) {
	count := pl.flatCount
	pl = pl.flatElem
	if pl.native == 0 || count == 0 {
		return
	}
	if i := w.boxes.find(p, pl); i >= 0 {
		r := w.boxes.at(i)
		if r.count >= count {
			return
		}
		r.count = count
	} else {
		w.boxes.add(region{p, pl, count})
	}
	if len(pl.slots) > 0 {
		w.push(p, pl, count, byInterface, q)
	}
}

// dynamicType returns the type that the type word of an interface stands for.
func (w *walker) dynamicType(typ unsafe.Pointer, iface *plan, q unsafe.Pointer) (*plan, error) {
	if p := w.dynamic[typ]; p != nil {
		return p, nil
	}
	var rt reflect.Type
	if iface.rt.NumMethod() == 0 {
		rt = reflect.TypeOf(*(*any)(q))
	} else {
		rt = reflect.NewAt(iface.rt, q).Elem().Elem().Type()
	}
	p, err := w.findable(w.of(rt), q)
	if err != nil {
		return nil, err
	}
	w.dynamic[typ] = p
	return p, nil
}

// findable makes sure that a rebuild will find the type by its name.
func (w *walker) findable(p *plan, q unsafe.Pointer) (*plan, error) {
	if p.Type.dynamic {
		return p, nil
	}
	if !w.static[p] {
		if w.finder == nil {
			w.finder = newFinder()
		}
		rt, err := w.finder.find(p.Type)
		if err == nil && rt != p.rt {
			err = fmt.Errorf("another type has the same name and structure")
		}
		if err != nil {
			w.note(q)
			return nil, &refusal{typeText(p.rt), "a new process could not find the type by its name: " + err.Error()}
		}
	}
	p.Type.dynamic = true
	return p, nil
}

// mapped visits a map: its keys and values are copied out, in step.
func (w *walker) mapped(x unsafe.Pointer, pl *plan, q unsafe.Pointer) error {
	if w.maps[x] != nil {
		return nil
	}
	m := reflect.NewAt(pl.rt, unsafe.Pointer(&x)).Elem()
	n := m.Len()
	keys := reflect.MakeSlice(reflect.SliceOf(pl.key.rt), n, n)
	vals := reflect.MakeSlice(reflect.SliceOf(pl.elem.rt), n, n)
	it := m.MapRange()
	i := 0
	for it.Next() {
		if i == n {
			return &refusal{typeText(pl.rt), "the map is being written by another goroutine"}
		}
		keys.Index(i).SetIterKey(it)
		vals.Index(i).SetIterValue(it)
		i++
	}
	if i != n {
		return &refusal{typeText(pl.rt), "the map is being written by another goroutine"}
	}
	if len(pl.key.times) > 0 {
		plain := reflect.MakeMapWithSize(reflect.MapOf(pl.key.rt, reflect.TypeFor[bool]()), n)
		for i := range n {
			for _, t := range pl.key.times {
				at := (*time.Time)(unsafe.Add(keys.Index(i).Addr().UnsafePointer(), t.off))
				*at = at.Round(0)
			}
			plain.SetMapIndex(keys.Index(i), reflect.ValueOf(true))
		}
		if plain.Len() != n {
			w.note(q)
			return &refusal{typeText(pl.rt), "it has keys that differ in the reading of the monotonic clock only; use the times without it, t.Round(0), as keys"}
		}
	}
	c := &mapCapture{plan: pl, n: n, keys: keys.UnsafePointer(), vals: vals.UnsafePointer(), keep: [2]reflect.Value{keys, vals}, number: len(w.mapSeq)}
	w.maps[x] = c
	w.mapSeq = append(w.mapSeq, c)
	if n > 0 {
		w.visit(c.keys, pl.key, n, byMapKey, q)
		from := len(w.traces)
		w.visit(c.vals, pl.elem, n, byMapValue, q)
		for i := from; w.tracing && i < len(w.traces); i++ {
			w.traces[i].keys = keys
		}
	}
	return nil
}

// channel visits a channel and its buffered values.
func (w *walker) channel(x unsafe.Pointer, pl *plan, q unsafe.Pointer) error {
	if w.chans[x] != nil {
		return nil
	}
	why := ""
	c := (*channel)(x)
	switch {
	case !channelsKnown():
		why = "this version of Go keeps channels in a way that is not known"
	case c.timer != nil:
		cc := &chanCapture{plan: pl, c: c, number: len(w.chnSeq)}
		w.chans[x] = cc
		w.chnSeq = append(w.chnSeq, cc)
		if cc.timer, cc.timerPlan = w.ofTimer(c, q); cc.timer != nil {
			return nil
		}
		why = "it belongs to a timer, and this version of Go keeps timers in a way that is not known"
	case !w.waiters && (c.receiver[0] != nil || c.sender[0] != nil):
		why = "a goroutine waits at the channel"
	}
	if why != "" {
		w.note(q)
		return &refusal{typeText(pl.rt), why}
	}
	n := int(c.capacity)
	values := reflect.MakeSlice(reflect.SliceOf(pl.elem.rt), n, n)
	if pl.elem.native > 0 {
		for i := range int(c.count) {
			values.Index(i).Set(reflect.NewAt(pl.elem.rt, c.at(i)).Elem())
		}
	}
	cc := &chanCapture{plan: pl, c: c, values: values.UnsafePointer(), keep: values, number: len(w.chnSeq)}
	w.chans[x] = cc
	w.chnSeq = append(w.chnSeq, cc)
	if n > 0 {
		w.visit(cc.values, pl.elem, n, byChannel, q)
	}
	return nil
}

// function visits a func value and its environment.
func (w *walker) function(x unsafe.Pointer, pl *plan, q unsafe.Pointer) error {
	if _, ok := w.funcs[x]; ok {
		return nil
	}
	name, env, envType, err := function(x)
	if err != nil {
		w.note(q)
		return &refusal{typeText(pl.rt), err.Error()}
	}
	f := funcCapture{name: name, env: env}
	if envType != nil {
		f.plan = w.of(envType)
		if _, err := w.findable(f.plan, q); err != nil {
			return err
		}
		w.visit(env, f.plan.elem, 1, byClosure, q)
	}
	w.funcs[x] = len(w.fncSeq)
	w.fncSeq = append(w.fncSeq, f)
	return nil
}

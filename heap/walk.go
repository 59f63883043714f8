package heap

import (
	"reflect"
	"runtime"
	"sync"
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
	*places
	lists   lists
	pending []*regionList // with work to do
	text    *plan         // of the bytes of strings

	mem        *table // addressable memory that is not in lists
	boxes      *table // values behind interfaces: immutable, and nothing points into them; those that are not in lists
	voids      map[voidKind]unsafe.Pointer
	maps       map[unsafe.Pointer]*mapCapture
	chans      map[unsafe.Pointer]*chanCapture
	funcs      map[unsafe.Pointer]int
	mapSeq     []*mapCapture
	chnSeq     []*chanCapture
	fncSeq     []funcCapture
	syncs      map[unsafe.Pointer]unsafe.Pointer // sync.Map -> map of its entries
	iterations map[unsafe.Pointer]*iteration     // of iterators over maps
	covered    map[*plan]*coverage
	todo       []item
	item       item // that is being scanned

	mappings []mapping // memory beside Go's heap, or not
	aside    []item    // what lies in these, until it is known whose they are

	dynamic     map[unsafe.Pointer]*plan // type word of an interface -> dynamic type
	recentTypes [64]struct {
		typ  unsafe.Pointer
		plan *plan
	}
	static map[*plan]bool // types reachable from the types of the roots
	finder *finder

	files map[unsafe.Pointer]*openFile // what the os.file at an address is saved as

	words     map[reflect.Type]bool             // see Options
	loose     []loose                           // unsafe pointers
	toldTypes map[unsafe.Pointer]*plan          // by their descriptions
	firsts    []first                           // pointers to what may be the first of several values
	arrays    []first                           // pointers to arrays of numbers into what was made for references
	weaks     []weakRef                         // to what is alive, and not saved as far as is known
	strong    map[unsafe.Pointer]unsafe.Pointer // what weak pointers lead to, by their words
	waiters   bool                              // may be at channels

	objects []object // of the table, in the order of their addresses
	owner   []uint32 // region -> object

	tracing     bool
	traces      []trace
	current     int         // trace of the item being scanned
	tableTraces map[int]int // of the regions in the table
	base        unsafe.Pointer

	looked byte // see ahead.go
}

func newWalker(opt Options) *walker {
	pl := newPlanner(opt.Transient, shortWord)
	pl.setPointees(opt.Pointees)
	pl.heads, pl.parts, pl.wide, pl.punned, pl.firstTypes, pl.hiding = opt.Heads, opt.Parts, opt.Wide, opt.Punned, opt.Firsts, opt.Hiding
	pl.iterators = iteratorTypes(opt.Iterators)
	words := make(map[reflect.Type]bool)
	for _, rt := range opt.Words {
		words[rt] = true
	}
	w := &walker{
		planner:    pl,
		places:     newPlaces(),
		mem:        newTable(),
		boxes:      newTable(),
		maps:       make(map[unsafe.Pointer]*mapCapture),
		chans:      make(map[unsafe.Pointer]*chanCapture),
		funcs:      make(map[unsafe.Pointer]int),
		syncs:      make(map[unsafe.Pointer]unsafe.Pointer),
		words:      words,
		iterations: make(map[unsafe.Pointer]*iteration),
		covered:    make(map[*plan]*coverage),
		dynamic:    make(map[unsafe.Pointer]*plan),
		static:     make(map[*plan]bool),
		files:      make(map[unsafe.Pointer]*openFile),
		traces:     []trace{{}},

		tableTraces: make(map[int]int),
	}
	return w
}

// visit notes that something refers to count values at p. It returns the number + 1 of the region
// in the lists that begins there, or 0 if there is none or it is not known.
func (w *walker) visit(p unsafe.Pointer, pl *plan, count int, how relation, slot unsafe.Pointer) uint32 {
	count *= pl.flatCount
	pl = pl.flatElem
	if pl.native == 0 || count == 0 {
		return 0
	}
	c, begins := w.cell(uintptr(p), cellMemory)
	if c == nil {
		w.visitTable(p, pl, count, how, slot)
		return 0
	}
	v := *c
	if v == 0 && !pl.view && len(w.lists.batches) < listsLimit {
		v = w.enlist(p, pl, count, false, how, slot) + 1
		*c = v
		if !begins {
			*c |= cellInside
		}
		return v
	}
	if v&(cellTable|cellInside) == 0 && begins && count == 1 && v != 0 && w.lists.batches[(v-1)>>batchBits].list == pl.lists[0] {
		return v
	}
	return w.revisit(c, p, pl, count, how, slot)
}

// noted does what visit does in the two cases that are by far the most frequent: nothing is known
// of the allocation, or just this. k is the list for such regions, if there is one. In other cases
// it returns 0.
func (w *walker) noted(p unsafe.Pointer, pl *plan, k *regionList, count int) uint32 {
	c, begins := w.cell(uintptr(p), cellMemory)
	if c == nil || k == nil || w.tracing {
		return 0
	}
	v := *c
	if v == 0 {
		b := k.tail
		if len(b.ptrs) == 1<<batchBits {
			return 0
		}
		i := len(b.ptrs)
		v = b.index<<batchBits | uint32(i) + 1
		b.ptrs = append(b.ptrs, uintptr(p))
		if k.many {
			b.setCount(i, count)
			if pl.text {
				w.draftText(k, p, count)
			}
		}
		k.n++
		*c = v
		if !begins {
			*c |= cellInside
		}
		if len(pl.slots) > 0 && !k.queued {
			k.queued = true
			w.pending = append(w.pending, k)
		}
		return v
	}
	if v&(cellTable|cellInside) != 0 || !begins {
		return 0
	}
	if b, i := w.lists.at(v - 1); b.list == k && (!k.many || count <= b.count(i)) {
		return v
	}
	return 0
}

// enlist makes an entry of a list and returns its number.
func (w *walker) enlist(p unsafe.Pointer, pl *plan, count int, box bool, how relation, slot unsafe.Pointer) uint32 {
	k := w.lists.list(pl, count, box)
	if pl.text && !w.tracing {
		w.draftText(k, p, count)
	}
	n := w.lists.add(k, uintptr(p), count)
	if w.tracing {
		b, _ := w.lists.at(n)
		b.traces = append(b.traces, w.newTrace(pl, count, how, slot))
	}
	if len(pl.slots) > 0 && !k.queued {
		k.queued = true
		w.pending = append(w.pending, k)
	}
	return n
}

// mostRegions is how many regions of one allocation are kept in lists.
const mostRegions = 16

// revisit notes a reference into an allocation of which something is known.
func (w *walker) revisit(c *uint32, p unsafe.Pointer, pl *plan, count int, how relation, slot unsafe.Pointer) uint32 {
	v := *c
	if v&cellTable == 0 {
		x, end := uintptr(p), uintptr(p)+pl.native*uintptr(count)
		n := 0
		separate := !pl.view && v != 0
		for r := v & cellNumber; r != 0 && separate; r = w.lists.after(r) {
			b, i := w.lists.at(r - 1)
			n++
			if end <= b.ptrs[i] || x >= b.end(i) {
				continue
			}
			if w.covers(b, i, x, end, pl, count) {
				if b.ptrs[i] == x {
					return r
				}
				return 0
			}
			if b.list.plan == pl && b.ptrs[i] == x && b.list.many && n == 1 && w.lists.after(r) == 0 {
				w.extend(b, i, count, how, slot)
				return r
			}
			separate = false
		}
		if separate && n < mostRegions && len(w.lists.batches) < listsLimit {
			r := w.enlist(p, pl, count, false, how, slot)
			w.lists.link(r, v&cellNumber)
			*c = (r + 1) | cellInside
			return r + 1
		}
		w.toTable(c)
	}
	w.visitTable(p, pl, count, how, slot)
	return 0
}

// covers reports whether a region has, at an address within it, values of a type.
func (w *walker) covers(b *batch, i int, x, end uintptr, pl *plan, count int) bool {
	o := b.list.plan
	switch off := x - b.ptrs[i]; {
	case x < b.ptrs[i] || end > b.end(i) || o.text && !pl.text:
		return false
	case o.Type == pl.Type:
		return off%o.native == 0
	default:
		return o.holds(uint64(b.count(i)), w.wireOffset(o, off), pl.Type, uint64(count))
	}
}

// extend makes a region larger that is the only one in its allocation.
func (w *walker) extend(b *batch, i, count int, how relation, slot unsafe.Pointer) {
	done, k := b.count(i), b.list
	b.setCount(i, count)
	if w.isScanned(b, i) {
		k.drafted(b.number(i), done)
	}
	if len(k.plan.slots) > 0 && w.isScanned(b, i) {
		w.push(unsafe.Add(b.pointer(i), uintptr(done)*k.plan.native), k.plan, count-done, how, slot)
	}
}

// isScanned reports whether what a region refers to has been visited, or is just being.
func (w *walker) isScanned(b *batch, i int) bool {
	k := b.list
	if k.done == k.n {
		return true
	}
	current := k.batches[k.done>>batchBits].index
	if b.index == current {
		return i < k.done&(1<<batchBits-1)
	}
	return b.index < current // batches are made in order
}

// toTable moves the regions of an allocation from the lists to the table, where those that overlap
// are told apart.
func (w *walker) toTable(c *uint32) {
	v := *c
	*c = cellTable
	for r := v & cellNumber; r != 0; {
		b, i := w.lists.at(r - 1)
		p, pl, count := b.pointer(i), b.list.plan, b.count(i)
		n := w.mem.add(region{p, pl, count})
		if w.tracing {
			w.tableTraces[n] = b.traces[i]
		}
		if len(pl.slots) > 0 {
			w.cover(p, pl, count)
			if !w.isScanned(b, i) {
				b.list.drafted(r-1, 0)
				it := item{ptr: p, plan: pl, count: count}
				if w.tracing {
					it.trace = b.traces[i]
				}
				w.todo = append(w.todo, it)
			}
		}
		r = w.lists.after(r)
		b.ptrs[i] = 0
		b.moved++
	}
}

// tabled makes sure that what is found in the allocation at p goes to the table.
func (w *walker) tabled(p unsafe.Pointer) {
	if c, _ := w.cell(uintptr(p), cellMemory); c != nil && *c != cellTable {
		w.toTable(c)
	}
}

// visitTable is visit for memory that is not in lists.
func (w *walker) visitTable(p unsafe.Pointer, pl *plan, count int, how relation, slot unsafe.Pointer) {
	if p == zeroSized && how == byPointer {
		w.visit(w.nowhere(pl, count), pl, count, how, slot)
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
		if how == byPointer && w.failed == nil && pl.rt.Kind() == reflect.Struct && descriptions()[p] {
			w.note(slot)
			w.failed = &refusal{typeText(pl.rt), "it is the runtime's description of a type, which the program has by package unsafe, and is not declared as such: with two of uintptr and a uint32 first"}
		}
		n := w.mem.add(region{p, pl, count})
		if w.tracing {
			w.tableTraces[n] = w.newTrace(pl, count, how, slot)
		}
	}
	if len(pl.slots) == 0 && w.unknown(p) == nil {
		return
	}
	if count*len(pl.slots) < smallScan {
		w.push(unsafe.Add(p, uintptr(done)*pl.native), pl, count-done, how, slot)
		return
	}
	for _, gap := range w.cover(p, pl, count) {
		w.push(unsafe.Add(p, gap.off-uintptr(p)), pl, int(gap.len/pl.native), how, slot)
	}
}

// smallScan is how many references may be visited again because slices of one array overlap.
const smallScan = 64

// cover notes that an array is scanned, and returns the parts of it that have not been yet. So, of
// many slices of one array, each part is scanned once.
func (w *walker) cover(p unsafe.Pointer, pl *plan, count int) []span {
	if count*len(pl.slots) < smallScan {
		return nil
	}
	c := w.covered[pl]
	if c == nil {
		c = new(coverage)
		w.covered[pl] = c
	}
	return c.add(uintptr(p), uintptr(p)+pl.native*uintptr(count))
}

func (w *walker) newTrace(pl *plan, count int, how relation, slot unsafe.Pointer) int {
	w.traces = append(w.traces, trace{parent: w.current, off: uintptr(slot) - uintptr(w.base), how: how, plan: pl, count: count})
	return len(w.traces) - 1
}

func (w *walker) push(p unsafe.Pointer, pl *plan, count int, how relation, slot unsafe.Pointer) {
	it := item{p, pl, count, 0}
	if w.tracing {
		it.trace = w.newTrace(pl, count, how, slot)
	}
	if w.unknown(p) != nil {
		w.aside = append(w.aside, it)
		return
	}
	w.todo = append(w.todo, it)
}

// run follows references until nothing is left to do but aside.
func (w *walker) run() error {
	for {
		if n := len(w.pending); n > 0 {
			if err := w.scanList(w.pending[n-1]); err != nil {
				return err
			}
			continue
		}
		if len(w.todo) == 0 {
			return w.failed
		}
		it := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		if err := w.scanItem(it); err != nil {
			return err
		}
	}
}

// scanList scans what is to be done of the list on top of the pending ones.
func (w *walker) scanList(k *regionList) error {
	top := len(w.pending) - 1
	drafted := w.drafts(k)
	until := k.done
	for k.done < k.n {
		if drafted && !k.many && k.done >= until {
			until = w.ahead(k)
		}
		b, i := k.region(k.done)
		k.done++
		if drafted {
			if err := w.draft(k, b, i); err != nil {
				return err
			}
			continue
		}
		if b.ptrs[i] == 0 {
			continue
		}
		it := item{ptr: b.pointer(i), plan: k.plan, count: 1}
		it.count = b.count(i)
		if w.tracing {
			it.trace = b.traces[i]
		}
		if err := w.scanItem(it); err != nil {
			return err
		}
	}
	k.queued = false
	w.pending = append(w.pending[:top], w.pending[top+1:]...)
	return nil
}

func (w *walker) scanItem(it item) error {
	if len(it.plan.slots) == 0 {
		return nil
	}
	w.current, w.base, w.item = it.trace, it.ptr, it
	for i := range it.count {
		if err := w.scan(unsafe.Add(it.ptr, uintptr(i)*it.plan.native), it.plan.slots); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) scan(p unsafe.Pointer, slots []slot) error {
	for i := range slots {
		s := &slots[i]
		q := unsafe.Add(p, s.off)
		switch s.op {
		case opObject:
			if x := *(*unsafe.Pointer)(q); x != nil && w.noted(x, s.target, s.target.lists[0], 1) == 0 {
				w.visit(x, s.target, 1, byPointer, q)
			}
		case opPointer:
			if x := *(*unsafe.Pointer)(q); x != nil {
				if err := w.pointer(x, s.target, q); err != nil {
					return err
				}
			}
		case opString:
			if x := *(*string)(q); len(x) > 0 {
				p, pl := unsafe.Pointer(unsafe.StringData(x)), w.bytes()
				if w.noted(p, pl, pl.lists[1], len(x)) == 0 {
					w.visit(p, pl, len(x), byString, q)
				}
			}
		case opSlice:
			if x := (*sliceHeader)(q); x.data != nil && x.cap > 0 {
				w.visit(x.data, s.target, x.cap, bySlice, q)
				w.looseIn(x.data, x.cap, s.pointee, q)
			}
		case opArray:
			for i := range s.n {
				if err := w.scan(unsafe.Add(q, uintptr(i)*s.target.native), s.target.slots); err != nil {
					return err
				}
			}
			w.looseIn(q, s.n, s.pointee, q)
		case opInterface:
			x := (*words)(q)
			if x.typ == nil {
				continue
			}
			if _, _, err := w.held(x, s, q); err != nil {
				return err
			}
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
		case opIterator:
			if err := w.iterator(s, q); err != nil {
				return err
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
		case opProcess:
			if !processEnded(q) {
				w.note(q)
				return &refusal{typeText(s.target.rt), "a child process can't be taken along; wait for it before the checkpoint"}
			}
		case opFrames:
			findFrames((*runtime.Frames)(q))
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

// bytes returns the plan for the bytes of strings. It is not that of type byte, so that what only
// strings refer to can be told.
func (w *walker) bytes() *plan {
	if w.text == nil {
		w.newText()
	}
	return w.text
}

func (w *walker) newText() {
	p := *w.of(typeOfByte)
	p.text, p.head, p.flatElem, p.lists = true, false, &p, [5]*regionList{}
	w.text = &p
}

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
		if target.native == 0 || !isZero(x, target.native) {
			return w.refusal(target, q)
		}
	}
	if (target.wide || len(target.slots) == 0 && target.rt.Kind() == reflect.Array) && smallerThan(x, target) {
		w.note(q)
		return &refusal{typeText(target.rt), "its allocation is smaller than the type, to which the program converts pointers by package unsafe"}
	}
	if target.head && target.native == 0 && leadsElsewhere(x) {
		w.note(q)
		return &refusal{typeText(target.rt), "it leads to something else, as the program keeps such pointers in the place of others by package unsafe"}
	}
	if target.first && x != zeroSized {
		w.first(x, target, q)
	}
	if target.part && target.rt.Kind() == reflect.Array && x != zeroSized {
		w.array(x, target, q)
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
	case opPointer, opObject:
		return w.pointer(x, s.target, q)
	case opHandle:
		return w.pointer(x, s.target.elem, q)
	case opWeak:
		w.weak(s, x, q)
		return nil
	case opMap:
		return w.mapped(x, s.target, q)
	case opChan:
		return w.channel(x, s.target, q)
	case opFunc:
		return w.function(x, s.target, q)
	case opType:
		_, err := w.findable(w.of(described(x)), q)
		return err
	case opCode:
		return w.code((*runtime.Func)(x), s.target, q)
	case opBlank:
		if isDescriptor(x) {
			_, err := w.findable(w.of(described(x)), q)
			return err
		}
		return w.pointer(x, s.target, q)
	case opUnsafe:
		if x == zerobase() {
			return nil
		}
		if p := w.item.plan; (p.header() == reflect.Invalid || p.isDescribed()) && isDescriptor(x) {
			_, err := w.findable(w.of(described(x)), q)
			return err
		}
		l := loose{to: x, pointee: s.pointee, trace: w.current, off: uintptr(q) - uintptr(w.base)}
		if w.item.plan.view {
			l.view = q
			l.words = w.item.count == 1 && w.words[w.item.plan.rt] && uintptr(q)-uintptr(w.item.ptr) == w.item.plan.firstUnsafe()
		}
		w.loose = append(w.loose, l)
		return nil
	case opTold:
		return w.tell(s, x, q)
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

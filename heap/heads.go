package heap

import (
	"iter"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// A program can turn a pointer to a struct into one to a larger struct that it is the first part
// of, by package unsafe: what it holds is a pointer to the part, which keeps the whole alive. What
// the whole is nothing tells, and a copy of the part would be too short, unless the part tells
// (wholeOf), or there is one only that the allocation can be (wholes.go). The part can also be a
// number. The precompiler finds the types of such parts ([Options].Heads), and of the larger
// structs ([Options].Wide): as long as a program takes a part for the whole, what follows it in
// memory is something else.
//
// Or it adds to the pointer, as the part is an element of an array: then what it adds to leads to
// any of the others, and the array has to be one object again. It is known as one if its elements
// are found one by one (arrayAt).
//
// Or the part is a later field, from which the program subtracts to come to the whole, as in lists
// whose links are fields of what is in the list. The precompiler finds the larger structs
// ([Options].Holders), and the allocation tells which of them it can be (holderOf). Where the field
// is a number without a name of its own nothing is refused: as a rule such a pointer leads to no
// struct.
//
// Where a program takes numbers, as a [4]byte, for something with references, or the other way
// about, and keeps the pointer to the numbers, the run that these are in tells whether they are
// ones (scanned.go).
//
// A large allocation with references has a word before it by which the garbage collector knows its
// type. That tells all.

// wholeHeads returns an error if a head is saved of which the allocation has more than is saved.
func (c *capturing) wholeHeads() error {
	if len(c.opt.Heads) == 0 {
		return nil
	}
	const why = "it is the beginning of something larger that nothing else leads to, and the program converts pointers to it by package unsafe"
	for _, f := range c.arrays {
		if c.isAllOf(f) {
			return c.refuseFirst(f, "it is something with references that nothing else leads to, and the program converts pointers to it by package unsafe")
		}
	}
	head := func(p *plan, box bool) bool { return p.head && !box }
	return c.firstMisused(head, func(p *plan, x unsafe.Pointer, _ int) bool { return c.partial(p, x) || c.doubtful(p, x) }, why)
}

// partial reports whether the allocation of a head has more than is saved.
func (c *capturing) partial(p *plan, x unsafe.Pointer) bool {
	if !p.head {
		return false
	}
	o, ok := c.into(x)
	if !ok || o.ptr != x || o.plan.text || o.count > 1 && p.rt.Kind() != reflect.Struct {
		return false // several numbers are a slice
	}
	if p.part && len(p.slots) == 0 && isScanned(x) && c.alone(p, x) {
		return true
	}
	return largerThan(x, o.plan, o.count) || c.leadsOn(x, o) || p.part && c.alone(p, x) && inside(x, p)
}

// doubtful reports whether a head at x that is all that is saved there may be the beginning of a
// larger struct, although its allocation is as large as one of a head: their sizes are rounded.
func (c *capturing) doubtful(p *plan, x unsafe.Pointer) bool {
	return p.part && p.rt.Kind() == reflect.Struct && len(c.begunBy(p).wholes) > 0 && c.alone(p, x) && len(c.wholesAt(p, x)) > 0
}

// alone reports whether a value at x is all that is saved there.
func (c *capturing) alone(p *plan, x unsafe.Pointer) bool {
	o, ok := c.into(x)
	return ok && o.ptr == x && o.plan.Type == p.Type && o.count == 1
}

// leadsOn reports whether an allocation that is so small that values without references may share
// it begins with such a value, at x, and has an address: it is something else, as what is shared
// has none.
func (c *capturing) leadsOn(x unsafe.Pointer, o object) bool {
	base, size := extent(uintptr(x))
	return size > 0 && size <= tiny && uintptr(x) == base && o.end() < base+size && len(o.plan.slots) == 0 && c.hasAddress(x, size)
}

// inside reports whether a value at x is not the first in an allocation, which it does not share
// with others.
func inside(x unsafe.Pointer, p *plan) bool {
	base, size := extent(uintptr(x))
	if size > headerless {
		base += headerWord // there may be one
	}
	return size > 0 && uintptr(x) > base && !(p.sharesTiny(p.native) && size <= tiny)
}

// followHeads visits the whole structs of the heads that tell what they are a part of, and the
// whole arrays that they are elements of, and reports whether there was any.
func (c *capturing) followHeads() bool {
	type found struct {
		x     unsafe.Pointer
		whole *plan
		n     int
		trace trace
	}
	var list []found
	if len(c.opt.Heads) == 0 {
		return false
	}
	seen := make(map[unsafe.Pointer]bool) // what is found
	look := func(p *plan, x unsafe.Pointer, traced func() trace) {
		f := found{x: x, n: 1}
		if c.partial(p, x) {
			if f.whole = c.wholeOf(p.rt, x); f.whole == nil {
				f.x, f.whole = c.holderOf(p.rt, x)
			}
			if f.whole == nil {
				f.x, f.whole = x, c.wholeAt(p, x)
			}
		} else if c.doubtful(p, x) {
			f.whole = c.wholeAt(p, x)
		} else if p.field && c.alone(p, x) && inside(x, p) {
			f.x, f.whole = c.holderOf(p.rt, x)
		}
		if f.whole == nil {
			f.x, f.whole, f.n = c.allocationOf(p, x)
		}
		if f.whole == nil || seen[f.x] {
			return
		}
		seen[f.x] = true
		if c.tracing {
			f.trace = traced()
		}
		list = append(list, f)
	}
	for _, b := range c.lists.batches {
		if b.list.box || !b.list.plan.head {
			continue
		}
		for i := range b.ptrs {
			if b.ptrs[i] != 0 {
				look(b.list.plan, b.pointer(i), func() trace { return c.traces[b.traces[i]] })
			}
		}
	}
	for i := range c.mem.n {
		if r := c.mem.at(i); r.plan != nil && r.plan.head {
			look(r.plan, r.ptr, func() trace { return c.traces[c.tableTraces[i]] })
		}
	}
	for _, f := range list {
		c.visitFrom(f.trace.parent, f.trace.off, f.x, f.whole, f.n)
	}
	return len(list) > 0
}

// allocationOf returns what the allocation of a head at x is, if that is known and more of it than
// the head is to be saved: n values of a type.
func (c *capturing) allocationOf(head *plan, x unsafe.Pointer) (start unsafe.Pointer, whole *plan, n int) {
	o, ok := c.into(x)
	base, size := extent(uintptr(x))
	if !ok || size <= head.native || o.plan.Type != head.Type || uintptr(o.ptr) < base || o.count > 1 && head.rt.Kind() != reflect.Struct {
		return nil, nil, 0
	}
	start, whole = unsafe.Add(x, -int(uintptr(x)-base)), head
	if rt := typeOfAllocation(start, size); rt != nil && tellsOf(rt, head, uintptr(x)-base) && !shaped(rt, head.rt) {
		start = unsafe.Add(start, headerWord)
		for rt.Kind() == reflect.Array {
			rt = rt.Elem()
		}
		whole = c.of(rt)
		n = int((size - headerWord) / whole.native)
	} else if o.ptr == start && !largerThan(start, head, o.count) {
		return nil, nil, 0 // all of it
	} else if size >= 2*head.native && (uintptr(x)-base)%head.native == 0 {
		n = c.arrayAt(start, head, size)
	}
	if n == 0 || uintptr(o.ptr) <= uintptr(start) && o.end() >= uintptr(start)+uintptr(n)*whole.native {
		return nil, nil, 0
	}
	if _, err := c.findable(whole, x); err != nil || whole.refuse != "" {
		return nil, nil, 0
	}
	return start, whole, n
}

// tellsOf reports whether the type before an allocation is that of what a head is in, at an offset.
// If a head has no references the allocation may have none either, and no word for its type, but a
// number that looks like one: the head has to be where the type has one.
func tellsOf(rt reflect.Type, head *plan, off uintptr) bool {
	if len(head.slots) > 0 {
		return true
	}
	for rt.Kind() == reflect.Array {
		rt = rt.Elem()
	}
	return off >= headerWord && rt.Size() > 0 && (off-headerWord)%rt.Size() == 0 && beginsWith(rt, head.rt)
}

// arrayAt returns how many heads follow each other in the allocation of a size at start: up to the
// last one that is known, if each before it is known or zero and there are several. What is behind
// them must be what an allocation of so many is longer than they are. It returns 0 if they are no
// array.
func (c *capturing) arrayAt(start unsafe.Pointer, head *plan, size uintptr) (n int) {
	known := make([]bool, size/head.native)
	several := 0
	for o := range c.objectsIn(start, size) {
		off := uintptr(o.ptr) - uintptr(start)
		if o.plan.Type != head.Type || off%head.native != 0 || o.end() > uintptr(start)+size {
			return 0
		}
		first := int(off / head.native)
		for i := range o.count {
			known[first+i] = true
		}
		several += o.count
		n = max(n, first+o.count)
	}
	for i := range n {
		if !known[i] && !isZero(unsafe.Add(start, uintptr(i)*head.native), head.native) {
			return 0
		}
	}
	if several < 2 || largerThan(start, head, n) {
		return 0
	}
	return n
}

// objectsIn yields what is known in an allocation.
func (c *capturing) objectsIn(start unsafe.Pointer, size uintptr) iter.Seq[object] {
	return func(yield func(object) bool) {
		if cell, _ := c.cell(uintptr(start), cellMemory); cell != nil && *cell&cellTable == 0 {
			for v := *cell & cellNumber; v != 0; v = c.lists.after(v) {
				b, i := c.lists.at(v - 1)
				if !yield(object{ptr: b.pointer(i), plan: b.list.plan, count: b.count(i), region: v - 1}) {
					return
				}
			}
			return
		}
		for _, o := range c.objects[max(0, after(c.objects, start)-1):] {
			if uintptr(o.ptr) >= uintptr(start)+size || o.end() > uintptr(start) && !yield(o) {
				return
			}
		}
	}
}

const (
	headerWord = 8                                                         // bytes before an allocation
	headerless = 8 * unsafe.Sizeof(uintptr(0)) * unsafe.Sizeof(uintptr(0)) // the size of the largest without: what the bits of a word can tell of
)

// typeOfAllocation returns the type of the values in an allocation with references, if it is one
// that begins with a word for that: where values of a type were allocated that is no array, there
// may be several. It returns nil if there is none.
func typeOfAllocation(base unsafe.Pointer, size uintptr) reflect.Type {
	if size <= headerless || size > 32<<10 {
		return nil
	}
	d := *(*unsafe.Pointer)(base)
	if d == nil || !isDescriptor(d) {
		return nil
	}
	return described(d)
}

// shaped reports whether the type of an allocation is another one than the values have that are
// used there, as the code of a generic function allocates what has a type parameter: one that
// stands for several types with the same layout, and for all pointers for pointers to bytes. It
// tells of the values if it is no pointer that it stands for, and their head is the same for all.
func shaped(rt, head reflect.Type) bool {
	for rt.Kind() == reflect.Array {
		rt = rt.Elem()
	}
	name := rt.String()
	return strings.Contains(name, "go.shape.*uint8") || strings.Contains(name, "go.shape.") && !beginsWith(rt, head)
}

// wholeOf returns the type of the struct that the head at x begins, or nil if the head does not
// tell. It does, as those of the messages of protocol buffers do, if a field leads to a struct that
// has the type, by package reflect, of pointers to a struct that such a head begins, and the
// allocation is as large as one.
func (c *capturing) wholeOf(head reflect.Type, x unsafe.Pointer) *plan {
	if head.Kind() != reflect.Struct {
		return nil
	}
	for i := range head.NumField() {
		f := head.Field(i)
		if f.Type.Kind() != reflect.Pointer || f.Type.Elem().Kind() != reflect.Struct {
			continue
		}
		about := *(*unsafe.Pointer)(unsafe.Add(x, f.Offset))
		if about == nil {
			continue
		}
		for i := range f.Type.Elem().NumField() {
			g := f.Type.Elem().Field(i)
			if g.Type != reflect.TypeFor[reflect.Type]() {
				continue
			}
			rt := *(*reflect.Type)(unsafe.Add(about, g.Offset))
			if rt == nil || rt.Kind() != reflect.Pointer || !beginsWith(rt.Elem(), head) {
				continue
			}
			whole := c.of(rt.Elem())
			if _, err := c.findable(whole, x); err == nil && !largerThan(x, whole, 1) && !smallerThan(x, whole) {
				return whole
			}
		}
	}
	return nil
}

// holderOf returns where the struct begins of which the head at x is a later field, and its type:
// one to which the program makes pointers of those to such fields ([Options].Holders). The
// allocation has to be able to be one, and no other of them.
func (c *capturing) holderOf(head reflect.Type, x unsafe.Pointer) (start unsafe.Pointer, whole *plan) {
	base, size := extent(uintptr(x))
	for _, rt := range c.opt.Holders {
		p := c.of(rt)
		for off := range offsetsOf(rt, head) {
			if size == 0 || off > uintptr(x)-base {
				continue
			}
			from := unsafe.Add(x, -int(off))
			if !p.begins(uintptr(from), base, size) || !p.canBeAt(from) || !p.leadsAt(from) {
				continue
			}
			if _, err := c.findable(p, x); err != nil || p.refuse != "" || whole != nil {
				return nil, nil
			}
			start, whole = from, p
		}
	}
	return start, whole
}

// leadsAt reports whether the pointers of a value can be what is at x.
func (p *plan) leadsAt(x unsafe.Pointer) bool {
	for i := range p.slots {
		if s := &p.slots[i]; (s.op == opPointer || s.op == opObject) && !isAddress(*(*uintptr)(unsafe.Add(x, s.off))) {
			return false
		}
	}
	return true
}

// offsetsOf yields where fields of a struct have a type, also those of its fields.
func offsetsOf(rt, field reflect.Type) iter.Seq[uintptr] {
	return func(yield func(uintptr) bool) {
		if rt.Kind() != reflect.Struct {
			return
		}
		for i := range rt.NumField() {
			f := rt.Field(i)
			if f.Type == field && !yield(f.Offset) {
				return
			}
			for off := range offsetsOf(f.Type, field) {
				if !yield(f.Offset + off) {
					return
				}
			}
		}
	}
}

// beginsWith reports whether the first part of a type is a head, maybe by another name of the same
// struct.
func beginsWith(rt, head reflect.Type) bool {
	if rt.Kind() != reflect.Struct {
		return false
	}
	for i := 0; i < rt.NumField() && rt.Field(i).Offset == 0; i++ { // those before the last have no size
		if t := rt.Field(i).Type; t.ConvertibleTo(head) || beginsWith(t, head) {
			return true
		}
	}
	return false
}

// tiny is the size of the allocations that smaller values without references share.
const tiny = 16

// sharesTiny reports whether n bytes of values of a type can be in an allocation with others.
func (p *plan) sharesTiny(n uintptr) bool { return len(p.slots) == 0 && n < tiny }

// largerThan reports whether the allocation that begins at x is larger than one of count values
// would be. It is not certain for all; then it reports false.
func largerThan(x unsafe.Pointer, p *plan, count int) bool {
	n := p.native * uintptr(count)
	base, size := extent(uintptr(x))
	header := uintptr(x) - base // 8 bytes, of allocations with references and more than 512 bytes, or 128 if words have 32 bits
	if n == 0 || size <= n || header > 8 {
		return false
	}
	if p.sharesTiny(n) && size <= tiny {
		return false
	}
	return size > uintptr(cap(append([]byte(nil), make([]byte, n+header)...)))
}

// smallerThan reports whether a value at x would not fit into the allocation. It is not certain for
// all; then it reports false.
func smallerThan(x unsafe.Pointer, p *plan) bool {
	base, size := extent(uintptr(x))
	return size > 0 && uintptr(x)-base+p.native > size
}

// leadsElsewhere reports whether a pointer to what has no size leads to something that has: values
// without a size are all at one address, or variables. A func value without captured variables
// leads to a word in the binary that is the address of the function.
func leadsElsewhere(x unsafe.Pointer) bool {
	if x == zeroSized {
		return false
	}
	if base, _, _ := findObject(uintptr(x), 0, 0); base != 0 {
		return true
	}
	if uintptr(x)%word != 0 || !readable(x, word) { // what has no size can be anywhere
		return false
	}
	entry := *(*uintptr)(x)
	fn := runtime.FuncForPC(entry)
	return fn != nil && fn.Entry() == entry
}

// extent returns the beginning and the size of the allocation that x leads into; the size is 0 if
// it is not known.
func extent(x uintptr) (base, size uintptr) {
	const page = 1 << pageBits
	base, run, index := findObject(x, 0, 0)
	switch {
	case base == 0:
		return 0, 0
	case base%page != 0: // the one before is at least partly in the same page, and of the same size
		before, _, _ := findObject(base-1, 0, 0)
		if before == 0 {
			return base, 0
		}
		return base, base - before
	}
	// At the beginning of a page, another one follows in the same page if they are small.
	for off := uintptr(8); off <= page/2; off *= 2 {
		if next, _, _ := findObject(base+off, 0, 0); next != base {
			return base, next - base
		}
	}
	// Others are found by where the run begins and how many pages it has. That is the same in all
	// releases of Go so far.
	r := (*[5]uintptr)(run) // next, previous, list, address, pages
	start, length := r[3], r[4]*page
	if start > base || start%page != 0 || base-start >= length || r[4] > 1<<40/page || index == 0 && start != base {
		return base, 0
	}
	if index > 0 {
		return base, (base - start) / index
	}
	// At most an eighth of a run is left over at its end. Only addresses that are certainly not
	// there can be asked for.
	const largest, step = 32 << 10, 128
	for off := uintptr(page / 2); off <= largest && off < length-length/8; off += step {
		if next, _, _ := findObject(base+off, 0, 0); next != base {
			return base, next - base
		}
	}
	if end := endOf(run, start, length); end > 0 {
		return base, end - base
	}
	return base, length
}

// endOf returns where a large allocation ends, which has a run of pages of its own; 0 if that is
// not known. The runtime keeps that behind the size of the elements, which is all of the run. It
// ends the program if it finds an address that is in the run and behind the end.
func endOf(run unsafe.Pointer, start, length uintptr) uintptr {
	const page = 1 << pageBits
	words := (*[20]uintptr)(run)
	for i := 5; i+1 < len(words); i++ {
		if end := words[i+1]; words[i] == length && end > start+length-page && end <= start+length {
			return end
		}
	}
	return 0
}

// endsKnown tests that.
var endsKnown = sync.OnceValue(func() bool {
	type large [1<<16 + 24]byte
	x := new(large)
	base, size := extent(uintptr(unsafe.Pointer(x)))
	known := base == uintptr(unsafe.Pointer(x)) && size == unsafe.Sizeof(*x)
	runtime.KeepAlive(x)
	return known
})

package heap

import (
	"reflect"
	"sort"
	"sync"
	"unsafe"
)

// A loose reference is an unsafe pointer. Its type does not tell what it leads to, so it keeps
// nothing alive in the image: it can be saved if it leads into an object, or to a map or channel,
// that is saved because of other references. Where the memory that it stands in is an object of
// another type, such as an interface whose words the program looks at, that object's type tells.
type loose struct {
	to      unsafe.Pointer
	view    unsafe.Pointer // where it stands, if that may be a view of another value
	pointee *pointee       // what it leads to; nil: not known
	trace   int            // of the item that it was found in
	off     uintptr        // in the item
	words   bool           // it is the first unsafe pointer of what may be the words of an interface, see Options.Words
	whole   *plan          // what it leads to, if that has been looked for
	count   int            // how many of them, if it is the first of several
	listed  bool           // it is noted where its list was found, and also where it stands
}

// into returns the object that contains the byte at x. It is known when all has been merged.
func (w *walker) into(x unsafe.Pointer) (o object, ok bool) {
	if c, _ := w.cell(uintptr(x), cellMemory); c != nil && *c&cellTable == 0 {
		b, i, ok := w.lists.find(*c, uintptr(x))
		if !ok {
			return o, false
		}
		return object{ptr: b.pointer(i), plan: b.list.plan, count: b.count(i), region: b.number(i)}, true
	}
	if p := into(w.objects, x); p != nil {
		return *p, true
	}
	return o, false
}

// headed returns the reference for an unsafe pointer that is the one word of a map or channel, as
// reflect.Value.Pointer returns it. It is known when all has been merged.
func (w *walker) headed(x unsafe.Pointer) (word uint64, ok bool) {
	if m := w.maps[x]; m != nil && m.named == 0 {
		return reference(tagMap, uint64(m.number)), true
	}
	if c := w.chans[x]; c != nil && c.named == 0 {
		return reference(tagChan, uint64(c.number)), true
	}
	return 0, false
}

// into returns the object of those in order that contains the byte at x, or nil.
func into(objects []object, x unsafe.Pointer) *object {
	i := after(objects, x) - 1
	if i < 0 || uintptr(x) >= objects[i].end() {
		return nil
	}
	return &objects[i]
}

// after returns the first object behind the byte at x.
func after(objects []object, x unsafe.Pointer) int {
	return sort.Search(len(objects), func(i int) bool { return uintptr(objects[i].ptr) > uintptr(x) })
}

// looseIn notes n unsafe pointers from p on of which it is known what they lead to, by the slice or
// array at q.
func (w *walker) looseIn(p unsafe.Pointer, n int, pointee *pointee, q unsafe.Pointer) {
	if pointee == nil {
		return
	}
	for _, x := range unsafe.Slice((*unsafe.Pointer)(p), n) {
		if x != nil {
			w.loose = append(w.loose, loose{to: x, pointee: pointee, trace: w.current, off: uintptr(q) - uintptr(w.base), listed: true})
		}
	}
}

// isUnsafe reports whether a type is that of unsafe pointers, or of a slice or an array of them.
func isUnsafe(rt reflect.Type) bool {
	if k := rt.Kind(); k == reflect.Slice || k == reflect.Array {
		rt = rt.Elem()
	}
	return rt.Kind() == reflect.UnsafePointer
}

// A Pointee tells what the unsafe pointers of a type lead to, or those in a field of a struct type,
// which may be a slice or an array of them.
type Pointee struct {
	Of    reflect.Type
	Field string // empty for a type that is an unsafe.Pointer itself
	To    reflect.Type

	// If To is nil, the field is the data word of an interface whose words were taken apart: the
	// field Type, an unsafe.Pointer, leads to the description of the type. A string or slice of
	// bytes is kept without a header if Count is the name of a field: the data word leads to the
	// bytes, and that field, an integer, is their number.
	Type, Count string

	// Or Leads is the name of what it leads to. If there are several Pointees of a field, it leads
	// to one of them, which must be told by what is there. If the program has not just one type of
	// each name, it is not known. The field can also be one of all instances of a generic struct,
	// whose name Generic is, with the path of the package: then Leads is the name of what it leads
	// to with $i in the place of the i-th type argument. If the program has not just one type of
	// the name that this gives, it is not known. Together with Of, Generic is the name of the
	// owner: what an instance of it leads to by way of nothing but structs with such fields, and
	// structs, arrays and slices of these, has its type arguments. That tells which of several
	// types it is.
	Generic, Leads string

	// Several tells that it leads to the first of as many values as the allocation has. This is not
	// for what can be of several types.
	Several bool
}

type typeField struct {
	of    reflect.Type
	field string
}

func (pl *planner) setPointees(list []Pointee) {
	pl.pointees, pl.leads = make(map[typeField][]reflect.Type, len(list)), make(map[typeField][]string)
	pl.several = make(map[any]bool)
	pl.told, pl.templates = make(map[typeField]Pointee), make(map[genericField]string)
	for _, p := range list {
		key := typeField{p.Of, p.Field}
		switch {
		case p.Several && p.Generic != "":
			pl.several[genericField{p.Generic, p.Field}] = true
		case p.Several:
			pl.several[key] = true
		}
		switch {
		case p.Of != nil && p.Generic != "":
			if pl.owners == nil {
				pl.owners = make(map[string][]ownedField)
			}
			pl.owners[p.Generic] = append(pl.owners[p.Generic], ownedField{key, p.Leads})
		case p.Generic != "":
			pl.templates[genericField{p.Generic, p.Field}] = p.Leads
		case p.Leads != "":
			pl.leads[key] = append(pl.leads[key], p.Leads)
		case p.To == nil:
			pl.told[key] = p
		default:
			pl.pointees[key] = []reflect.Type{p.To}
		}
	}
}

// pointee returns what an unsafe pointer leads to, or nil.
func (pl *planner) pointee(of reflect.Type, field string) *pointee {
	var p pointee
	for _, to := range pl.leadsTo(of, field) {
		p.among = append(p.among, pl.plans[to])
	}
	if p.among == nil {
		return nil
	}
	p.several = pl.several[typeField{of, field}] || isInstance(of) && pl.several[genericField{genericOf(of), field}]
	return &p
}

// leadsTo returns the types of what an unsafe pointer can lead to, none if they are not known.
func (pl *planner) leadsTo(of reflect.Type, field string) []reflect.Type {
	key := typeField{of, field}
	to, ok := pl.pointees[key]
	if ok {
		return to
	}
	names := pl.leads[key]
	if len(pl.templates) > 0 && of.Kind() == reflect.Struct && isInstance(of) {
		if leads, ok := pl.templates[genericField{genericOf(of), field}]; ok {
			names = []string{instantiated(leads, typeArguments(of))}
		}
	}
	if names == nil {
		return nil
	}
	for _, name := range names {
		rt := typeNamed(name)
		if rt == nil {
			to = nil
			break
		}
		to = append(to, rt)
	}
	pl.pointees[key] = to
	return to
}

// follow visits what unsafe pointers lead to, where it is known and nothing else leads there, and
// reports whether there was any. It must be one object of Go's heap, or a small one that shares its
// allocation with others.
func (c *capturing) follow() bool {
	found := false
	for i := range c.loose {
		l := &c.loose[i]
		if l.words {
			found = c.followWords(l) || found
			continue
		}
		if l.pointee == nil {
			continue
		}
		o, ok := c.into(l.to)
		if l.pointee.several {
			found = c.leadSeveral(l) || found
			continue
		}
		if ok && l.pointee.isIn(&o, l.to) {
			continue
		}
		to := l.pointee.at(l.to)
		if to == nil {
			continue // see bind
		}
		found = c.lead(l, to) || found
	}
	return found
}

// lead visits what an unsafe pointer leads to, which is of a type, and reports whether it could.
func (c *capturing) lead(l *loose, to *plan) bool {
	l.pointee, l.whole = nil, to
	if to.native == 0 {
		return false
	}
	base, size := extent(uintptr(l.to))
	whole, shared := to.begins(uintptr(l.to), base, size), to.sharesTiny(to.native) && 0 < size && size <= tiny
	if !whole && !shared || smallerThan(l.to, to) {
		return false
	}
	if _, err := c.findable(to, l.to); err != nil {
		return false
	}
	c.visitFrom(l.trace, l.off, l.to, to, 1)
	if e := to.flatElem; to.first && len(e.slots) == 0 {
		c.firsts = append(c.firsts, first{l.to, e, l.trace, l.off})
	}
	return true
}

// firstUnsafe returns the offset of the first unsafe pointer of a struct of the words of an
// interface. The type is a number in some, or a pointer of another type.
func (p *plan) firstUnsafe() uintptr {
	if p.rt.Field(0).Type.Kind() != reflect.UnsafePointer {
		return p.rt.Field(1).Offset
	}
	return 0
}

// followWords visits an interface of which the program has nothing but a pointer to a struct of its
// words; l is the first unsafe pointer there. It reports whether it is one.
func (c *capturing) followWords(l *loose) bool {
	l.words = false
	base, size := extent(uintptr(l.view))
	if size != unsafe.Sizeof(words{}) {
		return false
	}
	q := unsafe.Add(l.view, -int(uintptr(l.view)-base))
	if !isDescriptor((*words)(q).typ) || c.isView(l.view) {
		return false
	}
	c.visitFrom(l.trace, l.off, q, c.of(reflect.TypeFor[any]()), 1)
	return true
}

// visitFrom visits count values that a reference leads to that was found at an offset in an item
// with the given trace.
func (c *capturing) visitFrom(trace int, off uintptr, to unsafe.Pointer, p *plan, count int) {
	n := len(c.traces)
	c.current, c.base = trace, to
	c.visit(to, p, count, byPointer, to)
	for ; n < len(c.traces); n++ {
		c.traces[n].off = off
	}
}

// bind looks whether all unsafe pointers lead into objects.
func (c *capturing) bind() error {
	for _, l := range c.loose {
		o, found := c.into(l.to)
		part := found && c.isMore(&l, &o)
		if found && c.isLost(&l, &o) {
			return c.unbound(&l, "it leads into the middle of a part of a "+typeText(o.plan.rt)+" that has no such address in another process")
		}
		if l.listed && !part {
			continue
		}
		if !found {
			_, found = c.headed(l.to)
		}
		if (!found || part) && !c.isView(l.view) {
			if part {
				return c.unbound(&l, "it leads to something larger than the "+typeText(o.plan.rt)+" that is all of it that the program also reaches by a pointer with a type")
			}
			for _, k := range c.loose {
				if k.to == l.to && k.pointee != nil {
					l.pointee = k.pointee
				}
			}
			return c.unbound(&l, l.pointee.untold())
		}
	}
	if err := c.wholeHeads(); err != nil {
		return err
	}
	if err := c.unpunned(); err != nil {
		return err
	}
	if err := c.unhidden(); err != nil {
		return err
	}
	return c.bindWeak()
}

// unbound returns the refusal of an unsafe pointer; if a capture has made it of a number, of that.
func (c *capturing) unbound(l *loose, reason string) error {
	for _, s := range c.numbers {
		if s.number() == uintptr(l.to) {
			c.noteNumber(s)
			return &refusal{s.kind(), reason}
		}
	}
	if c.tracing {
		c.traces[0].parent, c.traces[0].off = l.trace, l.off
	}
	return &refusal{"unsafe.Pointer", reason}
}

// isMore reports whether something leads to more than the object that it leads into has. If it is
// not known what that is, it can be told at the beginning of an allocation only.
func (c *capturing) isMore(l *loose, o *object) bool {
	switch {
	case l.whole != nil:
		return o.end()-uintptr(l.to) < l.whole.native*uintptr(max(l.count, 1))
	case l.pointee != nil && l.pointee.several:
		return !c.hasSeveral(o, l)
	case l.pointee != nil:
		return !l.pointee.isIn(o, l.to)
	}
	return o.ptr == l.to && o.count == 1 && !o.plan.text && largerThan(l.to, o.plan, 1)
}

// isLost reports whether something leads into an object where an image has no offset for it: to
// a byte in the middle of a reference, or into what is saved as something else.
func (c *capturing) isLost(l *loose, o *object) bool {
	off := uintptr(l.to) - uintptr(o.ptr)
	return off != 0 && c.nativeOffset(o.plan, c.wireOffset(o.plan, off)) != off
}

// isView reports whether what is saved of the memory at q is something else than an unsafe pointer.
func (c *capturing) isView(q unsafe.Pointer) bool {
	if q == nil {
		return false
	}
	o, ok := c.into(q)
	if !ok {
		return false
	}
	p := c.of(reflect.TypeFor[unsafe.Pointer]())
	return !o.plan.has(uint64(o.count), c.wireOffset(o.plan, uintptr(q)-uintptr(o.ptr)), p.Type, 1, (*Type).views)
}

// zerobase returns where Go's heap has all variables without size.
var zerobase = sync.OnceValue(func() unsafe.Pointer { return reflect.New(reflect.TypeFor[struct{}]()).UnsafePointer() })

// checkLoose checks a reference of an unsafe pointer: it leads to a byte of an object or of a
// variable, to a map or channel, or to what has no size.
func (im *Image) checkLoose(word uint64) bool {
	tag, n := split(word)
	off := uint64(0)
	if tag == tagInterior {
		if n >= uint64(len(im.interiors)) {
			return false
		}
		in := im.interiors[n]
		tag, n = split(in.base)
		off = in.off
	}
	switch tag {
	case tagZero:
		return n == 0
	case tagObject:
		if n == 0 || n > im.objects {
			return false
		}
		g := im.groupOf(n)
		return !g.box && off < g.elements(n-g.first)*g.typ.size
	case tagNamed:
		if n >= uint64(len(im.names)) {
			return false
		}
		x := &im.names[n]
		return x.variable && off < x.typ.size
	case tagMap:
		return off == 0 && n < uint64(len(im.maps))
	case tagChan:
		return off == 0 && n < uint64(len(im.chans))
	}
	return false
}

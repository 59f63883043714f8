package heap

import (
	"reflect"
	"sync"
	"unsafe"
	"weak"
)

// A weak.Pointer is a word that leads to a cell, which the runtime keeps for each address that has
// weak pointers. The cell holds the address until the collector finds that nothing else leads
// there, and is zero then. Two weak pointers are equal if their cells are the same, also when what
// they led to is gone.
//
// In the image the word is the reference of a pointer, if what it leads to is saved because of
// other references. If not, it is a reference to something of size zero with a number of its own,
// from 1. So a weak pointer keeps nothing alive. What is alive is a whole allocation: if a pointer
// to a field is saved, so is the struct that a weak pointer leads to.

// isWeak reports whether a type is one of weak pointers that can be saved.
func isWeak(rt reflect.Type) bool { return isWeakPointer(rt) && weakKnown() }

// isWeakPointer reports whether a type is weak.Pointer[T], or declared as that.
func isWeakPointer(rt reflect.Type) bool {
	return rt.Kind() == reflect.Struct && rt.NumField() == 2 && rt.Field(1).PkgPath == "weak" && rt.Field(1).Type.Kind() == reflect.UnsafePointer
}

// weakTarget returns *T for weak.Pointer[T].
func weakTarget(rt reflect.Type) reflect.Type { return rt.Field(0).Type.Elem() }

// weakKnown tests the layout on weak pointers in known states.
var weakKnown = sync.OnceValue(func() bool {
	type pointer = weak.Pointer[[2]int]
	rt := reflect.TypeFor[pointer]()
	if unsafe.Sizeof(pointer{}) != unsafe.Sizeof(uintptr(0)) || rt.NumField() != 2 ||
		rt.Field(0).Type != reflect.TypeFor[[0]*[2]int]() || rt.Field(1).Type.Kind() != reflect.UnsafePointer {
		return false
	}
	as := func(cell unsafe.Pointer) (p pointer) {
		*(*unsafe.Pointer)(unsafe.Pointer(&p)) = cell
		return p
	}
	x := &[2]int{1, 2}
	p, cell, gone := weak.Make(x), weakCell(unsafe.Pointer(x)), goneCell()
	return as(cell) == p && *(*uintptr)(cell) == uintptr(unsafe.Pointer(x)) && as(cell).Value() == x && weakStrong(cell) == unsafe.Pointer(x) &&
		as(gone).Value() == nil && as(gone) != as(goneCell())
})

// weakCell returns the word of a weak pointer to p, whatever its type.
func weakCell(p unsafe.Pointer) unsafe.Pointer {
	w := weak.Make((*byte)(p))
	return *(*unsafe.Pointer)(unsafe.Pointer(&w))
}

// weakStrong returns what the weak pointers of a word lead to, or nil.
func weakStrong(cell unsafe.Pointer) unsafe.Pointer {
	var w weak.Pointer[byte]
	*(*unsafe.Pointer)(unsafe.Pointer(&w)) = cell
	return unsafe.Pointer(w.Value())
}

// goneCell returns the word of a weak pointer that is equal to no other and leads to nothing.
func goneCell() unsafe.Pointer { return unsafe.Pointer(new([2]uintptr)) } // too large to share memory with others

// isWeak reports whether a type of an image is one of weak pointers.
func (t *Type) isWeak() bool {
	return t.Kind == reflect.Struct && len(t.Fields) == 2 && t.Fields[1].pkg == "weak" && t.size == t.word &&
		t.Fields[1].Type.Kind == reflect.Pointer && !isTypeDescriptor(t.Fields[1].Type.Elem.Name)
}

// A weakRef is a weak pointer that the walk has met.
type weakRef struct {
	target *plan
	to     unsafe.Pointer // what it leads to, which stays alive during the capture
	trace  int            // of the item that it was found in
	off    uintptr        // in the item
}

// weak notes a weak pointer, found at q.
func (w *walker) weak(s *slot, cell, q unsafe.Pointer) {
	if w.strong == nil {
		w.strong = make(map[unsafe.Pointer]unsafe.Pointer)
	}
	to, known := w.strong[cell]
	if !known {
		to = weakStrong(cell)
		w.strong[cell] = to
	}
	if to != nil {
		w.weaks = append(w.weaks, weakRef{s.target.elem, to, w.current, uintptr(q) - uintptr(w.base)})
	}
}

// followWeak visits what weak pointers lead to that is alive because of other references, and
// reports whether there was any.
func (c *capturing) followWeak() bool {
	found := false
	rest := c.weaks[:0]
	for _, r := range c.weaks {
		switch {
		case r.target.native == 0 || c.reached(r.to, r.target):
		case c.alive(r.to):
			c.visitFrom(r.trace, r.off, r.to, r.target, 1)
			found = true
		default:
			rest = append(rest, r) // perhaps later
		}
	}
	c.weaks = rest
	return found
}

// bindWeak looks whether variables that weak pointers lead to are saved. They are never gone.
func (c *capturing) bindWeak() error {
	for _, r := range c.weaks {
		if allocation(r.to) == 0 {
			if c.tracing {
				c.traces[0].parent, c.traces[0].off = r.trace, r.off
			}
			return &refusal{"weak.Pointer", "it leads to a package variable that is not saved"}
		}
	}
	return nil
}

// allocation returns the address of the object of Go's heap that x leads into, or 0 if it leads
// elsewhere.
func allocation(x unsafe.Pointer) uintptr {
	base, _, _ := findObject(uintptr(x), 0, 0)
	return base
}

// alive reports whether the allocation or variable at x is one of which something is saved.
func (c *capturing) alive(x unsafe.Pointer) bool {
	if c, _ := c.cell(uintptr(x), cellMemory); c != nil {
		return *c != 0
	}
	return into(c.objects, x) != nil
}

// reached reports whether what is saved at x has a value of a type there.
func (w *walker) reached(x unsafe.Pointer, p *plan) bool {
	p, count := p.flatElem, p.flatCount
	if c, _ := w.cell(uintptr(x), cellMemory); c != nil && *c&cellTable == 0 {
		b, i, ok := w.lists.find(*c, uintptr(x))
		return ok && w.covers(b, i, uintptr(x), uintptr(x)+p.native*uintptr(count), p, count)
	}
	if w.mem.find(x, p) >= 0 {
		return true
	}
	o := into(w.objects, x)
	return o != nil && o.plan.holds(uint64(o.count), w.wireOffset(o.plan, uintptr(x)-uintptr(o.ptr)), p.Type, uint64(count))
}

// weak returns the reference for a weak pointer.
func (e *encoder) weak(s *slot, cell unsafe.Pointer) uint64 {
	to, target := e.strong[cell], s.target.elem
	if to != nil && (target.native == 0 || e.reached(to, target)) {
		return e.address(to, target)
	}
	if e.gone == nil {
		e.gone = make(map[unsafe.Pointer]uint64)
	}
	if e.gone[cell] == 0 {
		e.gone[cell] = uint64(len(e.gone) + 1)
	}
	return reference(tagZero, e.gone[cell])
}

// checkWeak checks the reference of a weak pointer.
func (im *Image) checkWeak(word uint64, t *Type) error {
	if tag, n := split(word); tag == tagZero && n > 0 {
		return nil
	}
	return im.checkPointer(word, t, 1, false)
}

// weak returns the word of a weak pointer.
func (b *builder) weak(word uint64) unsafe.Pointer {
	tag, n := split(word)
	if tag != tagZero || n == 0 {
		return weakCell(b.pointer(word))
	}
	if b.gone == nil {
		b.gone = make(map[uint64]unsafe.Pointer)
	}
	if b.gone[n] == nil {
		b.gone[n] = goneCell()
	}
	return b.gone[n]
}

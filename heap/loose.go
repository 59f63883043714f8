package heap

import (
	"reflect"
	"sort"
	"unsafe"
)

// A loose reference is an unsafe pointer. Its type does not tell what it leads to, so it keeps
// nothing alive in the image: it can be saved if it leads into an object that is saved
// because of other references. Where the memory that it stands in is an object of another type, such as an interface
// whose words the program looks at, that object's type tells.
type loose struct {
	to    unsafe.Pointer
	view  unsafe.Pointer // where it stands, if that may be a view of another value
	trace int            // of the item that it was found in
	off   uintptr        // in the item
}

// into returns the object that contains the byte at x, or nil.
func into(objects []object, x unsafe.Pointer) *object {
	i := sort.Search(len(objects), func(i int) bool { return uintptr(objects[i].ptr) > uintptr(x) }) - 1
	if i < 0 || uintptr(x) >= objects[i].end() {
		return nil
	}
	return &objects[i]
}

// bind looks whether all unsafe pointers lead into objects.
func (c *capturing) bind() error {
	for _, l := range c.loose {
		if into(c.objects, l.to) == nil && !c.isView(l.view) {
			if c.tracing {
				c.traces[0].parent, c.traces[0].off = l.trace, l.off
			}
			return &refusal{"unsafe.Pointer", "it leads to nothing that the program also reaches by a pointer with a type"}
		}
	}
	return nil
}

// isView reports whether what is saved of the memory at q is something else than an unsafe pointer.
func (c *capturing) isView(q unsafe.Pointer) bool {
	o := into(c.objects, q)
	if q == nil || o == nil {
		return false
	}
	p := c.of(reflect.TypeFor[unsafe.Pointer]())
	return !o.plan.holds(uint64(o.count), c.wireOffset(o.plan, uintptr(q)-uintptr(o.ptr)), p.Type, 1)
}

// checkLoose checks a reference of an unsafe pointer: it leads to a byte of an object or of a variable.
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
	case tagObject:
		if n == 0 || n > im.objects {
			return false
		}
		g := im.groupOf(n)
		return !g.box && off < g.count*g.typ.size
	case tagNamed:
		if n >= uint64(len(im.names)) {
			return false
		}
		x := &im.names[n]
		return x.variable && off < x.typ.size
	}
	return false
}

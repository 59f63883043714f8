package heap

import (
	"reflect"
	"strconv"
	"unsafe"
)

// A program can keep a slice or string as a pointer to its first element, with the length somewhere
// else, and make a slice or string of it again by package unsafe. To the type that is a pointer to
// one value. For the types of which programs do that ([Options].Firsts), what follows in the
// allocation is saved with the value, up to something of another type that the program can reach.
// So are values that only had such neighbours; they are kept alive by the pointer in any case.
//
// The values have no references: what follows a last element may be what an allocation was used for
// before. Where the program also makes structs with references of such pointers ([Options].Heads),
// an address in what follows tells that it may be one of these, and the capture fails.

// A first is a pointer to what may be the first of several values.
type first struct {
	to     unsafe.Pointer
	target *plan
	trace  int     // of the item that it was found in
	off    uintptr // in the item
}

// isFirst reports whether pointers to a type are recorded, by the names of those that are.
func isFirst(types map[string]bool, rt reflect.Type) bool {
	if len(types) == 0 || rt.Size() == 0 {
		return false
	}
	dimensions := ""
	for ; rt.Kind() == reflect.Array && rt.Name() == ""; rt = rt.Elem() {
		dimensions += "[" + strconv.Itoa(rt.Len()) + "]"
	}
	name := nameOf(rt)
	if rt.PkgPath() != "" {
		name = genericOf(rt)
	}
	return name != "" && types[dimensions+name]
}

// first notes a pointer, found at q.
func (w *walker) first(x unsafe.Pointer, target *plan, q unsafe.Pointer) {
	if target = target.flatElem; len(target.slots) == 0 {
		w.firsts = append(w.firsts, first{x, target, w.current, uintptr(q) - uintptr(w.base)})
	}
}

// followFirsts visits what follows such values in their allocations, and reports whether there was
// any. It looks at each pointer once, when everything else has been found.
func (c *capturing) followFirsts() (bool, error) {
	type several struct {
		first
		n int
	}
	var found []several // visited when all are, as it is not known then what contains the others
	for _, f := range c.firsts {
		o, ok := c.into(f.to)
		if !ok || o.plan.Type != f.target.Type || c.isVariable(&o) {
			continue // a part of something that is known, or all of it
		}
		_, size := extent(uintptr(f.to))
		if size == 0 {
			if err := c.static(f, o); err != nil {
				return false, err
			}
			continue
		}
		n := int((c.free(f.to, o) - uintptr(f.to)) / f.target.native)
		if f.target.Type.hasBools() {
			n = boolsUpTo(f.target.rt, f.to, n)
		}
		if uintptr(f.to)+uintptr(n)*f.target.native > o.end() && n > 1 {
			if f.target.head && c.hasAddress(f.to, uintptr(n)*f.target.native) {
				return false, c.refuseFirst(f, "there is an address behind it, so it may be the beginning of something larger that nothing else leads to, and the program converts pointers to it by package unsafe")
			}
			found = append(found, several{f, n})
		}
	}
	c.firsts = nil
	for _, f := range found {
		c.visitFrom(f.trace, f.off, f.to, f.target, f.n)
	}
	return len(found) > 0, nil
}

// boolsUpTo returns how many of n values of a type at x have nothing but bools where it has bools.
// What has something else is no value of the type.
func boolsUpTo(rt reflect.Type, x unsafe.Pointer, n int) int {
	for i := range n {
		if !boolsAt(rt, unsafe.Add(x, uintptr(i)*rt.Size())) {
			return i
		}
	}
	return n
}

func boolsAt(rt reflect.Type, x unsafe.Pointer) bool {
	switch rt.Kind() {
	case reflect.Bool:
		return *(*byte)(x) <= 1
	case reflect.Array:
		return boolsUpTo(rt.Elem(), x, rt.Len()) == rt.Len()
	case reflect.Struct:
		for i := range rt.NumField() {
			if f := rt.Field(i); !boolsAt(f.Type, unsafe.Add(x, f.Offset)) {
				return false
			}
		}
	}
	return true
}

// free returns the end of the memory from x on, which object o contains, that no variable, and
// nothing of another type, is known to be in.
func (c *capturing) free(x unsafe.Pointer, o object) uintptr {
	base, size := extent(uintptr(x))
	end := base + size
	if cell, _ := c.cell(uintptr(x), cellMemory); *cell&cellTable == 0 {
		for v := *cell & cellNumber; v != 0; v = c.lists.after(v) {
			if b, i := c.lists.at(v - 1); b.ptrs[i] >= o.end() && b.list.plan.Type != o.plan.Type {
				end = min(end, b.ptrs[i])
			}
		}
		return end
	}
	for _, next := range c.objects[after(c.objects, x):] {
		if uintptr(next.ptr) >= end {
			break
		}
		if next.plan.Type != o.plan.Type || c.isVariable(&next) {
			return uintptr(next.ptr)
		}
	}
	return end
}

// zeroSized is where all values are that have no size.
var zeroSized = reflect.New(reflect.TypeFor[struct{}]()).UnsafePointer()

// static returns an error if a pointer leads into memory of the binary that is not a variable: the
// bytes of a constant, say, of which nothing tells how many there are.
func (c *capturing) static(f first, o object) error {
	if o.count > 1 || f.to == zeroSized || c.mem.find(o.ptr, o.plan) < 0 || c.unknown(f.to) != nil {
		return nil
	}
	return c.refuseFirst(f, "it leads to a constant of the program, and may be the first of several values, as the program makes slices or strings of such pointers by package unsafe")
}

// isVariable reports whether an object is a root, or a variable that is bound by name.
func (c *capturing) isVariable(o *object) bool {
	_, rooted := c.rooted[c.mem.find(o.ptr, o.plan)]
	return rooted || o.named > 0
}

// refuseFirst returns the error for a pointer that can't be saved.
func (c *capturing) refuseFirst(f first, why string) error {
	if c.tracing {
		c.traces[0].parent, c.traces[0].off = f.trace, f.off
	}
	return &refusal{typeText(f.target.rt), why}
}

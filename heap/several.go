package heap

import (
	"reflect"
	"slices"
	"unsafe"
)

// An unsafe pointer can be all that a program keeps of a slice ([Pointee].Several): it leads to the
// first of several values, and the program adds to it to come to the others. They are saved if they
// are a part of something larger that the program also reaches by its type, as an array that is a
// field of a struct, or if the allocation begins with them: then it is one of as many of them as it
// has room for. What is behind the last one is zero, as Go clears what it allocates, or without
// references. If the allocation can be of a struct that has such values only in its first part,
// nothing tells how many they are.
//
// A pointer to what is smaller than one of the values leads to none, but to something that the
// program keeps in their place, as for an empty table. It is one of which it is not known what it
// leads to.

// leadSeveral visits the values of which an unsafe pointer leads to the first one, if it is not
// known that they are saved, and reports whether it did.
func (c *capturing) leadSeveral(l *loose) bool {
	to := l.pointee.among[0]
	if to.native == 0 || smallerThan(l.to, to) {
		l.pointee = nil
		return false
	}
	if o, ok := c.into(l.to); ok && c.hasSeveral(&o, l) {
		return false
	}
	n := c.countAt(to, l.to)
	if n == 0 || to.refuse != "" {
		return false
	}
	if _, err := c.findable(to, l.to); err != nil {
		return false
	}
	l.pointee, l.whole, l.count = nil, to, n
	c.visitFrom(l.trace, l.off, l.to, to, n)
	return true
}

// hasSeveral reports whether an object has all values of which an unsafe pointer leads to the first
// one.
func (c *capturing) hasSeveral(o *object, l *loose) bool {
	to := l.pointee.among[0]
	if o.end()-uintptr(l.to) < to.native {
		return false
	}
	base, size := extent(uintptr(l.to))
	if c.isVariable(o) || size > 0 && o.end()+to.native > base+size {
		return true // or there is no room for another one
	}
	off := uintptr(l.to) - uintptr(o.ptr)
	return o.plan.native > to.native && o.plan.Type.holds(uint64(o.count), c.wireOffset(o.plan, off), to.Type, 1)
}

// countAt returns how many values of a type the allocation that begins at x has, or 0 if that is
// not known.
func (c *capturing) countAt(p *plan, x unsafe.Pointer) int {
	base, size := extent(uintptr(x))
	if size > 1<<15 && !endsKnown() {
		return 0
	}
	if size == 0 || !p.begins(uintptr(x), base, size) && !(p.sharesTiny(p.native) && size <= tiny) {
		return 0
	}
	n := int((base + size - uintptr(x)) / p.native)
	switch {
	case len(p.slots) == 0 && isScanned(x):
		return 0
	case len(p.slots) == 0:
		return boolsUpTo(p.rt, x, n)
	}
	if rt := typeOfAllocation(unsafe.Add(x, -int(uintptr(x)-base)), size); rt != nil {
		for rt.Kind() == reflect.Array && rt.Size() > p.native {
			rt = rt.Elem()
		}
		if rt.Size() != p.native {
			return 0
		}
		return n
	}
	if n > 1 && slices.ContainsFunc(c.startingWith(p), func(whole *plan) bool { return whole.canBeAt(x) }) {
		return 0
	}
	return n
}

// startingWith returns the plans of the structs of the binary that begin with a value of a type and
// have more.
func (c *capturing) startingWith(p *plan) []*plan {
	list, ok := c.starting[p]
	if ok {
		return list
	}
	for _, rt := range structTypes() {
		if rt.Size() > p.native && startsWith(rt, p.rt) {
			list = append(list, c.of(rt))
		}
	}
	if c.starting == nil {
		c.starting = make(map[*plan][]*plan)
	}
	c.starting[p] = list
	return list
}

// startsWith reports whether the first part of a type, or of the elements of an array, is of
// another one.
func startsWith(rt, first reflect.Type) bool {
	for {
		if rt == first {
			return true
		}
		switch {
		case rt.Kind() == reflect.Array:
			rt = rt.Elem()
		case rt.Kind() == reflect.Struct && rt.NumField() > 0:
			i := 0
			for i < rt.NumField()-1 && rt.Field(i).Type.Size() == 0 {
				i++
			}
			rt = rt.Field(i).Type
		default:
			return false
		}
	}
}

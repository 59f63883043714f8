package heap

import (
	"reflect"
	"slices"
	"sync"
	"unsafe"
)

// Where neither the head nor the word before an allocation tells what the head is the beginning of,
// the size of the allocation may, and what is in it: the program converts pointers to few types
// that begin with a head ([Options].Wholes), and often one of them only can be there.
//
// A whole that the program converts to in another way, as in a generic function that does so to
// what its type parameter stands for, is not among these. So nothing else in the binary that begins
// with the head may be what is there, unless its references are the same.

// namedStructs are the struct types of the binary that have a name, by that, which is one for all
// instances of a generic type.
var namedStructs = sync.OnceValue(func() *nameIndex[reflect.Type] {
	return newNameIndex(genericOf, 0, func(add func(reflect.Type, string)) {
		for _, t := range linkedTypes() {
			if t.Kind() == reflect.Struct && isNamed(t) {
				add(t, genericOf(t))
			}
		}
	})
})

// structTypes are the struct types of the binary that have fields.
var structTypes = sync.OnceValue(func() (list []reflect.Type) {
	for _, t := range linkedTypes() {
		if t.Kind() == reflect.Struct && t.NumField() > 0 {
			list = append(list, t)
		}
	}
	return list
})

// Candidates are what may begin with a head.
type candidates struct {
	wholes []*plan // to which the program makes unsafe pointers pointers
	others []*plan // of other types
}

// begunBy returns the plans of the structs that may begin with a head.
func (c *capturing) begunBy(head *plan) *candidates {
	if b := c.begun[head]; b != nil {
		return b
	}
	b := new(candidates)
	for _, name := range c.opt.Wholes {
		for _, rt := range namedStructs().find(name) {
			if rt != head.rt && rt.Size() > head.native && beginsWith(rt, head.rt) && !beginsWithOther(rt, head.rt) {
				b.wholes = append(b.wholes, c.of(rt))
			}
		}
	}
	if len(b.wholes) > 0 {
		for _, rt := range structTypes() {
			if rt != head.rt && rt.Size() > head.native && (beginsWith(rt, head.rt) && !beginsWithOther(rt, head.rt) || beginsAlike(rt, head.rt)) {
				if p := c.of(rt); !slices.Contains(b.wholes, p) {
					b.others = append(b.others, p)
				}
			}
		}
	}
	if c.begun == nil {
		c.begun = make(map[*plan]*candidates)
	}
	c.begun[head] = b
	return b
}

// beginsAlike reports whether a type of the package of a head begins with the fields of the head.
func beginsAlike(rt, head reflect.Type) bool {
	if !isNamed(rt) || rt.PkgPath() != head.PkgPath() || head.Kind() != reflect.Struct || rt.NumField() < head.NumField() {
		return false
	}
	for i := range head.NumField() {
		if f, g := rt.Field(i), head.Field(i); f.Type != g.Type || f.Offset != g.Offset {
			return false
		}
	}
	return head.NumField() > 0
}

// refersAlike reports whether the references of values of two types are the same.
func (p *plan) refersAlike(q *plan) bool {
	return slices.EqualFunc(p.slots, q.slots, func(s, t slot) bool { return s.op == t.op && s.off == t.off && s.n == t.n && s.target == t.target })
}

// beginsWithOther reports whether the first part of a type is an instance of the generic type that
// a head is another instance of.
func beginsWithOther(rt, head reflect.Type) bool {
	if rt.Kind() != reflect.Struct || !isInstance(head) {
		return false
	}
	for i := 0; i < rt.NumField() && rt.Field(i).Offset == 0; i++ {
		if t := rt.Field(i).Type; t != head && isInstance(t) && genericOf(t) == genericOf(head) || beginsWithOther(t, head) {
			return true
		}
	}
	return false
}

// wholesAt returns the structs that the head at x may be the beginning of: those that the
// allocation can hold, and has not much more than.
func (c *capturing) wholesAt(head *plan, x unsafe.Pointer) []*plan {
	list := c.begunBy(head).wholes
	if len(list) == 0 {
		return nil
	}
	base, size := extent(uintptr(x))
	if rt := typeOfAllocation(unsafe.Add(x, int(base)-int(uintptr(x))), size); rt != nil && !shaped(rt, head.rt) {
		return nil // that tells all
	}
	return slices.DeleteFunc(slices.Clone(list), func(p *plan) bool { return size == 0 || !p.canBeWholeAt(x, base, size) })
}

// canBeWholeAt reports whether a value can be what is at x, in an allocation.
func (p *plan) canBeWholeAt(x unsafe.Pointer, base, size uintptr) bool {
	return p.begins(uintptr(x), base, size) && p.canBeAt(x) && p.leadsAt(x)
}

// wholeAt returns the only one of them, or nil.
func (c *capturing) wholeAt(head *plan, x unsafe.Pointer) *plan {
	list := c.wholesAt(head, x)
	if len(list) != 1 || list[0].refuse != "" {
		return nil
	}
	base, size := extent(uintptr(x))
	if slices.ContainsFunc(c.begunBy(head).others, func(p *plan) bool { return p.canBeWholeAt(x, base, size) && !p.refersAlike(list[0]) }) {
		return nil
	}
	if _, err := c.findable(list[0], x); err != nil {
		return nil
	}
	return list[0]
}

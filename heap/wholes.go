package heap

import (
	"reflect"
	"slices"
	"sync"
	"unsafe"
)

// Where neither the head nor the word before an allocation tells what the head is the beginning of, the size of the allocation may, and what is in it: the
// program converts pointers to few types that begin with a head ([Options].Wholes), and often one of them only can be there.

// namedStructs are the struct types of the binary that have a name, by that, which is one for all instances of a generic type.
var namedStructs = sync.OnceValue(func() *nameIndex[reflect.Type] {
	return newNameIndex(genericOf, 0, func(add func(reflect.Type, string)) {
		for _, t := range linkedTypes() {
			if t.Kind() == reflect.Struct && isNamed(t) {
				add(t, genericOf(t))
			}
		}
	})
})

// begunBy returns the plans of the structs that may begin with a head.
func (c *capturing) begunBy(head *plan) []*plan {
	list, known := c.begun[head]
	if known {
		return list
	}
	for _, name := range c.opt.Wholes {
		for _, rt := range namedStructs().find(name) {
			if rt != head.rt && rt.Size() > head.native && beginsWith(rt, head.rt) && !beginsWithOther(rt, head.rt) {
				list = append(list, c.of(rt))
			}
		}
	}
	if c.begun == nil {
		c.begun = make(map[*plan][]*plan)
	}
	c.begun[head] = list
	return list
}

// beginsWithOther reports whether the first part of a type is an instance of the generic type that a head is another instance of.
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

// wholesAt returns the structs that the head at x may be the beginning of: those that the allocation can hold, and has not much more than.
func (c *capturing) wholesAt(head *plan, x unsafe.Pointer) []*plan {
	list := c.begunBy(head)
	if len(list) == 0 {
		return nil
	}
	base, size := extent(uintptr(x))
	if rt := typeOfAllocation(unsafe.Add(x, int(base)-int(uintptr(x))), size); rt != nil && !shaped(rt, head.rt) {
		return nil // that tells all
	}
	return slices.DeleteFunc(slices.Clone(list), func(p *plan) bool {
		return size == 0 || !p.begins(uintptr(x), base, size) || !p.canBeAt(x) || !p.leadsAt(x)
	})
}

// wholeAt returns the only one of them, or nil.
func (c *capturing) wholeAt(head *plan, x unsafe.Pointer) *plan {
	list := c.wholesAt(head, x)
	if len(list) != 1 || list[0].refuse != "" {
		return nil
	}
	if _, err := c.findable(list[0], x); err != nil {
		return nil
	}
	return list[0]
}

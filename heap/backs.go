package heap

import (
	"reflect"
	"slices"
	"unsafe"
)

// A program can keep the address of something as a number and make a pointer of it again. In another process the number would lead to something else, and the
// program would crash there, or compute with what it finds. The precompiler knows the packages that make such pointers ([Options].Backs). If the program has any,
// a capture looks at all numbers of the type uintptr that are elements of arrays and slices, and at those in structs of these packages: frames and environments are such, too.
// One that leads into what is saved is refused.

// A suspect is such a number, in a region of a list or, if that is nil, of the table.
type suspect struct {
	number uintptr
	batch  *batch
	index  int // in the batch, or of the region
}

// backless returns an error if there is such a number.
func (c *capturing) backless() error {
	if len(c.opt.Backs) == 0 {
		return nil
	}
	offsets := make(map[*plan][]uintptr)
	in := func(p *plan) []uintptr {
		list, known := offsets[p]
		if !known {
			list = c.numbersIn(p)
			offsets[p] = list
		}
		return list
	}
	var list []suspect
	look := func(p *plan, x unsafe.Pointer, count int, b *batch, index int) {
		for _, off := range in(p) {
			for i := range count {
				if n := *(*uintptr)(unsafe.Add(x, off+uintptr(i)*p.native)); n != 0 {
					list = append(list, suspect{n, b, index})
				}
			}
		}
	}
	for _, k := range c.lists.order {
		c.lists.each(k, func(b *batch, i int) { look(k.plan, b.pointer(i), b.count(i), b, i) })
	}
	for i := range c.mem.n {
		if r := c.mem.at(i); r.plan != nil {
			look(r.plan, r.ptr, r.count, nil, int(i))
		}
	}
	numbers := make([]uintptr, len(list))
	for i, s := range list {
		numbers[i] = s.number
	}
	slices.Sort(numbers)
	numbers = c.occupied(slices.Compact(numbers))
	if len(numbers) == 0 {
		return nil
	}
	const why = "it has, as a number (uintptr), the address of what is somewhere else in another process, and the program makes pointers of such numbers by package unsafe"
	for _, s := range list {
		if _, is := slices.BinarySearch(numbers, s.number); !is {
			continue
		}
		if s.batch == nil {
			return c.misused(s.index, why)
		}
		if c.tracing {
			t := c.traces[s.batch.traces[s.index]]
			c.traces[0].parent, c.traces[0].off = t.parent, t.off
		}
		return &refusal{typeText(s.batch.list.plan.rt), why}
	}
	return nil
}

// numbersIn returns the offsets of the numbers in a value that are looked at.
func (c *capturing) numbersIn(p *plan) []uintptr {
	if p.rt.Kind() == reflect.Uintptr {
		return []uintptr{0}
	}
	var list []uintptr
	var add func(rt reflect.Type, off uintptr)
	add = func(rt reflect.Type, off uintptr) {
		switch rt.Kind() {
		case reflect.Uintptr:
			list = append(list, off)
		case reflect.Array:
			before := len(list)
			for i := range rt.Len() {
				add(rt.Elem(), off+uintptr(i)*rt.Elem().Size())
				if len(list) == before {
					return
				}
			}
		case reflect.Struct:
			if rt.Name() != "" && !c.opt.Backs[rt.PkgPath()] {
				return
			}
			for i := range rt.NumField() {
				f := rt.Field(i)
				add(fieldType(rt, f), off+f.Offset)
			}
		}
	}
	add(p.rt, 0)
	return list
}

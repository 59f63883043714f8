package heap

import (
	"reflect"
	"slices"
	"unsafe"
)

// A program can keep the address of something as a number and make a pointer of it again. In another process the number would lead to something else, and the
// program would crash there, or compute with what it finds. The precompiler knows the packages that make such pointers ([Options].Backs). If the program has any,
// a capture looks at all numbers of the type uintptr that are elements of arrays and slices, and at those in structs of these packages: frames and environments are such, too.
// One that leads into what is saved is an [Address], whose number is another one after a rebuild. Values behind interfaces are immutable, and refused.
//
// So is one that leads to the end of what is saved, and to nothing else that is: a program that goes through an array by a number compares it with that.
//
// One that leads to memory that the program has mapped itself is refused, as a pointer to it is: programs that were translated from C have a heap there, in which
// all pointers are numbers. A number that leads elsewhere stays as it is: to memory that nothing but numbers lead to, which the collector would free.

// An Address is a number that the program makes a pointer of.
type Address struct {
	At *uintptr
	To unsafe.Pointer
	// Behind is not 0 if the number leads to the end of an array, and To to its last element: then it is the size of that in bytes, where the
	// number was captured. Machines on which that is another one have other numbers in all that the program does with it.
	Behind uintptr
}

// Set gives the number its new value.
func (a Address) Set() { *a.At = uintptr(a.To) + a.Behind }

// A suspect is a number that may be an address.
type suspect struct {
	at    *uintptr
	box   *plan  // of the value, if that is behind an interface
	batch *batch // nil if the region is in no list
	index int    // in the batch, or of the region in the table
	off   uintptr
}

// setAddresses sets the variable for the addresses, and has it walked. It reports whether there are any.
func (c *capturing) setAddresses() (found bool, err error) {
	if len(c.opt.Backs) == 0 {
		return false, nil
	}
	list := c.suspects()
	numbers := make([]uintptr, len(list))
	for i, s := range list {
		numbers[i] = *s.at
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	inside, ends := c.occupied(numbers), c.ends(numbers)
	var addresses []Address
	for _, s := range list {
		to, behind := *s.at, uintptr(0)
		if _, is := slices.BinarySearch(inside, to); !is {
			if behind = ends[to]; behind == 0 {
				if m := c.unknown(address(to)); m != nil && !m.reserved() && !c.inArena(to) {
					c.noteNumber(s)
					return false, &refusal{"uintptr", "it is the address of memory " + m.what() + mappedItself}
				}
				continue
			}
			to -= behind
		}
		if s.box != nil {
			c.noteNumber(s)
			return false, &refusal{"uintptr", "it is behind an interface, and the address of what is somewhere else in another process; the program makes pointers of such numbers by package unsafe"}
		}
		addresses = append(addresses, Address{s.at, *(*unsafe.Pointer)(unsafe.Pointer(&to)), behind})
	}
	if len(addresses) == 0 {
		return false, nil
	}
	*c.opt.Addresses = addresses
	p := c.of(reflect.TypeFor[[]Address]())
	if at := unsafe.Pointer(c.opt.Addresses); c.mem.find(at, p) >= 0 {
		c.push(at, p, 1, byPointer, at)
	}
	return true, nil
}

// noteNumber remembers where a number was found.
func (c *capturing) noteNumber(s suspect) {
	if !c.tracing {
		return
	}
	if s.batch != nil {
		c.traces[0].parent, c.traces[0].off = s.batch.traces[s.index], s.off
	} else if trace, ok := c.tableTraces[s.index]; ok && s.box == nil {
		c.traces[0].parent, c.traces[0].off = trace, s.off
	}
}

// suspects returns the numbers that are looked at, but those that are zero.
func (c *capturing) suspects() []suspect {
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
	look := func(p *plan, x unsafe.Pointer, count int, s suspect) {
		for _, off := range in(p) {
			for i := range count {
				s.off = off + uintptr(i)*p.native
				if s.at = (*uintptr)(unsafe.Add(x, s.off)); *s.at != 0 {
					list = append(list, s)
				}
			}
		}
	}
	for _, k := range c.lists.order {
		var box *plan
		if k.box {
			box = k.plan
		}
		c.lists.each(k, func(b *batch, i int) { look(k.plan, b.pointer(i), b.count(i), suspect{box: box, batch: b, index: i}) })
	}
	for i := range c.mem.n {
		if r := c.mem.at(i); r.plan != nil && c.objects[c.owner[i]].named == 0 {
			look(r.plan, r.ptr, r.count, suspect{index: i})
		}
	}
	for i := range c.boxes.n {
		r := c.boxes.at(i)
		look(r.plan, r.ptr, r.count, suspect{box: r.plan})
	}
	return list
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

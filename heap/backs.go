package heap

import (
	"reflect"
	"slices"
	"unsafe"
)

// A program can keep the address of something as a number and make a pointer of it again. In
// another process the number would lead to something else, and the program would crash there, or
// compute with what it finds. The precompiler knows the packages that make such pointers
// ([Options].Backs). If the program has any, a capture looks at all numbers of the type uintptr
// that are elements of arrays and slices, and at those in structs of these packages: frames and
// environments are such, too. So it does at large numbers of the type uint64, if one of these
// packages keeps addresses as such ([Options].Longs), but those in structs of other packages than
// these. One that leads into what is saved is an [Address], whose number is another one after a
// rebuild. Values behind interfaces are immutable, and refused.
//
// So is one that leads to the end of what is saved, and to nothing else that is: a program that
// goes through an array by a number compares it with that.
//
// One that leads to memory that the program has mapped itself is refused, as a pointer to it is:
// programs that were translated from C have a heap there, in which all pointers are numbers. A
// number that leads elsewhere stays as it is: to memory that nothing but numbers lead to, which the
// collector would free, or to the description of a type (typenumbers.go).

// An Address is a number that the program makes a pointer of.
type Address struct {
	At *uintptr
	To unsafe.Pointer
	// Long is the number if it is of type uint64; then At is nil.
	Long *uint64
	// Behind is not 0 if the number leads to the end of an array, and To to its last element: then
	// it is the size of that in bytes, where the number was captured. Machines on which that is
	// another one have other numbers in all that the program does with it.
	Behind uintptr
	// Types is not 0 in one that has neither: then the program has numbers that are addresses of
	// descriptions of types, and they are right only where [TypePlaces] returns the same.
	Types uint64
}

// Set gives the number its new value.
func (a Address) Set() {
	if a.Types != 0 {
		return
	}
	if to := uintptr(a.To) + a.Behind; a.Long != nil {
		*a.Long = uint64(to)
	} else {
		*a.At = to
	}
}

// A suspect is a number that may be an address.
type suspect struct {
	at    unsafe.Pointer
	long  bool   // it is of type uint64
	other bool   // it may only be the address of the description of a type
	box   *plan  // of the value, if that is behind an interface
	batch *batch // nil if the region is in no list
	index int    // in the batch, or of the region in the table
	off   uintptr
}

// number returns the number, or 0 if it is of type uint64 and below 1<<32: most such numbers are
// none of addresses, and may be small ones, where a binary has its variables (which remain there)
// and what the system maps lies. On machines with 32 bits they are all left alone.
func (s suspect) number() uintptr {
	if !s.long {
		return *(*uintptr)(s.at)
	}
	n := *(*uint64)(s.at)
	if n>>32 == 0 || n > uint64(^uintptr(0)) {
		return 0
	}
	return uintptr(n)
}

// kind returns the type that the number has in errors.
func (s suspect) kind() string {
	if s.long {
		return "uint64"
	}
	return "uintptr"
}

// setAddresses sets the variable for the addresses, and has it walked. It reports whether there are
// any.
func (c *capturing) setAddresses() (found bool, err error) {
	if len(c.opt.Backs) == 0 {
		return false, nil
	}
	list := c.suspects()
	numbers := make([]uintptr, 0, len(list))
	for _, s := range list {
		if !s.other {
			numbers = append(numbers, s.number())
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	inside, ends := c.occupied(numbers), c.ends(numbers)
	var addresses []Address
	for _, s := range list {
		if s.other {
			continue
		}
		to, behind := s.number(), uintptr(0)
		if _, is := slices.BinarySearch(inside, to); !is {
			if behind = ends[to]; behind == 0 {
				if m := c.unknown(address(to)); m != nil && !m.reserved() && !c.inArena(to) {
					c.noteNumber(s)
					return false, &refusal{s.kind(), "it is the address of memory " + m.what() + mappedItself}
				}
				continue
			}
			to -= behind
		}
		if s.box != nil {
			c.noteNumber(s)
			return false, &refusal{s.kind(), "it is behind an interface, and the address of what is somewhere else in another process; the program makes pointers of such numbers by package unsafe"}
		}
		a := Address{To: *(*unsafe.Pointer)(unsafe.Pointer(&to)), Behind: behind}
		if s.long {
			a.Long = (*uint64)(s.at)
		} else {
			a.At = (*uintptr)(s.at)
		}
		addresses, c.numbers = append(addresses, a), append(c.numbers, s)
	}
	types, err := c.typeNumbers(list)
	if err != nil {
		return false, err
	}
	if types != 0 {
		addresses = append(addresses, Address{Types: types})
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

// A numberAt is where in a value a number is that is looked at.
type numberAt struct {
	off   uintptr
	long  bool
	other bool // in a struct of another package than those that make pointers of numbers
}

// suspects returns the numbers that are looked at, but those that are zero, and those of type
// uint64 that are below or above all addresses.
func (c *capturing) suspects() []suspect {
	var low, high uintptr
	if len(c.opt.Longs) > 0 {
		low, high = c.bounds()
	}
	offsets := make(map[*plan][]numberAt)
	in := func(p *plan) []numberAt {
		list, known := offsets[p]
		if !known {
			list = c.numbersIn(p)
			offsets[p] = list
		}
		return list
	}
	var list []suspect
	look := func(p *plan, x unsafe.Pointer, count int, s suspect) {
		for _, n := range in(p) {
			for i := range count {
				s.off, s.long, s.other = n.off+uintptr(i)*p.native, n.long, n.other
				s.at = unsafe.Add(x, s.off)
				if u := s.number(); u != 0 && (!s.long || low <= u && u <= high) && (!s.other || isTypeNumber(u)) {
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
func (c *capturing) numbersIn(p *plan) []numberAt {
	longs := len(c.opt.Longs) > 0
	if p.rt.Kind() == reflect.Uintptr {
		return []numberAt{{}}
	}
	if p.rt.Kind() == reflect.Uint64 && longs {
		return []numberAt{{long: true}}
	}
	var list []numberAt
	var add func(rt reflect.Type, off uintptr, other bool)
	add = func(rt reflect.Type, off uintptr, other bool) {
		switch rt.Kind() {
		case reflect.Uintptr:
			list = append(list, numberAt{off: off, other: other})
		case reflect.Uint64:
			if longs && !other {
				list = append(list, numberAt{off: off, long: true})
			}
		case reflect.Array:
			before := len(list)
			for i := range rt.Len() {
				add(rt.Elem(), off+uintptr(i)*rt.Elem().Size(), other)
				if len(list) == before {
					return
				}
			}
		case reflect.Struct:
			other = other || rt.Name() != "" && !c.opt.Backs[rt.PkgPath()]
			for i := range rt.NumField() {
				f := rt.Field(i)
				add(fieldType(rt, f), off+f.Offset, other)
			}
		}
	}
	add(p.rt, 0, false)
	return list
}

package heap

import (
	"maps"
	"reflect"
	"slices"
	"unsafe"
)

// A Location is what the program makes a number of the address of, and that number.
type Location struct {
	Pointer any // to it; or a channel
	Number  uint64
}

// locate sets the variable for the locations, and has it walked.
func (c *capturing) locate() {
	var list []Location
	for _, rt := range c.opt.Located {
		is := func(t reflect.Type) bool { return t == rt }
		at := func(p unsafe.Pointer) {
			list = append(list, Location{reflect.NewAt(rt, p).Interface(), c.opt.Number(p)})
		}
		found := make(map[*plan][]slot)
		in := func(o object) {
			slots, ok := found[o.plan]
			if !ok {
				slots = c.appendValues(nil, o.plan, 0, 0, is)
				found[o.plan] = slots
			}
			for _, s := range slots {
				for k := range o.count {
					at(unsafe.Add(o.ptr, uintptr(k)*o.plan.native+s.off))
				}
			}
		}
		for _, k := range c.lists.order {
			if k.box || k.plan.text {
				continue
			}
			c.lists.each(k, func(b *batch, i int) {
				in(object{ptr: b.pointer(i), plan: k.plan, count: b.count(i)})
			})
		}
		for i := range c.objects {
			in(c.objects[i])
		}
		for i, t := range c.heldType {
			if t.Elem() == rt {
				at(c.held[i])
			}
		}
	}
	list = c.appendHashed(list)
	*c.opt.Locations = list
	p := c.of(reflect.TypeFor[[]Location]())
	if at := unsafe.Pointer(c.opt.Locations); c.mem.find(at, p) >= 0 {
		c.push(at, p, 1, byPointer, at)
	}
}

// appendHashed appends the locations of those pointers and channels that the program has hashed
// whose object is saved. Another one may have taken the place of that which was hashed: then the
// number is nobody else's. Where nothing is saved there may be no memory of Go at all, and the
// runtime ends a program that has a pointer there. So no address becomes one before an object is
// known to be there.
func (c *capturing) appendHashed(list []Location) []Location {
	if len(c.opt.Hashed) == 0 {
		return list
	}
	for _, address := range c.occupied(slices.Sorted(maps.Keys(c.opt.Hashed))) {
		at := *(*unsafe.Pointer)(unsafe.Pointer(&address))
		t := c.opt.Hashed[address]
		found := false
		switch t.Kind() {
		case reflect.Pointer:
			p := c.of(t.Elem())
			found = p.native > 0 && c.reached(at, p)
		case reflect.Chan:
			found = c.chans[at] != nil
		case reflect.UnsafePointer:
			_, found = c.into(at)
		}
		if found {
			list = append(list, Location{reflect.NewAt(t, unsafe.Pointer(&at)).Elem().Interface(), c.opt.Number(at)})
		}
	}
	return list
}

// occupied returns those of the addresses, which are in order, that lead into what is saved.
func (c *capturing) occupied(addresses []uintptr) []uintptr {
	is := make([]bool, len(addresses))
	mark := func(from, end uintptr) {
		i, _ := slices.BinarySearch(addresses, from)
		for ; i < len(addresses) && addresses[i] < end; i++ {
			is[i] = true
		}
	}
	c.eachObject(func(from, end uintptr, _ *plan) { mark(from, end) })
	for _, p := range c.held {
		mark(uintptr(p), uintptr(p)+1)
	}
	for p := range c.maps {
		mark(uintptr(p), uintptr(p)+1)
	}
	for p := range c.chans {
		mark(uintptr(p), uintptr(p)+1)
	}
	var list []uintptr
	for i, address := range addresses {
		if is[i] {
			list = append(list, address)
		}
	}
	return list
}

// ends returns those of the addresses, which are in order, at which something ends that is saved,
// and the size of its last element.
func (c *capturing) ends(addresses []uintptr) map[uintptr]uintptr {
	ends := make(map[uintptr]uintptr)
	c.eachObject(func(from, end uintptr, p *plan) {
		if _, found := slices.BinarySearch(addresses, end); found && from < end {
			ends[end] = p.native
		}
	})
	return ends
}

// bounds returns the lowest and the highest address of what is saved, or that the program has
// mapped.
func (c *capturing) bounds() (low, high uintptr) {
	low = ^uintptr(0)
	mark := func(from, end uintptr) { low, high = min(low, from), max(high, end) }
	c.eachObject(func(from, end uintptr, _ *plan) { mark(from, end) })
	for _, p := range c.held {
		mark(uintptr(p), uintptr(p))
	}
	for p := range c.maps {
		mark(uintptr(p), uintptr(p))
	}
	for p := range c.chans {
		mark(uintptr(p), uintptr(p))
	}
	for _, m := range c.mappings {
		mark(m.start, m.end)
	}
	return low, high
}

// eachObject calls a function with where the objects that are saved begin and end, and their
// elements.
func (c *capturing) eachObject(f func(from, end uintptr, p *plan)) {
	for _, k := range c.lists.order {
		c.lists.each(k, func(b *batch, i int) { f(b.ptrs[i], b.end(i), k.plan) })
	}
	for _, o := range c.objects {
		f(uintptr(o.ptr), o.end(), o.plan)
	}
}

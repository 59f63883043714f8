package heap

import (
	"reflect"
	"slices"
	"unsafe"
)

// A struct that is not generic can belong to an instance of a generic one, and hold what has its
// type arguments, as the buckets of a map do:
//
//	type table[K, V any] struct{ buckets []bucket }
//	type bucket struct {
//		entries [5]unsafe.Pointer // *entry[K, V]
//		next    unsafe.Pointer    // *bucket
//	}
//
// If such an unsafe pointer can be of several types by what is there (among.go), the table tells:
// the bucket is reached from it by way of other buckets only. That what belongs to an instance has
// nothing of another one, the precompiler has seen ([Pointee]).

// An ownedField is a field of a struct that belongs to instances of a generic one, the owner.
type ownedField struct {
	typeField
	leads string // the name of what it leads to, with $i in the place of the i-th type argument of the owner
}

// An owning finds what the unsafe pointers lead to that belong to owners.
type owning struct {
	c     *capturing
	found map[unsafe.Pointer]*plan // nil: several
	parts map[reflect.Type][]owner // of a type
	seen  map[unsafe.Pointer]bool  // what is reached from the owner at hand
	work  []region                 // and has to be looked at
}

// An owner is where a value has an instance of a generic struct that owns others.
type owner struct {
	off uintptr
	rt  reflect.Type
}

// followOwned visits what unsafe pointers lead to of which it is not known by what is there, but by
// whom they belong to, and reports whether there was any.
func (c *capturing) followOwned() bool {
	if len(c.owners) == 0 || !slices.ContainsFunc(c.loose, c.isUntold) {
		return false
	}
	o := &owning{c: c, found: make(map[unsafe.Pointer]*plan), parts: make(map[reflect.Type][]owner)}
	for _, b := range c.lists.batches {
		if b.list.box || len(o.owners(b.list.plan.rt)) == 0 {
			continue
		}
		for i := range b.ptrs {
			if b.ptrs[i] != 0 {
				o.look(b.pointer(i), b.list.plan, b.count(i))
			}
		}
	}
	for i := range c.mem.n {
		if r := c.mem.at(i); r.plan != nil {
			o.look(r.ptr, r.plan, r.count)
		}
	}
	found := false
	for i := range c.loose {
		l := &c.loose[i]
		if !c.isUntold(*l) {
			continue
		}
		if to := o.found[l.to]; to != nil && slices.Contains(l.pointee.among, to) && to.canBeAt(l.to) {
			found = c.lead(l, to) || found
		}
	}
	return found
}

// isUntold reports whether an unsafe pointer is one to an object that can be of several types.
func (c *capturing) isUntold(l loose) bool {
	if l.words || l.pointee == nil {
		return false
	}
	o, ok := c.into(l.to)
	return !(ok && l.pointee.isIn(&o, l.to)) && l.pointee.at(l.to) == nil
}

// owners returns the owners in values of a type.
func (o *owning) owners(rt reflect.Type) (list []owner) {
	if known, ok := o.parts[rt]; ok {
		return known
	}
	switch rt.Kind() {
	case reflect.Struct:
		if isInstance(rt) && o.c.owners[genericOf(rt)] != nil {
			list = append(list, owner{rt: rt})
		}
		for i := range rt.NumField() {
			f := rt.Field(i)
			for _, w := range o.owners(f.Type) {
				list = append(list, owner{f.Offset + w.off, w.rt})
			}
		}
	case reflect.Array:
		if of := o.owners(rt.Elem()); len(of) > 0 {
			for i := range rt.Len() {
				for _, w := range of {
					list = append(list, owner{uintptr(i)*rt.Elem().Size() + w.off, w.rt})
				}
			}
		}
	}
	o.parts[rt] = list
	return list
}

// look finds what the owners in count values at x own.
func (o *owning) look(x unsafe.Pointer, p *plan, count int) {
	for _, w := range o.owners(p.rt) {
		for i := range count {
			o.seen = make(map[unsafe.Pointer]bool)
			o.reach(unsafe.Add(x, uintptr(i)*p.native+w.off), w.rt, w.rt)
			for len(o.work) > 0 {
				r := o.work[len(o.work)-1]
				o.work = o.work[:len(o.work)-1]
				for i := range r.count {
					o.reach(unsafe.Add(r.ptr, uintptr(i)*r.plan.native), r.plan.rt, w.rt)
				}
			}
		}
	}
}

// reach looks at what a value at x, of a type, has that belongs to an owner.
func (o *owning) reach(x unsafe.Pointer, rt, by reflect.Type) {
	switch rt.Kind() {
	case reflect.Struct:
		if o.isAnother(rt, by) {
			return
		}
		for i := range rt.NumField() {
			f := rt.Field(i)
			if at := unsafe.Add(x, f.Offset); isUnsafe(f.Type) {
				for _, to := range unsafePointers(at, f.Type) {
					o.pointer(to, typeField{rt, f.Name}, by)
				}
			} else {
				o.reach(at, f.Type, by)
			}
		}
	case reflect.Array:
		if o.holds(rt.Elem(), by) {
			for i := range rt.Len() {
				o.reach(unsafe.Add(x, uintptr(i)*rt.Elem().Size()), rt.Elem(), by)
			}
		}
	case reflect.Pointer:
		if o.holds(rt.Elem(), by) {
			o.visit(*(*unsafe.Pointer)(x), rt.Elem(), 1)
		}
	case reflect.Slice:
		if h := (*sliceHeader)(x); o.holds(rt.Elem(), by) {
			o.visit(h.data, rt.Elem(), h.cap)
		}
	}
}

// pointer looks at an unsafe pointer in a field of a struct: it belongs to the owner, or leads to
// another struct with such.
func (o *owning) pointer(x unsafe.Pointer, field typeField, by reflect.Type) {
	for _, f := range o.c.owners[genericOf(by)] {
		if f.typeField != field {
			continue
		}
		var to *plan
		if rt := typeNamed(instantiated(f.leads, typeArguments(by))); rt != nil {
			to = o.c.of(rt)
		}
		if before, ok := o.found[x]; ok && before != to {
			to = nil
		}
		o.found[x] = to
		return
	}
	if to := o.c.leadsTo(field.of, field.field); len(to) == 1 && o.holds(to[0], by) {
		o.visit(x, to[0], 1)
	}
}

// visit has count values at x looked at, if they are saved.
func (o *owning) visit(x unsafe.Pointer, rt reflect.Type, count int) {
	if x == nil || o.seen[x] {
		return
	}
	o.seen[x] = true
	if in, ok := o.c.into(x); ok && uintptr(count)*rt.Size() <= in.end()-uintptr(x) {
		o.work = append(o.work, region{x, o.c.of(rt), count})
	}
}

// holds reports whether values of a type have what can belong to an owner, or lead there.
func (o *owning) holds(rt, by reflect.Type) bool {
	switch rt.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return o.holds(rt.Elem(), by)
	case reflect.Struct:
		if o.isAnother(rt, by) {
			return false
		}
		if slices.ContainsFunc(o.c.owners[genericOf(by)], func(f ownedField) bool { return f.of == rt }) {
			return true
		}
		for i := range rt.NumField() {
			if t := rt.Field(i).Type; (t.Kind() == reflect.Struct || t.Kind() == reflect.Array) && o.holds(t, by) {
				return true
			}
		}
	}
	return false
}

// isAnother reports whether a struct is an owner itself: what it has belongs to it.
func (o *owning) isAnother(rt, by reflect.Type) bool {
	return rt != by && isInstance(rt) && o.c.owners[genericOf(rt)] != nil
}

// unsafePointers returns those at x, where there is one, an array, or a slice.
func unsafePointers(x unsafe.Pointer, rt reflect.Type) []unsafe.Pointer {
	switch rt.Kind() {
	case reflect.Array:
		return unsafe.Slice((*unsafe.Pointer)(x), rt.Len())
	case reflect.Slice:
		h := (*sliceHeader)(x)
		return unsafe.Slice((*unsafe.Pointer)(h.data), h.cap)
	}
	return unsafe.Slice((*unsafe.Pointer)(x), 1)
}

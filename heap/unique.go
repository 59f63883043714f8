package heap

import (
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"unique"
	"unsafe"
)

// A unique.Handle is a pointer to the one copy of a value that a table of the process has. It is
// saved as what it is, a pointer to a value. A rebuild asks package unique for the handle of that
// value and puts it in the place of the pointer, so that it is equal to all other handles of the
// value; and that before handles are keys of maps, and inner ones before those of values that they
// are in.
//
// Only the code of unique.Make for the very type can ask. ckpgen build adds a method to
// unique.Handle which does. Without it, the program says which types of handles it has
// ([RegisterUnique]); those in addresses of package net/netip are known.

// A remaker returns the handle, as a pointer, of the value at an address.
type remaker func(value unsafe.Pointer) unsafe.Pointer

var remakers sync.Map // reflect.Type of a unique.Handle to remaker

// RegisterUnique lets handles of values of type T be saved, in a program that was not built by
// ckpgen build, which does this for all types. It must be called before Capture and before Rebuild.
func RegisterUnique[T comparable]() {
	remakers.Store(reflect.TypeFor[unique.Handle[T]](), remaker(func(value unsafe.Pointer) unsafe.Pointer {
		h := unique.Make(*(*T)(value))
		return *(*unsafe.Pointer)(unsafe.Pointer(&h))
	}))
}

// handlesKnown tests the layout on a handle.
var handlesKnown = sync.OnceValue(func() bool {
	h := unique.Make("heap")
	return unsafe.Sizeof(h) == unsafe.Sizeof(uintptr(0)) && **(**string)(unsafe.Pointer(&h)) == "heap"
})

// isHandle reports whether a type is unique.Handle[T], or declared as that.
func isHandle(rt reflect.Type) bool {
	return rt.Kind() == reflect.Struct && rt.NumField() == 1 && rt.Field(0).PkgPath == "unique" && rt.Field(0).Name == "value" &&
		rt.Field(0).Type.Kind() == reflect.Pointer
}

// remakerOf returns what makes handles of a type, or nil.
func remakerOf(rt reflect.Type) remaker {
	if !isHandle(rt) || !handlesKnown() {
		return nil
	}
	if m, ok := remakers.Load(rt); ok {
		return m.(remaker)
	}
	if m, ok := reflect.Zero(rt).Interface().(interface {
		RemadeByCkpgen(value unsafe.Pointer) unsafe.Pointer
	}); ok {
		return m.RemadeByCkpgen
	}
	if rt == zoneHandle() {
		return zone
	}
	return nil
}

// zoneHandle returns the type of the handles in addresses of package net/netip, or nil if this
// version of Go has another.
var zoneHandle = sync.OnceValue(func() reflect.Type {
	z, ok := reflect.TypeFor[netip.Addr]().FieldByName("z")
	if !ok || !isHandle(z.Type) {
		return nil
	}
	detail := z.Type.Field(0).Type.Elem()
	if detail.Kind() != reflect.Struct || detail.NumField() != 2 || detail.Field(0).Name != "isV6" || detail.Field(0).Type.Kind() != reflect.Bool ||
		detail.Field(1).Name != "zoneV6" || detail.Field(1).Type.Kind() != reflect.String {
		return nil
	}
	return z.Type
})

// zone is the remaker for addresses of package net/netip. An address of the kind has the handle.
func zone(value unsafe.Pointer) unsafe.Pointer {
	detail := reflect.NewAt(zoneHandle().Field(0).Type.Elem(), value).Elem()
	a, name := netip.IPv4Unspecified(), detail.Field(1).String()
	if detail.Field(0).Bool() {
		a = netip.IPv6Unspecified().WithZone(name)
	} else if name != "" {
		panic("an IPv4 address has a zone")
	}
	return reflect.ValueOf(a).FieldByName("z").Field(0).UnsafePointer()
}

// A remaking is a handle of the rebuilt program.
type remaking struct {
	at     *unsafe.Pointer
	handle *plan
	value  unsafe.Pointer // as the image has it
}

// remade notes that a handle stands at an address, if the slot says so.
func (b *builder) remade(s *slot, at unsafe.Pointer) {
	if p := (*unsafe.Pointer)(at); s.op == opHandle && *p != nil {
		b.handles = append(b.handles, remaking{p, s.target, *p})
	}
}

// remadeValue does the same for the pointer of a reflect.Value that is a handle itself.
func (b *builder) remadeValue(at unsafe.Pointer) {
	if r := reflectionAt(at); r.typ != nil && r.flag&flagIndirect == 0 {
		if s := b.of(described(r.typ)).only(); s != nil {
			b.remade(s, at)
		}
	}
}

// remake puts the handles of this process in the place of pointers to their values. If there are
// handles in a value, those are made first.
func (b *builder) remake() error {
	handles := make(map[unsafe.Pointer]*plan) // of the values that the image has
	for _, h := range b.handles {
		handles[h.value] = h.handle
	}
	made := make(map[unsafe.Pointer]unsafe.Pointer)
	visited := make(map[unsafe.Pointer]bool)
	for _, h := range b.handles {
		todo := []unsafe.Pointer{h.value}
		for len(todo) > 0 {
			value, n := todo[len(todo)-1], len(todo)
			if made[value] == nil {
				b.within(handles[value].elem, value, func(at *unsafe.Pointer) {
					switch x := made[*at]; {
					case x != nil:
						*at = x
					case handles[*at] != nil:
						todo = append(todo, *at)
					}
				})
			}
			switch {
			case len(todo) > n && visited[value]:
				return damaged(secData, "the value of a handle contains the handle")
			case len(todo) > n:
				visited[value] = true
				continue
			case made[value] == nil:
				m := remakerOf(handles[value].rt)
				if m == nil {
					return fmt.Errorf("heap: a %s: %s", handles[value].Type, noRemaker)
				}
				made[value] = m(value)
			}
			todo = todo[:n-1]
		}
	}
	for _, h := range b.handles {
		*h.at = made[h.value]
	}
	return nil
}

// within calls f with the places of handles in a value, as far as the value is compared when
// another is.
func (b *builder) within(p *plan, value unsafe.Pointer, f func(at *unsafe.Pointer)) {
	for i := range p.slots {
		s := &p.slots[i]
		q := unsafe.Add(value, s.off)
		switch s.op {
		case opHandle:
			f((*unsafe.Pointer)(q))
		case opArray:
			for k := range s.n {
				b.within(s.target, unsafe.Add(q, uintptr(k)*s.target.native), f)
			}
		case opInterface:
			x := (*words)(q)
			if x.typ == nil {
				continue
			}
			dyn := b.of(reflect.NewAt(s.target.rt, q).Elem().Elem().Type())
			if !dyn.direct {
				b.within(dyn, x.data, f)
			} else if only := dyn.only(); only != nil && only.op == opHandle {
				f(&x.data)
			}
		}
	}
}

const noRemaker = "a unique.Handle is an address in a table of the process; build the program with ckpgen build, or call heap.RegisterUnique"

// isHandle reports whether a type of an image is one of handles.
func (t *Type) isHandle() bool {
	return t.Kind == reflect.Struct && strings.HasPrefix(t.Name, "unique.Handle[") && len(t.Fields) == 1 && t.Fields[0].Type.Kind == reflect.Pointer
}

// checkHandle makes sure that a handle leads to a value and nothing else: what it costs to hash
// them is in proportion to the image.
func (im *Image) checkHandle(word uint64, t *Type) error {
	if err := im.checkPointer(word, t, 1, false); err != nil || word == reference(tagZero, 0) {
		return err
	}
	tag, n := split(word)
	_, k := t.flat()
	if tag != tagObject || im.groupOf(n).elements(n-im.groupOf(n).first) != k || im.groupOf(n).typ.size*k != t.size {
		return fmt.Errorf("a handle leads into something")
	}
	return nil
}

// verifyHandles bounds the work of hashing the values of handles.
func (im *Image) verifyHandles() error {
	some := false
	for _, t := range im.types {
		some = some || t.isHandle()
	}
	if !some {
		return nil
	}
	im.join()
	cost := make(map[uint64]uint64)
	seen := make(map[uint64]bool)
	total := uint64(0)
	var failed error
	im.eachWord(func(op op, t *Type, word uint64) {
		tag, n := split(word)
		if op != opHandle || word == 0 || tag != tagObject || seen[n] || failed != nil {
			return
		}
		seen[n] = true
		_, b := im.content(n)
		c, err := im.keyCost(b, t, cost)
		if total += c; err == nil && total > maxKeyCost+im.size {
			err = fmt.Errorf("values of handles are nested too much")
		}
		failed = err
	})
	if failed != nil {
		return damaged(secData, "a unique.Handle: %v", failed)
	}
	return nil
}

// eachWord calls f with each reference in an object, what kind it is, and what it refers to. Of an
// interface or reflect.Value, that is the one of the value, if it is a single reference itself.
func (im *Image) eachWord(f func(op op, t *Type, word uint64)) {
	held := func(t *Type, word uint64) {
		if !t.inWord() {
			f(opInterface, t, word)
			return
		}
		s := t.wireSlots()[0]
		f(s.op, s.target, word)
	}
	var walk func(b []byte, slots []wireSlot)
	walk = func(b []byte, slots []wireSlot) {
		for i := range slots {
			s := &slots[i]
			word := im.reference(b[s.off:])
			switch s.op {
			case opArray:
				for k := range s.n {
					walk(b[s.off+k*s.target.size:], s.target.wireSlots())
				}
			case opInterface:
				if typ := im.number(b[s.off:]); typ != 0 {
					held(im.types[typ-1], im.reference(b[s.off+im.word:]))
				}
			case opReflect:
				if typ := im.reference(b[s.off-im.word:]); typ != 0 && le.Uint64(b[s.off+im.word:])&flagIndirect == 0 {
					_, n := split(typ)
					held(im.types[n], word)
				} else {
					f(opReflect, nil, word)
				}
			default:
				f(s.op, s.target, word)
			}
		}
	}
	for i := range im.groups {
		g := &im.groups[i]
		if slots := g.typ.wireSlots(); len(slots) > 0 {
			for b := g.data; len(b) > 0; b = b[g.typ.size:] {
				walk(b, slots)
			}
		}
	}
}

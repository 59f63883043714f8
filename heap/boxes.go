package heap

import (
	"fmt"
	"reflect"
	"unsafe"
)

// held visits the value in an interface, whose slot is given. It returns its type, and the number +
// 1 of its region as visit does.
func (w *walker) held(x *words, slot *slot, q unsafe.Pointer) (*plan, uint32, error) {
	dyn, err := w.dynamicType(x.typ, slot.target, q)
	switch {
	case err != nil:
		return nil, 0, err
	case !dyn.direct && dyn.refuse != "":
		return nil, 0, w.refusal(dyn, q)
	case !dyn.direct:
		return dyn, w.box(x.data, dyn, q), nil
	case slot.n > 0 && x.data != nil && dyn.Type.isCounted():
		n := *(*uint64)(unsafe.Add(q, -slot.n))
		return dyn, w.visit(x.data, dyn.elem, int(max(n, 1)), bySlice, q), nil
	}
	if s := dyn.only(); s != nil && s.op == opObject && x.data != nil {
		v := w.noted(x.data, s.target, s.target.lists[0], 1)
		if v == 0 {
			v = w.visit(x.data, s.target, 1, byPointer, q)
		}
		return dyn, v, nil
	}
	return dyn, 0, w.single(dyn, x.data, q)
}

// box visits the value behind an interface. It returns the number + 1 of its region, or 0 if that
// is not in a list.
func (w *walker) box(p unsafe.Pointer, pl *plan, q unsafe.Pointer) uint32 {
	count := pl.flatCount
	pl = pl.flatElem
	if pl.native == 0 || count == 0 {
		return 0
	}
	c, begins := w.cell(uintptr(p), cellBox)
	if c != nil && *c&cellTable == 0 {
		v, n := *c, 0
		for r := v & cellNumber; r != 0; r = w.lists.after(r) {
			n++
			if b, i := w.lists.at(r - 1); b.ptrs[i] == uintptr(p) && b.list.plan == pl && b.count(i) == count {
				return r
			}
		}
		if n < mostRegions && len(w.lists.batches) < listsLimit {
			r := w.enlist(p, pl, count, true, byInterface, q)
			*c = r + 1
			if v != 0 {
				w.lists.link(r, v&cellNumber)
			}
			if v != 0 || !begins {
				*c |= cellInside
			}
			return r + 1
		}
		// The regions stay where they are: boxes do not overlap.
	}
	if i := w.boxes.find(p, pl); i >= 0 {
		r := w.boxes.at(i)
		if r.count >= count {
			return 0
		}
		r.count = count
	} else {
		w.boxes.add(region{p, pl, count})
	}
	if len(pl.slots) > 0 {
		w.push(p, pl, count, byInterface, q)
	}
	return 0
}

// known returns the type that the type word of an interface stands for, or nil.
func (w *walker) known(typ unsafe.Pointer) *plan {
	r := &w.recentTypes[uintptr(typ)>>4%uintptr(len(w.recentTypes))]
	if r.typ != typ {
		p := w.dynamic[typ]
		if p == nil {
			return nil
		}
		r.typ, r.plan = typ, p
	}
	return r.plan
}

// dynamicType returns the type that the type word of an interface stands for.
func (w *walker) dynamicType(typ unsafe.Pointer, iface *plan, q unsafe.Pointer) (*plan, error) {
	if p := w.known(typ); p != nil {
		return p, nil
	}
	var rt reflect.Type
	if iface.rt.NumMethod() == 0 {
		rt = reflect.TypeOf(*(*any)(q))
	} else {
		rt = reflect.NewAt(iface.rt, q).Elem().Elem().Type()
	}
	p, err := w.findable(w.of(rt), q)
	if err != nil {
		return nil, err
	}
	w.dynamic[typ] = p
	return p, nil
}

// The compiler lists named types by the pointers to them, and those to named pointers only if the
// program has some.
const unlisted = "a new process could not find the type by its name, as it is a pointer, and local or of a package that was not rewritten by ckpgen; give a field of a struct this type, or declare it at package level and build the package with ckpgen"

// findable makes sure that a rebuild will find the type by its name.
func (w *walker) findable(p *plan, q unsafe.Pointer) (*plan, error) {
	if p.Type.dynamic {
		return p, nil
	}
	if !w.static[p] {
		if w.finder == nil {
			w.finder = newFinder()
		}
		rt, err := w.finder.find(p.Type)
		if err == nil && rt != p.rt {
			err = fmt.Errorf("another type has the same name and structure")
		}
		if err != nil && p.rt.Kind() == reflect.Pointer && p.rt.Name() != "" && len(namedTypes().find(p.Type.Name)) == 0 {
			w.note(q)
			return nil, &refusal{typeText(p.rt), unlisted}
		}
		if err != nil {
			w.note(q)
			return nil, &refusal{typeText(p.rt), "a new process could not find the type by its name: " + err.Error()}
		}
	}
	p.Type.dynamic = true
	return p, nil
}

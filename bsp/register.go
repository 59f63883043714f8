package bsp

import (
	"reflect"
	"sort"
	"unsafe"
)

// A Reg is the common name of slices that the processes registered together,
// for [Put] and [Get]. It is plain data: it may be copied, stored and saved, and
// means the same in a restored process. The zero Reg names nothing.
type Reg[T any] struct {
	_    [0]T
	name uint64
}

// PushRegister registers s from the next superstep on, so that other processes
// can put into it and get from it. All processes call it in the same sequence,
// with slices of the same element type; lengths may differ, and a process that
// offers nothing passes nil. The elements must not contain pointers. The
// slice stays the user's: the library remembers where it is.
//
// Registering a slice again, with the same or another length, gives an equal
// Reg; from the next superstep on it means the newest registration.
func PushRegister[T any](s []T) Reg[T] {
	p := running("PushRegister")
	at := p.sites.caller()
	if why := plain[T](); why != "" {
		p.misuse("PushRegister", at, "%s", why)
	}
	return Reg[T]{name: p.push(s, at)}
}

// PopRegister removes, from the next superstep on, the newest registration of the
// slice that r names. Processes remove in the same sequence. A registration that was
// made in this same superstep can be removed: then it never takes effect.
func PopRegister[T any](r Reg[T]) {
	p := running("PopRegister")
	p.pop(r.name, p.sites.caller())
}

// directory finds registrations. It is made from the state.
type directory struct {
	views  []view              // of state.Regs, those in use first
	newest map[uint64]int      // name -> index of the newest that is in use
	names  map[location]uint64 // of all that are not removed
}

// location tells slices apart, as an address does in BSPlib.
type location struct {
	base unsafe.Pointer
	typ  reflect.Type
}

func (p *process) index() {
	d := &p.dir
	d.views = d.views[:0]
	d.newest = make(map[uint64]int)
	d.names = make(map[location]uint64)
	for i := range p.st.Regs {
		r := &p.st.Regs[i]
		v := viewOf(r.Slice)
		d.views = append(d.views, v)
		if i < p.st.Active {
			d.newest[r.Name] = i
		}
		if v.base != nil {
			d.names[location{v.base, v.typ}] = r.Name
		}
	}
}

func (p *process) push(slice any, at site) (name uint64) {
	p.st.Pushed++
	number := p.st.Pushed
	v := viewOf(slice)
	name = number
	if v.base != nil {
		where := location{v.base, v.typ}
		if known, ok := p.dir.names[where]; ok {
			name = known
		} else {
			p.dir.names[where] = name
		}
	}
	position := p.sites.position(at)
	p.st.Regs = append(p.st.Regs, registration{Number: number, Name: name, Slice: slice, Site: position})
	p.dir.views = append(p.dir.views, v)
	p.changes = append(p.changes, change{kind: pushed, number: number, typ: v.typ.String(), site: position})
	return name
}

func (p *process) pop(name uint64, at site) {
	for i := len(p.st.Regs) - 1; i >= 0; i-- {
		r := &p.st.Regs[i]
		if r.Name == name && !r.Popped {
			r.Popped = true
			p.changes = append(p.changes, change{kind: popped, number: r.Number, typ: p.dir.views[i].typ.String(), site: p.sites.position(at)})
			return
		}
	}
	p.misuse("PopRegister", at, "%s", p.unregistered(name))
}

// unregistered says why name can't be used.
func (p *process) unregistered(name uint64) string {
	if name == 0 {
		return "the Reg is zero: it was not returned by PushRegister"
	}
	for i := p.st.Active; i < len(p.st.Regs); i++ {
		if p.st.Regs[i].Name == name {
			return "the registration (" + p.st.Regs[i].Site + ") takes effect after the next Sync, it can't be used in the superstep in which it is made"
		}
	}
	return "the slice is not registered any more: PopRegister has removed it"
}

// use returns the number of the registration that name means in this
// superstep.
func (p *process) use(call string, name uint64, at site) uint64 {
	i, ok := p.dir.newest[name]
	if !ok {
		p.misuse(call, at, "%s", p.unregistered(name))
	}
	return p.st.Regs[i].Number
}

// owned returns the index of the registration with that number, or -1.
func (p *process) owned(number uint64) int {
	active := p.st.Regs[:p.st.Active]
	i := sort.Search(len(active), func(i int) bool { return active[i].Number >= number })
	if i < len(active) && active[i].Number == number {
		return i
	}
	return -1
}

// settle lets the changes of the superstep take effect.
func (p *process) settle() {
	if len(p.changes) == 0 {
		return
	}
	kept := p.st.Regs[:0]
	for _, r := range p.st.Regs {
		if !r.Popped {
			kept = append(kept, r)
		}
	}
	for i := len(kept); i < len(p.st.Regs); i++ {
		p.st.Regs[i] = registration{} // let go of the slice
	}
	p.st.Regs = kept
	p.st.Active = len(kept)
	p.changes = p.changes[:0]
	p.index()
}

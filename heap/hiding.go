package heap

import (
	"fmt"
	"reflect"
	"runtime"
	"unsafe"
)

// A program can make a slice of numbers, or a string, of memory with references, by package unsafe:
//
//	b := unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p))
//
// As long as a pointer leads there as well, the memory is used as two types, and refused. If the
// slice is all that is left, it would be saved as numbers, and the references lost. So if the
// program makes slices of a type of numbers so ([Options].Hiding), those that are in an allocation
// with references (scanned.go) may have no address in them. On the stack nothing tells of what they
// are part: those that have an address are moved from there to such an allocation.

const hidden = "it has an address of memory in Go's heap, and the program makes such slices and strings of memory with references by package unsafe"

// unhidden returns an error if an object that is saved as numbers has references.
func (c *capturing) unhidden() error {
	if len(c.opt.Hiding) == 0 {
		return nil
	}
	hiding := func(p *plan, box bool) bool { return p.hiding && !box }
	return c.firstMisused(hiding, func(_ *plan, x unsafe.Pointer, _ int) bool { return c.hides(x) }, hidden)
}

// hides reports whether what is saved at x are numbers, in an allocation with references, one of
// which is an address.
func (c *capturing) hides(x unsafe.Pointer) bool {
	if !isScanned(x) {
		return false
	}
	o, ok := c.into(x)
	return ok && len(o.plan.slots) == 0 && c.hasAddress(o.ptr, o.end()-uintptr(o.ptr))
}

// keepHidden keeps what the addresses in a region lead to that has been copied from the stack, and
// notes those of the stack. Where words have 32 bits, small numbers are such, too: there it is not
// known.
func (l *Lift) keepHidden(r *lifted) {
	if len(l.hiding) == 0 || word == 4 || len(r.layout.references) > 0 || !isFirst(l.hiding, elementOf(r.layout.typ)) {
		return
	}
	low, high := l.bounds()
	for off := r.from % word; off+word <= r.size(); off += word {
		var n uintptr
		copyBytes(unsafe.Pointer(&n), unsafe.Add(r.to, off), 0, word) // which may be at any address in the copy
		if low <= n && n < high {
			l.onStack = append(l.onStack, r.from-off)
		} else if l.inHeap(n, uintptr(r.to)) {
			h := hiddenAt{from: r.from - off}
			copyBytes(unsafe.Pointer(&h.x), unsafe.Add(r.to, off), 0, word)
			l.hidden = append(l.hidden, h)
		}
	}
}

// A hiddenAt is an address among numbers, and the distance where it stood.
type hiddenAt struct {
	x    unsafe.Pointer
	from uintptr
}

// scanHidden moves the regions of numbers that have addresses to memory which the collector looks
// into, as the stack was. So what they lead to stays, and a capture refuses them.
func (l *Lift) scanHidden(whole []lifted) error {
	for _, from := range l.onStack {
		if r := containing(whole, from); r != nil && len(r.layout.references) == 0 {
			return fmt.Errorf("heap: a %s on the stack can't be moved: it has an address of the stack, and the program makes such slices and strings of memory with references by package unsafe; keep the pointer that the slice is made of", typeText(r.layout.typ))
		}
	}
	scanned := make(map[*lifted]bool)
	for _, h := range l.hidden {
		r := containing(whole, h.from)
		if r == nil || len(r.layout.references) > 0 {
			continue
		}
		if !scanned[r] {
			scanned[r] = true
			to := unsafe.Add(unsafe.Pointer(unsafe.SliceData(make([]unsafe.Pointer, r.size()/word+2))), -r.from%word)
			copyBytes(to, r.to, 0, r.size())
			r.to = to
		}
		*(*unsafe.Pointer)(unsafe.Add(r.to, r.from-h.from)) = h.x
	}
	l.hidden = nil
	return nil
}

// elementOf returns the type of the elements of an array without a name, and of those of arrays in
// it, or the type itself.
func elementOf(rt reflect.Type) reflect.Type {
	for rt.Kind() == reflect.Array && rt.Name() == "" {
		rt = rt.Elem()
	}
	return rt
}

// inHeap reports whether a number is the address of memory in Go's heap, which another one is. To
// ask how large the heap is stops the program: that is done only for numbers that are near enough.
func (l *Lift) inHeap(number, known uintptr) bool {
	const farthest = ^uintptr(0) >> 19 // 32 TB; no machine has so much memory
	if number == 0 || number+farthest < known || number > known+farthest {
		return false
	}
	if l.heap == nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		l.heap = around([]uintptr{known >> arenaBits}, &m)
	}
	return l.heap.has(number)
}

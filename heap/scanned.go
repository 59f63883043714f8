package heap

import (
	"sync"
	"unsafe"
)

// The runtime keeps values with references and those without in runs of their own. Which of both a
// run has, a byte of its description tells, with the size of the values: twice the number of the
// size, and one more if the collector does not look into them. Where that byte is differs between
// releases of Go. It is found by descriptions of runs of which it is known.

// isScanned reports whether x leads into an allocation that was made for values with references:
// what is there is not only of a type without. It reports false if that is not known.
func isScanned(x unsafe.Pointer) bool {
	base, run, _ := findObject(uintptr(x), 0, 0)
	off := classByte()
	return base != 0 && off > 0 && *(*byte)(unsafe.Add(run, off))&1 == 0
}

// array notes a pointer to an array of numbers, found at q, that leads into such an allocation, if
// the program converts such pointers.
func (w *walker) array(x unsafe.Pointer, target *plan, q unsafe.Pointer) {
	if len(target.flatElem.slots) == 0 && isScanned(x) {
		w.arrays = append(w.arrays, first{x, target, w.current, uintptr(q) - uintptr(w.base)})
	}
}

// isAllOf reports whether an array is all that is saved where it is.
func (c *capturing) isAllOf(f first) bool {
	o, ok := c.into(f.to)
	return ok && o.ptr == f.to && o.plan.Type == f.target.flatElem.Type && o.end() <= uintptr(f.to)+f.target.native
}

// runsOfSize are allocations of a size, with references and without.
type runsOfSize struct {
	with    []*byte
	without []uintptr
}

// classByte returns where in the description of a run the byte is, or 0 if that is not known.
var classByte = sync.OnceValue(func() (found uintptr) {
	const (
		first = 5 * word // what is before is known, see extent
		last  = first + 72
	)
	var known []*runsOfSize
	for n := 4; n <= 32; n *= 2 { // neither those that small values share, nor those that begin with a word for their type
		known = append(known, &runsOfSize{make([]*byte, n), make([]uintptr, n)})
	}
	for off := first; off < last; off++ {
		class, is := byte(1), true
		for _, k := range known {
			_, with, _ := findObject(uintptr(unsafe.Pointer(&k.with[0])), 0, 0)
			_, without, _ := findObject(uintptr(unsafe.Pointer(&k.without[0])), 0, 0)
			if with == nil || without == nil {
				return 0
			}
			before := class
			class = *(*byte)(unsafe.Add(with, off))
			is = is && class&1 == 0 && class > before && *(*byte)(unsafe.Add(without, off)) == class+1
		}
		if is && found > 0 {
			return 0 // there are several
		} else if is {
			found = off
		}
	}
	return found
})

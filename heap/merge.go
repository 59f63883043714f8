package heap

import (
	"cmp"
	"slices"
	"unsafe"
)

// An object is memory that is saved, and allocated on rebuild, as a whole.
type object struct {
	ptr    unsafe.Pointer
	plan   *plan
	count  int
	region uint32 // in a list, when the image is made
	align  uint32 // if not 0, views of it begin at multiples of that: see raw.go
	named  int    // index + 1 of the named variable that it is; it is not in the image
}

func (o *object) end() uintptr { return uintptr(o.ptr) + o.plan.native*uintptr(o.count) }

// refer notes that a region is part of the object: if all are text, so is that.
func (o *object) refer(r *region) {
	if o.plan.text && !r.plan.text {
		o.plan = r.plan
	}
}

// merge makes objects of the regions in the table: one that lies inside another is part of it,
// overlapping slices of one array are one array, and so are numbers of several types (raw.go). Only
// small values of the runtime are objects of several types. It returns the object of each region.
// rooted and external tell which regions are variables.
func (w *walker) merge(rooted map[int]string, external map[int]int) ([]object, []uint32, error) {
	regions := w.mem
	order := w.inOrder()
	var objects []object
	owner := make([]uint32, regions.n)
	views := func(region int) func(t, u *Type) bool {
		_, root := rooted[region]
		if _, variable := external[region]; root || variable { // it has its own type in the image
			return (*Type).views
		}
		return (*Type).overlooks
	}
	for _, k := range order {
		i := k.region
		r := regions.at(int(i))
		if len(objects) > 0 {
			o := &objects[len(objects)-1]
			off := uintptr(r.ptr) - uintptr(o.ptr)
			switch {
			case uintptr(r.ptr) >= o.end():
			case r.end() <= o.end() && o.plan.has(uint64(o.count), w.wireOffset(o.plan, off), r.plan.Type, uint64(r.count), views(int(i))):
				owner[i] = uint32(len(objects) - 1)
				o.refer(r)
				continue
			case sameMemory(o.plan.Type, r.plan.Type) && o.plan.native == r.plan.native && off%o.plan.native == 0:
				o.count = int(off/o.plan.native) + r.count
				o.refer(r)
				owner[i] = uint32(len(objects) - 1)
				continue
			case r.small():
			case w.joinRaw(o, r):
				owner[i] = uint32(len(objects) - 1)
				continue
			default:
				other := typeText(o.plan.rt)
				if path := w.pathOfTable(o.ptr, o.plan); path != unknownPath {
					other += ", by " + path
				}
				return nil, nil, w.misused(int(i), "the same memory is also used as "+other+"; conversions by package unsafe can't be followed")
			}
		}
		if r.plan.isHeader() {
			return nil, nil, w.misused(int(i), "it is no view of a slice or string that the program also reaches by its type")
		}
		objects = append(objects, object{ptr: r.ptr, plan: r.plan, count: r.count})
		owner[i] = uint32(len(objects) - 1)
	}
	whole := make(map[uint32]bool) // objects that are variables
	for i := range rooted {
		r, o := regions.at(i), &objects[owner[i]]
		if r.ptr == o.ptr && r.end() == o.end() {
			whole[owner[i]] = true
			if !o.plan.holds(uint64(o.count), 0, r.plan.Type, uint64(r.count)) { // numbers of several types
				o.plan, o.count = r.plan, r.count
			}
		}
	}
	for i, name := range rooted {
		if !whole[owner[i]] {
			return nil, nil, &UnsupportedError{Path: name, Type: typeText(regions.at(i).plan.rt),
				Why: "the variable is part of a larger object, of type " + typeText(objects[owner[i]].plan.rt) + ", which is not a root"}
		}
	}
	for i, n := range external {
		r, o := regions.at(i), &objects[owner[i]]
		if r.ptr == o.ptr && r.end() == o.end() && !whole[owner[i]] {
			o.named = n + 1
		}
	}
	for k := range objects {
		if o := &objects[k]; o.align != 0 && o.named == 0 && !whole[uint32(k)] {
			before := uintptr(0)
			if k > 0 {
				before = objects[k-1].end()
			}
			w.alignRaw(o, before)
		}
	}
	return objects, owner, nil
}

type addressed struct {
	address uint64
	region  uint32
}

// inOrder returns the regions by address; of those that begin at one address
// the one that can contain the others comes first.
func (w *walker) inOrder() []addressed {
	list := make([]addressed, 0, w.mem.n)
	bits := uint64(0)
	sorted := true
	for i := range w.mem.n {
		if r := w.mem.at(i); r.plan != nil {
			a := uint64(uintptr(r.ptr))
			bits |= a
			sorted = sorted && (len(list) == 0 || list[len(list)-1].address <= a)
			list = append(list, addressed{a, uint32(i)})
		}
	}
	if !sorted {
		list = radixSort(list, bits)
	}
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && list[j].address == list[i].address {
			j++
		}
		if j > i+1 {
			slices.SortFunc(list[i:j], func(x, y addressed) int {
				a, b := w.mem.at(int(x.region)), w.mem.at(int(y.region))
				if a.end() != b.end() {
					return cmp.Compare(b.end(), a.end())
				}
				if h := a.plan.isView(); h != b.plan.isView() {
					if h {
						return 1
					}
					return -1
				}
				if a.plan.depth != b.plan.depth {
					return cmp.Compare(b.plan.depth, a.plan.depth)
				}
				return cmp.Compare(a.plan.ID, b.plan.ID)
			})
		}
		i = j
	}
	return list
}

// radixSort sorts by address, eleven bits at a time. bits are those that occur.
func radixSort(list []addressed, bits uint64) []addressed {
	if len(list) < 1<<12 {
		slices.SortFunc(list, func(a, b addressed) int { return cmp.Compare(a.address, b.address) })
		return list
	}
	other := make([]addressed, len(list))
	const width = 11
	for shift := 0; bits>>shift != 0; shift += width {
		var start [1 << width]int
		for _, a := range list {
			start[a.address>>shift&(1<<width-1)]++
		}
		at := 0
		for i, n := range start {
			start[i] = at
			at += n
		}
		for _, a := range list {
			d := a.address >> shift & (1<<width - 1)
			other[start[d]] = a
			start[d]++
		}
		list, other = other, list
	}
	return list
}

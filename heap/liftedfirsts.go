package heap

import (
	"cmp"
	"slices"
	"unsafe"
)

// What follows a value on the stack that may be the first of several (firsts.go) ends somewhere in
// the frame that it is in, and nothing tells where. It is no larger than what the compiler has on
// the stack at all. So that much is copied as bytes, and when all regions are known, the value is
// made an array of what there is up to the next region of another type.

// mostOnStack is the size of the largest variable that Go's compiler has on the stack.
const mostOnStack = 128 << 10

// A stretch is memory of the stack.
type stretch struct {
	from  uintptr // distance of its beginning
	bytes []byte
}

func (p *stretch) until() uintptr { return p.from - uintptr(len(p.bytes)) }

// first notes that a value may be the first of several, and copies what follows it. The stretches
// of neighbours end in the same place, so that what they have in common is copied once.
func (l *Lift) first(from uintptr, lay *layout) {
	if len(lay.references) > 0 || lay.size == 0 {
		return
	}
	l.firsts = append(l.firsts, from)
	until := uintptr(0)
	if from > mostOnStack {
		until = (from - mostOnStack) / mostOnStack * mostOnStack
	}
	for i := range l.behind {
		if p := &l.behind[i]; p.until() < from && from <= p.from && p.until() <= until {
			return
		} else if p.until() == until && p.from < from {
			until = p.from
		}
	}
	if until == from {
		return
	}
	bytes := make([]byte, from-until)
	copyBytes(unsafe.Pointer(unsafe.SliceData(bytes)), l.at(from), 0, from-until)
	l.behind = append(l.behind, stretch{from, bytes})
}

// wholeFirsts makes arrays of the regions that such values are.
func (l *Lift) wholeFirsts(whole []lifted) []lifted {
	if len(l.firsts) == 0 {
		return whole
	}
	slices.SortFunc(l.firsts, func(a, b uintptr) int { return cmp.Compare(b, a) })
	slices.SortFunc(l.behind, func(a, b stretch) int { return cmp.Compare(b.from, a.from) })
	var list []lifted
	for len(whole) > 0 {
		r, n := whole[0], 1
		end, ok := l.reach(&r)
		if ok {
			for n < len(whole) && whole[n].from > end && whole[n].layout == r.layout && (r.from-whole[n].from)%r.layout.size == 0 {
				if further, ok := l.reach(&whole[n]); ok {
					end = min(end, further)
				}
				n++
			}
			if n < len(whole) {
				end = max(end, whole[n].from)
			}
			if end = min(end, whole[n-1].until()); end < r.until() {
				r = l.array(whole[:n], end)
			}
		}
		list, whole = append(list, r), whole[n:]
	}
	return list
}

// reach returns how far the array can go that the last of such values in a region is the first of,
// if there is any.
func (l *Lift) reach(r *lifted) (end uintptr, ok bool) {
	// The first that is behind the region, as they are in order of the stack.
	i, _ := slices.BinarySearchFunc(l.firsts, r.until(), func(from, until uintptr) int { return cmp.Compare(until, from) })
	if i == 0 || l.firsts[i-1] > r.from || len(r.layout.references) > 0 {
		return 0, false
	}
	if from := l.firsts[i-1]; from > mostOnStack {
		end = from - mostOnStack
	}
	return end, true
}

// array makes one region of several, and of what follows them up to a distance.
func (l *Lift) array(regions []lifted, until uintptr) lifted {
	r := regions[0]
	r.n = int((r.from - until) / r.layout.size)
	r.to = r.layout.allocate(r.n)
	for _, p := range l.behind {
		if from := min(p.from, r.from); from > p.until() && from > r.until() {
			copyBytes(unsafe.Add(r.to, r.from-from), unsafe.Pointer(&p.bytes[p.from-from]), 0, from-max(p.until(), r.until()))
		}
	}
	for _, part := range regions {
		part.layout.move(unsafe.Add(r.to, r.from-part.from), part.to, part.n)
	}
	return r
}

package heap

import (
	"cmp"
	"math/bits"
	"slices"
)

// What an image is made of, by variable. A variable reaches an object if references lead from it
// there. Objects are counted as they are allocated: an array with all its elements, the keys and
// the values of a map as one array each. For each object the set of variables that reach it is
// found, 64 variables at a time; as most objects are reached by few different sets, that tells the
// size of each variable alone, and what it shares with which others.

// A Part is what a certain set of variables reaches, and no other variable.
type Part struct {
	Variables []int // indexes, ascending
	Objects   int
	Bytes     int
	Changed   int // values that are not what they were; see Difference
	New       int // objects that were not there
}

// A Reach tells what an image is made of.
type Reach struct {
	// Own are the bytes of variables that are parts of something else, such as the fields of a
	// frame; 0 for those which are objects by themselves.
	Own []int
	// OwnChanged are how many of them are not what they were.
	OwnChanged []int
	// Parts are all objects that any of the variables reaches, largest part first.
	Parts []Part
}

// position returns the object that a value is in, and where.
func (v Value) position() (number, off uint64) {
	if v.in == 0 {
		return 0, 0
	}
	_, b := v.im.content(v.in)
	return v.in, uint64(len(b) - len(v.b)) // values are slices of the object, up to its end
}

// begin calls visit for the objects that a variable leads to, or is, and returns its size if it is
// a part of something else.
func (im *Image) begin(v Value, visit func(to uint64)) (own uint64) {
	if v.b == nil || v.typ.size == 0 {
		return 0
	}
	number, off := v.position()
	if v.isObject() {
		visit(number)
		return 0
	}
	_, b := im.content(number)
	im.slotLinks(b, off, v.typ.wireSlots(), func(l link) { visit(l.to) })
	return v.typ.size
}

// isObject reports whether a value is all of an object.
func (v Value) isObject() bool {
	number, off := v.position()
	return off == 0 && number > 0 && v.im.groupOf(number).bytes(number) == v.typ.size
}

// reached returns which objects variables lead to.
func (im *Image) reached(variables []Value) []bool {
	reached := make([]bool, im.objects+1)
	var todo []uint64
	visit := func(n uint64) {
		if !reached[n] {
			reached[n] = true
			todo = append(todo, n)
		}
	}
	for _, v := range variables {
		im.begin(v, visit)
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		im.links(n, func(l link) { visit(l.to) })
	}
	return reached
}

// Reach returns what variables reach. They are values of the image; what is different from an older
// image is told if d is not nil.
func (im *Image) Reach(variables []Value, d *Difference) *Reach {
	r := &Reach{Own: make([]int, len(variables)), OwnChanged: make([]int, len(variables))}
	type set struct {
		before uint32 // the set without the variables of this block
		block  int
		mask   uint64
	}
	sets, ids := []set{{}}, make(map[set]uint32)
	of := make([]uint32, im.objects+1) // the set of each object
	mask := make([]uint64, im.objects+1)
	for first := 0; first < len(variables); first += 64 {
		var todo []uint64
		clear(mask)
		add := func(to, m uint64) {
			if mask[to]|m != mask[to] {
				mask[to] |= m
				todo = append(todo, to)
			}
		}
		for i, v := range variables[first:min(first+64, len(variables))] {
			own := im.begin(v, func(n uint64) { add(n, 1<<i) })
			r.Own[first+i] = int(own)
			if d != nil && own > 0 {
				number, off := v.position()
				r.OwnChanged[first+i] = d.changedIn(number, off, own)
			}
		}
		for len(todo) > 0 {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			im.links(n, func(l link) { add(l.to, mask[n]) })
		}
		for n, m := range mask {
			if m == 0 {
				continue
			}
			s := set{of[n], first, m}
			id, ok := ids[s]
			if !ok {
				id = uint32(len(sets))
				sets, ids[s] = append(sets, s), id
			}
			of[n] = id
		}
	}
	parts := make([]Part, len(sets))
	for i := range im.groups {
		g := &im.groups[i]
		for n := g.first; n < g.first+g.n; n++ {
			p := &parts[of[n]]
			p.Objects++
			p.Bytes += int(g.bytes(n))
			if d != nil {
				p.Changed += d.changed(n)
				p.New += d.added(n)
			}
		}
	}
	for id, p := range parts[1:] {
		if p.Objects == 0 {
			continue // a part of a larger set
		}
		for s := sets[id+1]; s.mask != 0; s = sets[s.before] {
			for m := s.mask; m != 0; m &= m - 1 {
				p.Variables = append(p.Variables, s.block+bits.TrailingZeros64(m))
			}
		}
		slices.Sort(p.Variables)
		r.Parts = append(r.Parts, p)
	}
	slices.SortStableFunc(r.Parts, func(a, b Part) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return r
}

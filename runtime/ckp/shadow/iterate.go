package shadow

import "unsafe"

// RuneAt returns the rune of s that begins at index i, and its width in bytes, as a range over s
// would yield it.
func RuneAt(s string, i int) (r rune, width int) {
	r, width = rune(s[i]), 1
	if r >= 0x80 {
		r, width = decode(s, i)
	}
	return
}

// decode is RuneAt for any rune. Package unicode/utf8 may be one that is rewritten, and then
// imports this one.
//
//go:noinline
func decode(s string, at int) (r rune, width int) {
	s = s[at:]
	for i, c := range s {
		if i > 0 {
			return r, i
		}
		r = c
	}
	return r, len(s)
}

// A MapRange walks a map as a range statement does, with the runtime's own iterator, and can be
// saved while it does so. In a frame that is saved it is settled first: it holds the keys that it
// would still come to, looks them up, and skips those deleted since. Entries that are added then
// are not visited, which the language allows.
//
// A key that is not equal to itself can't be looked up. Its entry is there as long as the map is
// not cleared, and it can't change. So of entries that no program can tell from one another (see
// [SetIdentical]) the map has more than were visited since the walk was settled as long as it was
// not cleared, and if it has more, there is one to visit: the entry itself or one that was added.
//
// A key that is a zero of one sign, or has one in it, is equal to that with the other, which
// becomes the key when it is assigned to. So of such keys the walk tells the one that is in the
// map.
//
// It is a variable of the function with the loop, and so are its copies in frames: nothing else
// leads to it.
//
//	over.Map = m
//	for over.Begin(); over.Step() || over.More(); {
//		k, v := over.Key(), over.Value()
//		...
//	}
type MapRange[K comparable, V any] struct {
	Map         map[K]V
	MapIterator // walks nowhere if the walk is settled or over
	rest        *remainder[K, V]
}

// A remainder is what a walk that is settled has yet to come to. It is apart from the walk, since
// the compiler takes what it knows of one field of that to be so of all: the map is on the stack if
// nothing that has the key in it is kept, and keys are.
type remainder[K comparable, V any] struct {
	at    entry[K, V] // that it has come to
	keys  []K         // to come
	zeros bool        // there can be zeros of either sign in a key

	// Of keys that are not equal to themselves:
	nan     []entry[K, V] // the entries with those to come, in the order of keys
	visited []entry[K, V] // those visited since the walk was settled
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// Begin starts a walk over the map, which was assigned to the variable before: so the compiler sees
// that nobody else is handed it.
func (r *MapRange[K, V]) Begin() {
	r.rest = nil
	if beginIteration == nil || len(r.Map) == 0 {
		r.MapIterator = MapIterator{}
		r.settle()
		return
	}
	of := any(map[K]V(nil))
	(*[2]unsafe.Pointer)(unsafe.Pointer(&of))[1] = hidden(*(*unsafe.Pointer)(unsafe.Pointer(&r.Map)))
	beginIteration(of, (*MapIterator)(hidden(unsafe.Pointer(&r.MapIterator))))
}

// More does for a walk that is settled what Step does for others, and ends one of these.
func (r *MapRange[K, V]) More() bool {
	r.end()
	if r.rest == nil || !r.rest.next(r.Map) {
		return false
	}
	at := &r.rest.at
	r.hiter.key, r.hiter.elem = hidden(unsafe.Pointer(&at.key)), hidden(unsafe.Pointer(&at.value))
	return true
}

// Key returns the key of the entry that the walk has come to.
func (r *MapRange[K, V]) Key() K { return *(*K)(r.hiter.key) }

// Value returns the value that the entry had when the walk came to it.
func (r *MapRange[K, V]) Value() V { return *(*V)(r.hiter.elem) }

// Settle has the walk go on without the iterator, which belongs to the process. It is called when
// all goroutines are parked: one that is not could write to the map. No other one has a map that is
// on the stack. So a walk over such a map is settled when the stack is left: stack returns its
// bounds, and is nil if all goroutines are parked.
func (r *MapRange[K, V]) Settle(stack func() (low, high uintptr)) {
	if stack != nil {
		low, high := stack() // nothing is called that could move it, before the address is compared
		if at := uintptr(*(*unsafe.Pointer)(unsafe.Pointer(&r.Map))); at < low || at >= high {
			return
		}
	}
	if r.walks() {
		r.settle()
	}
	r.MapIterator = MapIterator{}
}

// settle notes what is to come: all of the map, if the walk has no iterator yet.
func (r *MapRange[K, V]) settle() {
	if len(r.Map) == 0 {
		return
	}
	r.rest = &remainder[K, V]{zeros: canHaveZeros((*K)(nil))}
	if !r.walks() {
		for k, v := range r.Map {
			r.rest.add(k, v)
		}
	}
	for r.Step() {
		r.rest.add(r.Key(), r.Value())
	}
}

func (s *remainder[K, V]) add(k K, v V) {
	s.keys = append(s.keys, k)
	if k != k {
		s.nan = append(s.nan, entry[K, V]{k, v})
	}
}

// next comes to the next entry in m and reports whether there is one.
func (s *remainder[K, V]) next(m map[K]V) bool {
	for len(s.keys) > 0 {
		k := s.keys[0]
		s.keys = s.keys[1:]
		if k != k {
			e := s.nan[0]
			s.nan = s.nan[1:]
			if !s.has(m, e) {
				continue
			}
			s.visited = append(s.visited, e)
			s.at = e
			return true
		}
		if v, ok := m[k]; ok {
			if s.zeros && hasZero(k) {
				k = stored(m, k)
			}
			s.at = entry[K, V]{k, v}
			return true
		}
	}
	return false
}

// stored returns the key in m that is equal to k.
func stored[K comparable, V any](m map[K]V, k K) K {
	for stored := range m {
		if stored == k {
			return stored
		}
	}
	return k
}

// has reports whether m has an entry like e that was not visited.
func (s *remainder[K, V]) has(m map[K]V, e entry[K, V]) bool {
	there := 0
	for _, v := range s.visited {
		if identical(v, e) {
			there--
		}
	}
	for k, v := range m {
		if k == k || !identical(entry[K, V]{k, v}, e) {
			continue
		}
		if there++; there > 0 {
			return true
		}
	}
	return false
}

var identical func(x, y any) bool

// SetIdentical sets the function that reports whether two values of a type are the same to any
// program: the same bits, the same references. It is called during initialisation.
func SetIdentical(f func(x, y any) bool) { identical = f }

var zerosIn, hasZero func(any) bool

// SetZeros sets the functions that report whether there can be floating-point zeros in values of
// the type that a pointer is to, and whether one is in a value. It is called during initialisation.
func SetZeros(in, has func(any) bool) { zerosIn, hasZero = in, has }

// canHaveZeros is the first of these functions, of the usual types without it.
func canHaveZeros(pointer any) bool {
	switch pointer.(type) {
	case *string, *int, *int32, *int64, *uint, *uint8, *uint32, *uint64:
		return false
	}
	return zerosIn != nil && zerosIn(pointer)
}

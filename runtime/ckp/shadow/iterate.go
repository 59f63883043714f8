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
// are not visited, which the language allows. A walk over a small map is settled from the
// beginning.
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
type MapRange[K comparable, V any] struct {
	Key   K
	Value V

	m      map[K]V
	it     mapIterator // zero if the walk is settled
	begun  bool        // the iterator is at the entry that was visited last
	zeros  bool        // there can be zeros of either sign in a key
	nth, n int         // those of few from nth to n are to come
	few    [fewEntries]K
	keys   []K            // to come, after these
	odd    *oddWalk[K, V] // nil: each of the keys to come is equal to itself
}

// A mapIterator is what the runtime has for packages that walk maps by go:linkname (package
// runtime, linknameIter).
type mapIterator struct {
	key, elem unsafe.Pointer // nil behind the last entry
	//lint:ignore U1000 the runtime has it
	typ unsafe.Pointer
	of  unsafe.Pointer
}

//go:linkname beginIteration runtime.mapiterinit
//go:noescape
func beginIteration(typ, m unsafe.Pointer, it *mapIterator)

//go:linkname nextIteration runtime.mapiternext
//go:noescape
func nextIteration(it *mapIterator)

// An oddWalk is what else there is to know of the rest of a walk with keys that are not equal to
// themselves.
type oddWalk[K comparable, V any] struct {
	nan     []entry[K, V] // those with such keys, in the order of keys
	visited []entry[K, V] // of these, since the walk was settled
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// fewEntries is how many it takes less to look up than to allocate an iterator of the runtime.
// Their keys have a place in the walk itself.
const fewEntries = 4

// RangeMap starts a walk over m.
func RangeMap[M ~map[K]V, K comparable, V any](m M) (r MapRange[K, V]) {
	if len(m) == 0 {
		return r
	}
	if len(m) <= fewEntries {
		r.m = m
		r.all()
		return r
	}
	r.m = Kept(map[K]V(m)) // the iterator is on the heap, and so must be the map
	of := any(r.m)
	w := (*[2]unsafe.Pointer)(unsafe.Pointer(&of)) // the type, and the map itself
	beginIteration(w[0], w[1], &r.it)
	return r
}

// all settles a walk that has not begun.
func (r *MapRange[K, V]) all() {
	r.zeros = canHaveZeros((*K)(nil))
	for k, v := range r.m {
		if r.n < fewEntries {
			r.few[r.n] = k
			r.n++
		} else {
			r.keys = append(r.keys, k)
		}
		if k != k {
			r.addOdd(k, v)
		}
	}
}

// addOdd notes that a key to come is not equal to itself.
func (r *MapRange[K, V]) addOdd(k K, v V) {
	if r.odd == nil {
		r.odd = new(oddWalk[K, V])
	}
	r.odd.nan = append(r.odd.nan, entry[K, V]{k, v})
}

// Next moves to the next entry and reports whether there is one.
func (r *MapRange[K, V]) Next() bool {
	if r.it.of == nil {
		return r.nextKey()
	}
	if r.begun {
		nextIteration(&r.it)
	}
	r.begun = true
	if r.it.key == nil {
		r.it = mapIterator{}
		return false
	}
	r.Key, r.Value = *(*K)(r.it.key), *(*V)(r.it.elem)
	return true
}

// take takes a key from those to come, of which it keeps nothing.
func (r *MapRange[K, V]) take() (k K, ok bool) {
	switch {
	case r.nth < r.n:
		k, ok = r.few[r.nth], true
		r.few[r.nth] = *new(K)
		r.nth++
	case len(r.keys) > 0:
		k, ok = r.keys[0], true
		r.keys = r.keys[1:]
	}
	return
}

// nextKey is Next of a walk that is settled.
func (r *MapRange[K, V]) nextKey() bool {
	for {
		k, ok := r.take()
		if !ok {
			return false
		}
		if k != k {
			e := r.odd.nan[0]
			r.odd.nan = r.odd.nan[1:]
			if !r.has(e) {
				continue
			}
			r.odd.visited = append(r.odd.visited, e)
			r.Key, r.Value = k, e.value
			return true
		}
		if v, ok := r.m[k]; ok {
			r.Key, r.Value = k, v
			if r.zeros && hasZero(k) {
				r.Key = r.stored(k)
			}
			return true
		}
	}
}

// stored returns the key in the map that is equal to k.
func (r *MapRange[K, V]) stored(k K) K {
	for stored := range r.m {
		if stored == k {
			return stored
		}
	}
	return k
}

// Settle has the walk go on without the iterator, which belongs to the process. It is called when
// all goroutines are parked: one that is not could write to the map.
func (r *MapRange[K, V]) Settle() {
	if r.it.of == nil {
		return
	}
	r.zeros = canHaveZeros((*K)(nil))
	if r.begun {
		nextIteration(&r.it)
	}
	for ; r.it.key != nil; nextIteration(&r.it) {
		k := *(*K)(r.it.key)
		r.keys = append(r.keys, k)
		if k != k {
			r.addOdd(k, *(*V)(r.it.elem))
		}
	}
	r.it = mapIterator{}
}

// has reports whether the map has an entry like e that was not visited.
func (r *MapRange[K, V]) has(e entry[K, V]) bool {
	there := 0
	for _, v := range r.odd.visited {
		if identical(v, e) {
			there--
		}
	}
	for k, v := range r.m {
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

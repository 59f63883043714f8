package shadow

// RuneAt returns the rune of s that begins at index i, and its width in bytes, as a range over s would yield it.
func RuneAt(s string, i int) (r rune, width int) {
	r, width = rune(s[i]), 1
	if r >= 0x80 {
		r, width = decode(s, i)
	}
	return
}

// decode is RuneAt for any rune. Package unicode/utf8 may be one that is rewritten, and then imports this one.
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

// A MapRange walks a map as a range statement does, and can be saved while it
// does so: it holds a snapshot of the keys and skips those deleted since.
// Entries added during the walk are not visited, which the language allows.
//
// Many a loop takes but the first entry it gets, again and again. So that such loops do not take time that grows
// with the map, the walk over a large one begins with a few keys. The snapshot is taken when they have been visited.
//
// A key that is not equal to itself can't be looked up. Its entry is there as long as the map is not cleared, and
// it can't change. So of entries that no program can tell from one another (see [SetIdentical]) the map has
// more than were visited as long as it was not cleared, and if it has more, there is one to visit: the
// entry itself or one that was added.
//
// It is a variable of the function with the loop, and so are its copies in frames: nothing else leads to it.
type MapRange[K comparable, V any] struct {
	Key   K
	Value V

	m    map[K]V
	keys []K
	odd  *oddWalk[K, V] // nil: keys is of all, and each is equal to itself
}

// An oddWalk is what else there is to know of some walks.
type oddWalk[K comparable, V any] struct {
	begun   bool           // keys is not of all yet
	first   map[K]struct{} // those it began with
	nan     []entry[K, V]  // those whose keys are not equal to themselves, in the order of keys
	visited []entry[K, V]  // of these
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

const (
	// few keys are what a walk begins with.
	few = 8
	// many entries have a map for which it pays.
	many = 64
)

// RangeMap starts a walk over m.
func RangeMap[M ~map[K]V, K comparable, V any](m M) (r MapRange[K, V]) {
	r.m = m
	if len(m) < many {
		r.all()
		return r
	}
	r.odd = &oddWalk[K, V]{begun: true, first: make(map[K]struct{}, few)}
	r.keys = make([]K, 0, few)
	for k := range m {
		if len(r.keys) == few || k != k {
			break
		}
		r.keys = append(r.keys, k)
		r.odd.first[k] = struct{}{}
	}
	return r
}

// all takes the snapshot of all keys.
func (r *MapRange[K, V]) all() {
	r.keys = make([]K, 0, len(r.m))
	for k, v := range r.m {
		r.keys = append(r.keys, k)
		if k != k {
			if r.odd == nil {
				r.odd = new(oddWalk[K, V])
			}
			r.odd.nan = append(r.odd.nan, entry[K, V]{k, v})
		}
	}
}

// Next moves to the next entry and reports whether there is one.
func (r *MapRange[K, V]) Next() bool {
	if r.odd != nil {
		return r.nextOdd()
	}
	for len(r.keys) > 0 {
		k := r.keys[0]
		r.keys = r.keys[1:]
		if v, ok := r.m[k]; ok {
			r.Key, r.Value = k, v
			return true
		}
	}
	return false
}

func (r *MapRange[K, V]) nextOdd() bool {
	o := r.odd
	for {
		if len(r.keys) == 0 {
			if !o.begun {
				return false
			}
			o.begun = false
			r.all()
			continue
		}
		k := r.keys[0]
		r.keys = r.keys[1:]
		if k != k {
			e := o.nan[0]
			o.nan = o.nan[1:]
			if !r.has(e) {
				continue
			}
			o.visited = append(o.visited, e)
			r.Key, r.Value = k, e.value
			return true
		}
		if len(o.first) > 0 && !o.begun {
			if _, ok := o.first[k]; ok {
				delete(o.first, k)
				continue
			}
		}
		if v, ok := r.m[k]; ok {
			r.Key, r.Value = k, v
			return true
		}
	}
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

// SetIdentical sets the function that reports whether two values of a type are the same to any program: the same
// bits, the same references. It is called during initialisation.
func SetIdentical(f func(x, y any) bool) { identical = f }

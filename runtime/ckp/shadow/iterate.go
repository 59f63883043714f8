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
type MapRange[K comparable, V any] struct {
	Key   K
	Value V

	m       map[K]V
	keys    []K
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
func RangeMap[M ~map[K]V, K comparable, V any](m M) *MapRange[K, V] {
	r := &MapRange[K, V]{m: m}
	if len(m) < many {
		r.all()
		return r
	}
	r.begun = true
	r.keys, r.first = make([]K, 0, few), make(map[K]struct{}, few)
	for k := range m {
		if len(r.keys) == few || k != k {
			break
		}
		r.keys = append(r.keys, k)
		r.first[k] = struct{}{}
	}
	return r
}

// all takes the snapshot of all keys.
func (r *MapRange[K, V]) all() {
	r.begun, r.keys = false, make([]K, 0, len(r.m))
	for k, v := range r.m {
		r.keys = append(r.keys, k)
		if k != k {
			r.nan = append(r.nan, entry[K, V]{k, v})
		}
	}
}

// Next moves to the next entry and reports whether there is one.
func (r *MapRange[K, V]) Next() bool {
	for {
		if len(r.keys) == 0 {
			if !r.begun {
				return false
			}
			r.all()
			continue
		}
		k := r.keys[0]
		r.keys = r.keys[1:]
		if k != k {
			e := r.nan[0]
			r.nan = r.nan[1:]
			if !r.has(e) {
				continue
			}
			r.visited = append(r.visited, e)
			r.Key, r.Value = k, e.value
			return true
		}
		if len(r.first) > 0 && !r.begun {
			if _, ok := r.first[k]; ok {
				delete(r.first, k)
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
	for _, v := range r.visited {
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

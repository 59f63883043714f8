package shadow

// DecodeRune returns the first rune of s and its width in bytes, as a range
// over s would yield it. s must not be empty.
func DecodeRune(s string) (r rune, width int) {
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
type MapRange[K comparable, V any] struct {
	Key   K
	Value V

	m    map[K]V
	keys []K
	nan  []V // values of the keys that are not equal to themselves, in the order of keys
}

// RangeMap starts a walk over m.
func RangeMap[M ~map[K]V, K comparable, V any](m M) *MapRange[K, V] {
	r := &MapRange[K, V]{m: m, keys: make([]K, 0, len(m))}
	for k, v := range m {
		r.keys = append(r.keys, k)
		if k != k {
			r.nan = append(r.nan, v)
		}
	}
	return r
}

// Next moves to the next entry and reports whether there is one.
func (r *MapRange[K, V]) Next() bool {
	for len(r.keys) > 0 {
		k := r.keys[0]
		r.keys = r.keys[1:]
		if k != k {
			// Such a key can't be looked up; only clear can have removed it.
			v := r.nan[0]
			r.nan = r.nan[1:]
			if len(r.m) == 0 {
				continue
			}
			r.Key, r.Value = k, v
			return true
		}
		if v, ok := r.m[k]; ok {
			r.Key, r.Value = k, v
			return true
		}
	}
	return false
}

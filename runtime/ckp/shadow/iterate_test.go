package shadow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A walk by RuneAt yields what a range does, in any string.
func TestRuneAt(t *testing.T) {
	type step struct {
		index int
		char  rune
	}
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "\x00", "\x7f", "\x80", "\xbf", "\xc3", "\xc3\xa4", "\xe2\x82", "\xe2\x82\xac", "\xed\xa0\x80", "\xf0\x9f\x98", "\xf0\x9f\x98\x80", "\xff", "\uFFFD"}
	for range 10000 {
		var s string
		for range random.IntN(6) {
			s += parts[random.IntN(len(parts))]
		}
		var want, got []step
		for i, c := range s {
			want = append(want, step{i, c})
		}
		for i := 0; i < len(s); {
			c, width := RuneAt(s, i)
			got = append(got, step{i, c})
			i += width
		}
		require.Equal(t, want, got, "%q", s)
	}
}

// A walk comes once to each entry that is there all the time, with the value that it has then, and
// to none that was deleted, whenever it is settled and whatever is done to the map meanwhile. Of
// keys that are not equal to themselves there are as many as there were.
func TestMapRange(t *testing.T) {
	for _, iterators := range []bool{false, true} {
		t.Run(fmt.Sprintf("iterators %t", iterators), func(t *testing.T) {
			if iterators {
				next := (*reflect.MapIter).Next
				SetIterators(func(m any, it *MapIterator) {
					(*reflect.MapIter)(unsafe.Pointer(it)).Reset(reflect.ValueOf(m))
				}, *(*func(*MapIterator) bool)(unsafe.Pointer(&next)))
				defer SetIterators(nil, nil)
			}
			walkMaps(t)
		})
	}
}

func walkMaps(t *testing.T) {
	SetIdentical(func(x, y any) bool { return fmt.Sprint(x) == fmt.Sprint(y) })
	defer SetIdentical(nil)
	SetZeros(func(any) bool { return true }, func(x any) bool { return x == 0.0 })
	defer SetZeros(nil, nil)
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 3000 {
		var m map[float64]string
		switch n := random.IntN(60); {
		case n > 0:
			m = make(map[float64]string)
			for i := range n {
				m[float64(i)] = fmt.Sprint(i)
			}
		case round%2 == 0:
			m = make(map[float64]string)
		}
		nans := 0
		if m != nil && random.IntN(3) == 0 {
			for ; nans < 1+random.IntN(5); nans++ {
				m[math.NaN()] = fmt.Sprint("nan", nans%3)
			}
		}
		var r MapRange[float64, string]
		r.Map = m
		r.Begin()
		if !walkChanging(t, &r, m, nans, random) {
			t.Fatalf("round %d", round)
		}
	}
}

// negative reports whether the zero among the keys is.
func negative(m map[float64]string) bool {
	for k := range m {
		if k == 0 {
			return math.Signbit(k)
		}
	}
	return false
}

func walkChanging(t *testing.T, r *MapRange[float64, string], m map[float64]string, nans int, random *rand.Rand) bool {
	t.Helper()
	rest := make(map[float64]bool)
	for k := range m {
		if k == k {
			rest[k] = true
		}
	}
	seen := make(map[float64]bool)
	cleared := false
	for r.Step() || r.More() {
		switch k := r.Key(); {
		case k != k:
			require.False(t, cleared)
			nans--
		default:
			v, there := m[k]
			require.True(t, there, "a deleted entry")
			if k == 0 {
				require.Equal(t, negative(m), math.Signbit(k), "a key that is not there any more")
			}
			require.Equal(t, v, r.Value())
			require.False(t, seen[k], "an entry comes again")
			seen[k] = true
			delete(rest, k)
		}
		for range random.IntN(3) {
			k := float64(random.IntN(80))
			if random.IntN(4) == 0 {
				k = 0
			}
			switch random.IntN(8) {
			case 0, 1:
				delete(m, k)
				delete(rest, k)
				delete(seen, k) // it may be added, and come again
			case 2, 3:
				if k == 0 {
					k = math.Copysign(0, float64(random.IntN(3)-1))
				}
				m[k] = fmt.Sprint("changed", k)
			case 4:
				r.Settle(nil)
			case 5:
				if random.IntN(30) == 0 {
					clear(m)
					clear(rest)
					clear(seen)
					cleared = true
				}
			}
		}
	}
	require.Empty(t, rest, "entries that did not come")
	require.True(t, nans == 0 || cleared, "%d entries with NaN did not come", nans)
	return !t.Failed()
}

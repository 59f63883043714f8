package ckp

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// hasherIn returns where the hasher of a map type is.
func hasherIn(m any) *hasher {
	return &(**(**mapType)(unsafe.Pointer(&m))).hasher
}

// hashesLike checks that equal keys hash alike by what a program gets in place of the hasher of a
// map type, other ones otherwise, and none as the runtime does.
func hashesLike[K comparable](t *testing.T, keys []K, others []K) {
	at := hasherIn(make(map[K]bool))
	got := mapHasher(unsafe.Pointer(at))
	hash := func(k K, seed uintptr) uintptr { return got(unsafe.Pointer(&k), seed) }
	for i := range keys {
		require.Equal(t, hash(keys[i], 1), hash(others[i], 1), "%T", keys[i])
		require.NotEqual(t, hash(keys[i], 1), hash(keys[i], 2), "%T", keys[i])
		require.NotEqual(t, hash(keys[i], 1), hash(keys[(i+1)%len(keys)], 1), "%T", keys[i])
		require.NotEqual(t, hash(keys[i], 1), (*at)(unsafe.Pointer(&keys[i]), 1), "%T", keys[i])
	}
}

func TestMapHashers(t *testing.T) {
	defer hashesByProcess.Store(false)
	a, b := new(int), new(int)
	zero := 0.0
	hashesLike(t, []string{"one", "two"}, []string{strings.Clone("one"), strings.Clone("two")})
	hashesLike(t, []int{1, -1}, []int{1, -1})
	hashesLike(t, []uint32{1, 2}, []uint32{1, 2})
	hashesLike(t, []int64{1, 2}, []int64{1, 2})
	hashesLike(t, []uint8{1, 2}, []uint8{1, 2})
	hashesLike(t, []float64{zero, 1}, []float64{-zero, 1})
	hashesLike(t, []*int{a, b}, []*int{a, b})
	hashesLike(t, []any{1, int8(1)}, []any{1, int8(1)})
	hashesLike(t, []struct {
		name string
		of   any
	}{{"x", 1}, {"y", a}}, []struct {
		name string
		of   any
	}{{strings.Clone("x"), 1}, {"y", a}})
	require.True(t, hashesByProcess.Load(), "package hash/maphash is that of the standard library")

	own := hasher(func(unsafe.Pointer, uintptr) uintptr { return 7 })
	require.Equal(t, uintptr(7), mapHasher(unsafe.Pointer(&own))(nil, 1), "a function of the program's own")
	var none hasher
	require.Nil(t, mapHasher(unsafe.Pointer(&none)))
}

package ckp

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Equal values hash alike by themselves and in interfaces, with the same seed. In this program,
// whose hash/maphash is that of the standard library, no other process would have these hashes,
// which is noted.
func TestValueHashes(t *testing.T) {
	defer hashesByProcess.Store(false)
	type key struct {
		name string
		of   any
	}
	at := new(int)
	hash := func(v any, seed uintptr) uintptr { return nilinterhash(unsafe.Pointer(&v), seed) }
	hashes := make(map[uintptr]bool)
	for _, of := range []any{1, int8(1), 1.0, "1", at, [1]int{1}, nil} {
		k := key{"k", of}
		var v any = k
		require.Equal(t, hash(k, 7), typehash(*(*unsafe.Pointer)(unsafe.Pointer(&v)), unsafe.Pointer(&k), 7))
		require.Equal(t, hash(of, 7), hash(of, 7))
		hashes[hash(k, 7)], hashes[hash(k, 8)], hashes[hash(of, 7)], hashes[hash(of, 8)] = true, true, true, true
	}
	require.GreaterOrEqual(t, len(hashes), 24, "of which four are the same for an array of one as for its element")
	require.True(t, hashesByProcess.Load())
	require.Panics(t, func() { hash([]int{1}, 7) })
}

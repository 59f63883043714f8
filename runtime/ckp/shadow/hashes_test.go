package shadow

import (
	"math/big"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// The vectors are those that the author of wyhash gives beside final version 4.
func TestWyhash(t *testing.T) {
	for seed, v := range []struct {
		text string
		want uint64
	}{
		{"", 0x93228a4de0eec5a2},
		{"a", 0xc5bac3db178713c4},
		{"abc", 0xa97f2f7b1d9b3314},
		{"message digest", 0x786d1f1df3801df4},
		{"abcdefghijklmnopqrstuvwxyz", 0xdca5a8138ad37c87},
		{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 0xb9e734f117cfaf70},
		{strings.Repeat("1234567890", 8), 0x6cc5eab49a92d617},
	} {
		require.Equal(t, v.want, wyhash([]byte(v.text), uint64(seed)), "%q", v.text)
		s := v.text
		require.Equal(t, uintptr(v.want), strhash(unsafe.Pointer(&s), uintptr(seed)))
		require.Equal(t, uintptr(v.want), stringHash(s, uintptr(seed)))
		require.Equal(t, uintptr(v.want), memhash(unsafe.Pointer(unsafe.StringData(s)), uintptr(seed), uintptr(len(s))))
	}
}

// The hash of a number is that of wyhash64, here with numbers of any length.
func TestHash64(t *testing.T) {
	folded := func(a, b uint64) (lo, hi uint64) {
		p := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
		hi = new(big.Int).Rsh(p, 64).Uint64()
		return p.And(p, new(big.Int).SetUint64(1<<64-1)).Uint64(), hi
	}
	for x := uint64(1); x != 0; x *= 6 {
		for seed := uint64(0); seed < 3; seed++ {
			lo, hi := folded(x^secret[0], seed^secret[1])
			lo, hi = folded(lo^secret[0], hi^secret[1])
			require.Equal(t, uintptr(lo^hi), memhash64(unsafe.Pointer(&x), uintptr(seed)))
			if short := uint32(x); uint64(short) == x {
				require.Equal(t, uintptr(lo^hi), memhash32(unsafe.Pointer(&short), uintptr(seed)))
			}
		}
	}
}

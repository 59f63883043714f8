package shadow

import (
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
		require.Equal(t, uintptr(v.want), memhash(unsafe.Pointer(unsafe.StringData(s)), uintptr(seed), uintptr(len(s))))
	}
}

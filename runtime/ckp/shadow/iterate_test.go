package shadow

import (
	"math/rand/v2"
	"testing"

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

package heap

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAddressSet compares it with a map: addresses close behind the start, before it, far behind
// it, and odd ones.
func TestAddressSet(t *testing.T) {
	const start = 1 << 28
	r := rand.New(rand.NewPCG(1, 2))
	s, want := addressSet{start: start}, make(map[uintptr]bool)
	for range 20_000 {
		p := uintptr(start + r.IntN(1<<14)*4)
		switch r.IntN(20) {
		case 0:
			p += uintptr(r.IntN(4))
		case 1:
			p += closeBy - 1<<14
		case 2:
			p -= 1 << 15
		}
		require.Equal(t, !want[p], s.add(p), "%#x", p)
		want[p] = true
	}
	require.NotEmpty(t, s.others)
}

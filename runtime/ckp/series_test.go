package ckp

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// However large increments are, there are no more than asked for, and each is rewritten seldom: as
// often as a tree is high.
func TestMergedFrom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int{1, 2, 3, 10, 100} {
		for _, size := range []func() int64{
			func() int64 { return 1000 },
			func() int64 { return 1 + r.Int64N(1000) },
			func() int64 { return 1 << r.Int64N(20) },
		} {
			chain := []link{{1, 1 << 60}}
			var plain, written int64
			for seq := range uint64(2000) {
				n := size()
				plain += n
				if len(chain) > most {
					from := mergedFrom(chain, n)
					require.True(t, 1 <= from && from < len(chain))
					for _, l := range chain[from:] {
						n += l.size
					}
					chain = chain[:from]
				}
				chain = append(chain, link{seq + 2, n})
				written += n
				require.LessOrEqual(t, len(chain), most+1)
			}
			if most >= 10 {
				require.Less(t, written, 8*plain)
			}
			t.Logf("%d: %.1f times", most, float64(written)/float64(plain))
		}
	}
}

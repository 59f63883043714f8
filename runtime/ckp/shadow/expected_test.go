package shadow

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// accounted is what missing says, tried out one by one: whether frames with these names can be
// those of the activations from i on.
func accounted(expect []activation, i int, names []string) bool {
	switch {
	case len(names) == 0:
		return i == len(expect) || expect[i].exits
	case i == len(expect):
		return false
	case !expect[i].exits && expect[i].panics == panicsBefore(expect, i):
		return expect[i].name == names[0] && accounted(expect, i+1, names[1:])
	}
	for j := i; j < len(expect); j++ {
		if expect[j].name == names[0] && expect[j].defers && accounted(expect, j+1, names[1:]) {
			return true
		}
	}
	return false
}

func TestMissing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	outcomes := make(map[bool]int)
	for range 100_000 {
		var expect []activation
		var names []string
		panics, exits := 0, false
		for range r.IntN(9) {
			if r.IntN(4) == 0 {
				panics++
				exits = exits || r.IntN(4) == 0
			}
			a := activation{name: string(rune('a' + r.IntN(2))), defers: exits || r.IntN(2) == 0, panics: panics, exits: exits}
			expect = append(expect, a)
			if r.IntN(5) > 0 {
				names = append(names, a.name)
			}
		}
		ok := accounted(expect, 0, names)
		outcomes[ok]++
		require.Equal(t, ok, missing(expect, names) == "", "%v %v", expect, names)
	}
	require.Greater(t, outcomes[false], 10_000)
	require.Greater(t, outcomes[true], 10_000)
}

// A recursion has panicked, or left the goroutine, and a checkpoint is taken in a deferred call.
func TestMissingOfMany(t *testing.T) {
	const depth, left = 300_000, 20_000
	for _, exits := range []bool{false, true} {
		expect := []activation{{name: "deferred"}}
		for i := range depth {
			expect = append(expect, activation{name: fmt.Sprint(i % 4), defers: true, panics: 1, exits: exits})
		}
		names := []string{"deferred"}
		for _, a := range expect[1+left:] {
			names = append(names, a.name)
		}
		require.Empty(t, missing(expect, names))
		names[depth/2] = "another"
		require.NotEmpty(t, missing(expect, names))
	}
}

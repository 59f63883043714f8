package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The vectors are those of the definition, and remain distributions.
func TestChain(t *testing.T) {
	const n, steps = 17, 5
	c := newChain(n, steps)
	state := make([]float64, n)
	state[0] = 1
	for step := range steps {
		c.step(step)
		next := make([]float64, n)
		for j := range n {
			for i := range n {
				next[j] += state[i] * float64(c.matrix[i*n+j])
			}
		}
		state = next
		sum := 0.0
		for j, x := range c.vector(step + 1) {
			require.InDelta(t, state[j], x, 1e-6)
			sum += float64(x)
		}
		require.Less(t, math.Abs(sum-1), 1e-5)
	}
}

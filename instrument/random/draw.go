package random

import (
	"math/bits"

	"pgregory.net/rapid"
)

var bit = rapid.Bool()

// n draws a number below k, each with the same probability. The generators of numbers
// that rapid has favour small ones, which here would be the same few constructs in
// every program.
func (g *generator) n(k int) int {
	u := 0
	for range bits.Len(uint(k-1)) + 3 {
		u <<= 1
		if bit.Draw(g.t, "bit") {
			u |= 1
		}
	}
	return u % k
}

// chance is true in so many cases of a hundred.
func (g *generator) chance(percent int) bool { return g.n(100) >= 100-percent }

func pick[T any](g *generator, list []T) T { return list[g.n(len(list))] }

// An alternative is one way to go on, with its weight.
type alternative struct {
	weight int
	take   func() string
}

// choose takes one of the alternatives. One that returns the empty string was not
// possible where it was tried, and another is taken; the last must be possible.
func (g *generator) choose(list ...alternative) string {
	for range 20 {
		total := 0
		for _, a := range list {
			total += a.weight
		}
		k := g.n(total)
		for _, a := range list {
			if k -= a.weight; k < 0 {
				used := g.uses()
				if s := a.take(); s != "" {
					return s
				}
				used()
				break
			}
		}
	}
	return list[len(list)-1].take()
}

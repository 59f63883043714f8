// Package other exports functions, but not the types of their results.
package other

import "fmt"

type counter struct{ N int }

func (c *counter) Add(n int) { c.N += n }

type pair[A any, B fmt.Stringer] struct {
	First  A
	Second int
	third  B
}

type text string

func (t text) String() string { return string(t) }

// NewCounter returns a counter.
func NewCounter() *counter { return &counter{} }

// Pair returns a pair.
func Pair(a string, n int) pair[string, text] { return pair[string, text]{a, n, "x"} }

// Pairs returns some pairs.
func Pairs() []pair[string, text] {
	return []pair[string, text]{Pair("b", 3), Pair("c", 4)}
}

type base struct{ n int }

// Add adds through a pointer.
func (b *base) Add(n func() int) int {
	b.n += n()
	return b.n
}

// Get adds to a copy.
func (b base) Get(n func() int) int { return b.n + n() }

// Gauge has methods of a type that is not exported, through one that is.
type Gauge struct{ Inner }

// Inner has a field that is not exported.
type Inner struct{ base }

// Far has a Gauge somewhere else.
type Far struct{ *Gauge }

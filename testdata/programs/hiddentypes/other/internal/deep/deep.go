// Package deep has types that only package other can name.
package deep

// A Known type has a name in package other.
type Known struct{ N int }

// Up adds.
func (k *Known) Up(by int) { k.N += by }

// A Meter has none.
type Meter struct {
	total int
	steps []step
}

type step struct{ n, by int }

// Step adds and returns what it has done.
func (m *Meter) Step(by int) step {
	m.total += by
	s := step{len(m.steps), by}
	m.steps = append(m.steps, s)
	return s
}

// Sum returns the sum of what the step has added, and the total.
func (s step) Sum(m *Meter) (int, int) { return s.n + s.by, m.total }

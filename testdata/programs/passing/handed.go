package main

import (
	"errors"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A function that passes on what it is handed, and stands beside the one that can be at a checkpoint
// as it was (originals.go of the rewriter).
func visit(l []int, f func(int)) { visitFrom(l, 0, f) }

func visitFrom(l []int, from int, f func(int)) {
	for _, x := range l[from:] {
		f(x)
	}
}

func visited() (sum int) {
	visit([]int{1, 2, 3}, func(x int) { sum += x })
	visit([]int{1, 2, 3}, func(x int) { ckp.Checkpoint(); sum += x })
	return sum
}

// Names of type parameters that generated code has for its own.
type stack[T any] struct{ items []T }

func (s *stack[_]) size(n int) int { return s.sizeOf(n, 2) }

func (s *stack[fr]) sizeOf(n, m int) int {
	ckp.Checkpoint()
	return len(s.items) + n*m
}

// Results from variables.
func both(n int) (int, error) {
	ckp.Checkpoint()
	if n > 2 {
		return n, errors.New("too many")
	}
	return n + 1, nil
}

func one(n int) int { m, _ := both(n); return m }

func named(n int) (m int) { m, _ = both(n); return }

func onlyError(n int) error { _, err := both(n); return err }

// Not a result alone: what the parameter is matters here after the call.
func withParameter(n int) (int, int) { m, _ := both(n); return m, n }

func next(n int) int { return n + 1 }

func results() (list []any) {
	for n := range 4 {
		list = append(list, one(n), named(n))
		m, k := withParameter(next(n))
		list = append(list, m, k)
		if err := onlyError(n); err != nil {
			list = append(list, err)
		}
	}
	return list
}

package main

import "errors"

var errUnaligned = errors.New("unaligned")

var lanes = []int{1, 2, 4}

func vectors(n int) int { return same(n) * 3 }

func fast(n int) int {
	lanes = append(lanes, n)
	return vectors(n)
}

func done() (int, error) { return len(lanes), errUnaligned }

// counter returns a function that counts.
func counter(n int) func() int {
	return func() int {
		n++
		return same(n)
	}
}

// step returns a function that has no variables.
func step() func(int) int { return func(n int) int { return same(n) + 1 } }

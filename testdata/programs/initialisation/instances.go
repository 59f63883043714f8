package main

import (
	"iter"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// The values of these are found by literals in generic functions, which refer to variables that are declared later.
var (
	started  = starts(1)
	needed   = named("needed", 1)
	summed   = sum()
	iterated = named("iterated", 2)
	returned = returns(1)()
	nested   = named("nested", 3)
)

var names []string

func named(s string, v int) int {
	names = append(names, s)
	return v
}

func starts[T any](T) int {
	c := make(chan int)
	go func() {
		if len(names) > 3 {
			ckp.Checkpoint()
		}
		c <- needed
	}()
	return <-c
}

func upTo[T int | int8](n T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := T(0); i < n; i++ {
			if !yield(i + T(iterated)) {
				return
			}
		}
	}
}

func sum() (n int) {
	for i := range upTo(3) {
		n += i
		if len(names) > 3 {
			ckp.Checkpoint()
		}
	}
	return n
}

func returns[T any](x T) func() int {
	return func() int { return deeper(x) }
}

func deeper[T any](T) int {
	f := func() int {
		if len(names) > 3 {
			ckp.Checkpoint()
		}
		return nested
	}
	return f()
}

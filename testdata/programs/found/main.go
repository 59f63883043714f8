// Found holds programs that random ones (package instrument/random) were reduced to, each
// of which did something else once it was restored from a checkpoint.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

func sequence(n int) func(func(int) bool) {
	ckp.Checkpoint()
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// A checkpoint in the operand of a loop over a function was no resume point.
func operandOfLoopOverFunction() {
	for i := range sequence(pt(2)) {
		fmt.Println(i)
	}
	for i := range pt(sequence(3)) {
		fmt.Println(pt(i))
	}
}

// A loop over a string without the runes declared a variable for them and did not use it.
func runesNotUsed() {
	for i := range "aß" {
		fmt.Println(pt(i))
	}
	for range "aß" {
		fmt.Println(pt("round"))
	}
}

func main() {
	runesNotUsed()
	operandOfLoopOverFunction()
}

// Machines keeps, over many checkpoints, what differs from machine to machine in memory: words, byte order,
// alignment. What it prints does not depend on the machine.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// All parts live at the same time, and each takes a step between two checkpoints of the others.
func main() {
	parts := []struct {
		name string
		part part
	}{
		{"scalars", newScalars()},
		{"padding", newPadding()},
		{"keys", newKeys()},
		{"held", newHeld()},
		{"pointers", newPointers()},
		{"closures", newClosures()},
		{"integers", newIntegers()},
		{"fractions", newFractions()},
		{"generators", newGenerators()},
		{"hashes", newHashes()},
		{"library", newLibrary()},
		{"atomics", newAtomics()},
		{"locks", newLocks()},
		{"files", newFiles()},
		{"clock", newClock()},
	}
	for step := range 3 {
		for _, p := range parts {
			p.part.step(step)
			ckp.Checkpoint()
		}
		fmt.Println("step", step, recursion(2, step), pipeline(step), waits(step), unwound(step))
	}
	for _, p := range parts {
		fmt.Printf("%s: %s\n", p.name, p.part.end())
	}
}

// A part is some state, what is done with it, and what came of it.
type part interface {
	step(n int)
	end() string
}

// Package callback calls functions of the standard library that call back, and has a point
// at which a checkpoint may be taken in each of the functions that are called.
package callback

import "fmt"

// point is where a checkpoint may be taken.
var point func()

// Run does everything, with p at each point.
func Run(p func()) {
	point = p
	for _, f := range []func(){sorting, searching, texts, maps_, sequences, heaps, once, walking, reading, pulling, contexts, failures, matching} {
		f()
	}
}

// at is a point that tells how often it was passed.
func at(n *int) {
	*n++
	point()
}

// some is one every now and then.
func some(n *int) {
	if *n++; *n%5 == 0 {
		point()
	}
}

func show(what string, values ...any) { fmt.Printf("%s: %v\n", what, values) }

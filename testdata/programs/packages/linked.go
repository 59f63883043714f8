package main

import (
	"fmt"
	_ "unsafe" // for linkname
)

// The body is another package's, which has it unexported.
//
//go:linkname countdown github.com/ckpgen/ckpgen/testdata/programs/packages/dot.countdown
func countdown(n int) int

// The body is another package's, which gives it this name.
//
//go:linkname counted
func counted(n int) int

func linked(count func(int) int) {
	n := 3
	fmt.Println(countdown(n)+cp(n), count(n)+cp(n), counted(n)+cp(n))
}

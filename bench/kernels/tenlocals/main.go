// Tenlocals calls a function with ten locals ten million times, which could reach a checkpoint
// but never does.
package main

import (
	"fmt"
	"os"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func main() {
	last := uint64(len(os.Args)) << 60 // no call comes that far, which the compiler can't know
	sum := uint64(1)
	for i := range uint64(10_000_000) {
		sum = mix(i, sum, last)
	}
	fmt.Println("mixed:", sum)
}

// mix computes something from ten locals that are all alive at the call in the middle.
//
//go:noinline
func mix(i, seed, last uint64) uint64 {
	a := i + seed
	b := a ^ seed>>7
	c := b*3 + a
	d := c ^ b<<9
	e := d + c>>3
	f := e*5 ^ d
	g := f + e>>11
	h := g ^ f<<5
	k := h*7 + g
	l := k ^ h>>13
	if l == last {
		ckp.Checkpoint()
	}
	return a ^ b + c ^ d + e ^ f + g ^ h + k ^ l
}

package main

import (
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A bitPredicate is what the compiler makes of a func(uint32) bool, as github.com/kelindar/bitmap has it.
type bitPredicate func(uint32) uint8

func countBits(n uint32, f func(uint32) bool) (sum int) {
	fn := *(*bitPredicate)(unsafe.Pointer(&f))
	for i := range n {
		sum += int(fn(i))
		ckp.Checkpoint()
	}
	return sum
}

type meters int

// hasherFor returns a hash function of integers as one of K, as hash tables have them.
func hasherFor[K ~int](seed int) func(K) int {
	hash := func(k int) int { return k*31 + seed }
	return *(*func(K) int)(unsafe.Pointer(&hash))
}

func recast() {
	hash := hasherFor[meters](5)
	for k := range uint32(3) {
		fmt.Println(countBits(6, func(x uint32) bool { return x > k }), hash(meters(k)))
	}
}

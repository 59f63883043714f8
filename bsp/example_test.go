package bsp_test

import (
	"fmt"

	"github.com/ckpgen/ckpgen/bsp"
)

// Every process adds up its share of the numbers below a million, and process 0
// the sums of all.
func Example() {
	bsp.Begin()
	n, me := bsp.NProcs(), bsp.PID()
	sums := make([]int, n) // used on process 0
	reg := bsp.PushRegister(sums)
	bsp.Sync()

	sum := 0
	for i := me; i < 1000000; i += n {
		sum += i
	}
	bsp.Put(0, []int{sum}, reg, me)
	bsp.Sync()

	if me == 0 {
		total := 0
		for _, s := range sums {
			total += s
		}
		fmt.Println(total)
	}
	bsp.End()
	// Output: 499999500000
}

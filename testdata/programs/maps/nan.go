package main

import (
	"fmt"
	"math"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type reading struct {
	sensor string
	value  float64
}

// unequal walks over maps with keys that are not equal to themselves, which are cleared and filled
// again meanwhile.
func unequal() {
	nan := math.NaN()
	other := math.Float64frombits(math.Float64bits(nan) ^ 1<<63)

	n := 0
	m := map[float64]int{nan: 1, nan: 2}
	for k := range m {
		if k != k {
			n++
		}
		clear(m)
		m[5] = 5
		ckp.Checkpoint()
	}
	fmt.Println("gone", n)

	// All are there to the end, also those that look the same, and more are added.
	same := map[float64]string{nan: "same", nan: "same", nan: "same", other: "other", 1: "one"}
	all := 0
	for k, v := range same {
		ckp.Checkpoint()
		if v != "added" {
			all++
		}
		if all == 2 && k == k {
			same[nan] = "added"
		}
	}
	fmt.Println("all", all)

	// Whatever comes must be there, and but once.
	lists := [][]int{{1}, {1}, {2}, nil}
	values := make(map[reading]any)
	there := make(map[int]bool)
	fill := func(from, to int) {
		clear(values)
		clear(there)
		for i := from; i < to; i++ {
			values[reading{"a", nan}] = i
			there[i] = true
		}
		ckp.Checkpoint()
	}
	fill(0, 5)
	for k, v := range values {
		ckp.Checkpoint()
		if i := v.(int); !there[i] || k.sensor != "a" {
			fmt.Println("not there:", k, v)
		} else if there[i] = false; i < 5 {
			fill(i+3, i+7)
		}
	}
	keys := map[any][]int{nan: lists[0], float32(nan): lists[1], reading{"b", nan}: lists[2], complex(nan, 0): nil, "x": lists[3]}
	sum, walked := 0, 0
	for k, v := range keys {
		ckp.Checkpoint()
		walked++
		for _, x := range v {
			sum += x
		}
		if k == "x" {
			delete(keys, k)
		}
	}
	fmt.Println("keys", walked, sum)
}

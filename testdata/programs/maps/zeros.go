package main

import (
	"fmt"
	"math"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type place struct {
	name string
	x, y float64
}

// zeros has a zero of the other sign take the place of a key before a walk comes to it.
func zeros() {
	small, large := map[float64]int{0: 1, 1: 2, 2: 3}, map[any]int{}
	places := map[place]int{{"a", 0, 1}: 1, {"b", 0, 0}: 2, {"c", 1, 1}: 3}
	for i := range 40 {
		large[float64(i)] = i
	}
	minus := math.Copysign(0, -1)
	first, wrong := true, 0
	for k := range small {
		ckp.Checkpoint()
		if first && k != 0 {
			small[minus] = 5
		} else if k == 0 && !first && !math.Signbit(k) {
			wrong++
		}
		first = false
	}
	first = true
	for k := range large {
		if k == 0.0 && !first && !math.Signbit(k.(float64)) {
			wrong++
		}
		if first && k != 0.0 {
			large[minus] = 5
			ckp.Checkpoint()
		}
		first = false
	}
	first = true
	for k := range places {
		ckp.Checkpoint()
		if k.name == "a" && !first && !math.Signbit(k.x) {
			wrong++
		}
		if first && k.name != "a" {
			places[place{"a", minus, 1}] = 7
		}
		first = false
	}
	fmt.Println("keys that are not there:", wrong)
}

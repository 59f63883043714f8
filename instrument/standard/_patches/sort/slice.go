package sort

import "internal/reflectlite"

// Added:

// A madeSwap is a func value of reflectlite.Swapper, which no checkpoint can hold.
type madeSwap struct {
	swap func(i, j int) //ckp:transient
}

// swapper returns what reflectlite.Swapper returns, as a func value that can be saved.
func swapper(x any) func(i, j int) {
	made := &madeSwap{reflectlite.Swapper(x)}
	return func(i, j int) {
		if made.swap == nil {
			made.swap = reflectlite.Swapper(x)
		}
		made.swap(i, j)
	}
}

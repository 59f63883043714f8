//go:build !race

package shadow

import "runtime"

// Quiet reports whether nothing is wanted: no checkpoint, and no goroutine saves or restores. Polls
// of instrumented code ask nothing else then, nor do functions that poll on entry before they take
// up a frame.
//
// The load is not atomic: it may be late, but the compiler compares in memory, where the load of an
// atomic takes a register and an instruction more. In a loop that writes nothing the compiler might
// take a value that was loaded before the loop for the same, but for KeepAlive: that is no
// instruction, and to the compiler it may change memory.
func Quiet() bool {
	runtime.KeepAlive(nil)
	return wants == 0
}

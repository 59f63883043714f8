package shadow

import (
	"sync/atomic"
	_ "unsafe" // for go:linkname
)

// A goroutine that is pinned to its processor may not wait: the runtime ends the program when it
// does. So polls do nothing there, and nobody who is pinned asks for a lock. Packages pin goroutines
// by functions of the runtime that they get at by go:linkname, for tables of which each processor
// has a part; in rewritten programs they get at these ones, which note it.

//go:linkname pinProcessor runtime.procPin
func pinProcessor() int

//go:linkname unpinProcessor runtime.procUnpin
func unpinProcessor()

// pins has how often goroutines are pinned, by the number of the processor. If there are more of
// these, some share one, and a few polls more do nothing.
var pins [256]atomic.Int32

// procPin pins the calling goroutine to its processor, and returns the number of that.
//
//go:linkname procPin
func procPin() int {
	n := pinProcessor()
	pins[n%len(pins)].Add(1)
	return n
}

// procUnpin undoes a call of procPin.
//
//go:linkname procUnpin
func procUnpin() {
	n := pinProcessor()
	pins[n%len(pins)].Add(-1)
	unpinProcessor()
	unpinProcessor()
}

// pinned reports whether the calling goroutine is pinned: no other one is on its processor.
func pinned() bool {
	n := pinProcessor()
	defer unpinProcessor()
	return pins[n%len(pins)].Load() > 0
}

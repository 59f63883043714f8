package ckp

import (
	"time"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/blocking"
)

// timers are those of time.AfterFunc that are set, while a checkpoint is taken or rebuilt: they
// fire also if nothing of the program leads to them.
var timers []*time.Timer

// noteTimers brings them up to date. One that is stopped is not among them, as what its function
// holds may be garbage.
func noteTimers() {
	timers = nil
	for _, t := range blocking.Timers() {
		if heap.IsSet(t) {
			timers = append(timers, t)
		}
	}
}

// forgetTimers keeps nothing alive that the program and the runtime don't.
func forgetTimers() { timers = nil }

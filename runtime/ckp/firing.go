package ckp

import (
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// firing reports whether a function of time.AfterFunc was called after the given number of them, or
// is being called: what was captured meanwhile may hold the timer that has fired, and not the
// goroutine that it has started.
func firing(before uint64) bool {
	if !shadow.Firing() {
		return false
	}
	if shadow.Fired() != before {
		return true
	}
	for _, t := range parseTraces(allStacks()) {
		if t.by.function == "time.goFunc" && strings.HasPrefix(t.outermost(), blockingPath+".") {
			return true
		}
	}
	return shadow.Fired() != before
}

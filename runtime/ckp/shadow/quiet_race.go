//go:build race

package shadow

import "sync/atomic"

// Quiet reports whether nothing is wanted: no checkpoint, and no goroutine saves or restores. Polls
// of instrumented code ask nothing else then, nor do functions that poll on entry before they take
// up a frame. The race detector knows of whom it concerns when.
func Quiet() bool { return atomic.LoadInt32(&wants) == 0 }

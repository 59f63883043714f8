package heap

import (
	"runtime/debug"
	"sync"
)

// What a capture or a rebuild allocates is in use until it ends, or nearly so. A cycle of the
// garbage collector meanwhile would look at all objects of the program and find nothing, at as much
// cost as the whole capture. So none is begun, unless the memory limit of the process is reached.

var resting struct {
	sync.Mutex
	captures int
	percent  int
}

// restCollector keeps garbage collections from beginning, until the returned function is called.
func restCollector() (wake func()) {
	resting.Lock()
	defer resting.Unlock()
	if resting.captures++; resting.captures == 1 {
		resting.percent = debug.SetGCPercent(-1)
	}
	return func() {
		resting.Lock()
		defer resting.Unlock()
		if resting.captures--; resting.captures == 0 {
			debug.SetGCPercent(resting.percent)
		}
	}
}

package main

import (
	"runtime/metrics"
	"time"
)

// settled lets all other goroutines come to where they are blocked, on a busy machine too.
func settled() {
	time.Sleep(time.Millisecond)
	for range 50 { // some scenarios have a goroutine that never blocks
		if !othersRun() {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// othersRun reports whether there are goroutines besides the calling one that are not blocked.
func othersRun() bool {
	samples := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/goroutines/running:goroutines"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64()+samples[1].Value.Uint64() > 1
}

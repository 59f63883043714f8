package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/ckpgen/ckpgen/hugepages"
)

// collectLate has no garbage collected as long as the heap is small. Nearly all of what an analysis
// makes stays in use until it ends: a program of 100,000 lines takes 1.2 GB, and collections free a
// quarter of that for a seventh of the time. It is in huge pages, as to touch it for the first time
// is a third of the work else. Who sets GOGC or GOMEMLIMIT knows better.
func collectLate() {
	const small, room = 3 << 29, 1 << 30 // 1.5 GiB, 1 GiB
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	hugepages.Reserve(room)
	none := debug.SetMemoryLimit(small)
	// What nothing leads to is found by the first collection.
	runtime.AddCleanup(new([16]byte), func(limit int64) {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(limit)
	}, none)
}

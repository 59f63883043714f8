package ckp

import (
	"sync"
	"sync/atomic"
)

// With increments, what the program writes to its large arrays is tracked: the system notes which
// pages are written, which costs the first write to each page after a checkpoint some microseconds,
// and saves looking at all of them at the next one. Where that does not pay, because a part of the
// program writes to all of an array, say, between two checkpoints, the program can say so:
//
//	ckp.StopTracking()
//	relax(grid) // writes to nearly every page
//	ckp.StartTracking()
//
// The parts in which changes are tracked are the segments. Outside of them pages are not protected,
// and a write costs what it does in a program without checkpoints. The first checkpoint after a
// part that was outside, and each one within it, hashes all large arrays while the program stands
// still (about a tenth of a second for a gigabyte), to find what was changed there. From the first
// checkpoint in a segment on they are tracked again.
//
// This decides costs and nothing else. A checkpoint can be taken anywhere, and has every change,
// wherever it was made. Calls do not nest, and are for the whole process. A process that continues
// a checkpoint tracks changes if the program did there.

// untracked is whether the program is outside of a segment. It begins in one.
var untracked atomic.Bool

// StartTracking begins a segment of the program in which changes of large arrays are tracked for
// incremental checkpoints (CKP_INCREMENTS), as they are from the beginning of a program on. The
// line //ckp:start is a call of it. It has no effect on what a checkpoint holds; see
// [StopTracking].
func StartTracking() { track(true) }

// StopTracking ends such a segment: from here on it costs nothing to write to large arrays, but
// checkpoints must look at all of them for what was changed. It is for a part of the program that
// changes much, or that no checkpoint is wanted in. The line //ckp:stop is a call of it.
// Checkpoints are taken outside of segments as well, and are as exact.
func StopTracking() { track(false) }

// tracking is held while it is changed.
var tracking sync.Mutex

func track(on bool) {
	tracking.Lock()
	defer tracking.Unlock()
	untracked.Store(!on)
	current.Load().follow()
}

// follow tells the series of a process whether changes are tracked.
func (r *run) follow() {
	if r != nil && r.series != nil {
		r.series.captures.Track(!untracked.Load())
	}
}

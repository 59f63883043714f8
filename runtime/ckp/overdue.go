package ckp

import (
	"fmt"
	"time"
)

// A checkpoint that is due is taken at the next opportunity, and there may be none for hours: in a
// loop without a checkpoint call or poll. Nobody would know until the process dies. So the watcher
// looks from time to time whether one was taken or refused, which is told, since the last look, and
// if neither it tells once where the goroutines are that it waits for. A program that waits itself,
// for its input, say, has nothing to lose: that is one which uses less than a tenth of a processor.
// A process of a job waits for the others most of the time: where it is tells little, and is not told.

// overdueAfter returns how long after the last checkpoint one is overdue.
func overdueAfter(interval time.Duration) time.Duration { return max(10*interval, 10*time.Second) }

// An overdue is what was found at the last look.
type overdue struct {
	committed uint64 // checkpoints
	missed    time.Time
	used      time.Duration // of processors
	told      bool
}

// overdueLooks returns when to look; never if it is the program alone that says when a checkpoint
// is due.
func (r *run) overdueLooks() <-chan time.Time {
	if r.config.interval == 0 || r.config.torture > 0 {
		return nil
	}
	return time.Tick(overdueAfter(r.config.interval))
}

// tellOverdue tells why there was no checkpoint since the last look, if one was due all the time, or
// several have failed.
func (r *run) tellOverdue(was overdue) overdue {
	r.remind(time.Now())
	if agreed.Load() {
		return was
	}
	used, known := processorTime()
	r.tellMu.Lock()
	is := overdue{committed: r.committed.Load(), missed: r.missed.at, used: used, told: was.told}
	r.tellMu.Unlock()
	after := overdueAfter(r.config.interval)
	if is.committed != was.committed || is.missed != was.missed {
		is.told = false
		return is
	}
	waits := known && used-was.used < after/10
	if is.told || waits || r.schedule.reasons()&elapsed == 0 || r.saving.Load() || r.behind.busy() {
		return is
	}
	if list, _ := obstinate(allStacks(), asleep); list != "" {
		is.told = true
		say(fmt.Sprintf("no checkpoint for %v, though one is due every %v: waiting for %s. Call ckp.Checkpoint in their loops, or build with -auto, or with polls in more packages (-auto=all)",
			after, r.config.interval, list))
	}
	return is
}

package ckp

import (
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// A checkpoint begins at a checkpoint call or poll, and there is none while all goroutines of the
// program wait. So a goroutine of ours, the watcher, begins the one that is wanted then: it raises
// the stop and drives it, in the place of a goroutine of the program. There is a watcher in a
// process that watches signals; it also finds out when the goroutines wait for ever (deadlock.go),
// since the runtime of the language does not while signals are watched. It does nothing while
// nothing is wanted but the latter, and next to nothing while the program works: package shadow
// tells it when all wait, as far as counts can tell. Stack traces make sure.
//
// In a job of several processes checkpoints are taken where all agree, and not here; people are
// reminded here, too, of those that fail (setback.go).

// grace is how long all goroutines must have waited before it is looked at more closely whether
// that is for ever, and how long the first pause is after it was found that it is not.
const grace = 20 * time.Millisecond

// watch is the watcher.
func (r *run) watch() {
	idle := make(chan struct{}, 1)
	detectable := detectable()
	var looks <-chan time.Time
	var last processorUse
	if detectable {
		looks = time.Tick(lookEvery)
	}
	overdueLooks, late := r.overdueLooks(), overdue{}
	seen := unseen // the events when it was last found that not all wait for ever
	doubt := grace
	for {
		var later <-chan time.Time
		d, since := r.wish()
		switch events, _, forever := shadow.Idle(); {
		case agreed.Load():
		case d != None && (since != events || !detectable):
			shadow.WhenIdle(idle, since)
		case detectable:
			shadow.WhenIdle(idle, seen)
			if events == seen && forever {
				// What has nothing to do with goroutines of the program may have ended.
				later = time.After(doubt)
				doubt = min(2*doubt, time.Minute)
			}
		}
		told := false
		select {
		case <-r.schedule.asks:
		case <-idle:
			told = true
			doubt = grace
		case <-later:
		case <-looks:
			if last.still() && !agreed.Load() {
				r.lookAround()
			}
			continue
		case <-overdueLooks:
			late = r.tellOverdue(late)
			continue
		}
		if agreed.Load() {
			continue
		}
		d, since = r.wish()
		if events, _, _ := shadow.Idle(); d == None || since == events {
			if detectable {
				seen = r.deadlocked()
			}
		} else if told {
			r.raise(d)
		}
	}
}

// wish returns what is to be done as soon as all goroutines wait, and the events up to which it is
// not. That an interval has elapsed is no reason if nothing has happened since the last checkpoint;
// and with an interval of no time it is the program that says when.
func (r *run) wish() (d Decision, since uint64) {
	d, only := r.schedule.wish()
	if d == None || only && r.schedule.interval == 0 {
		return None, 0
	}
	if !only {
		return r.last(d), unseen
	}
	return r.last(d), r.events.Load()
}

// raise begins the checkpoint that is wanted, and takes it, if all goroutines wait.
func (r *run) raise(d Decision) {
	began := time.Now()
	if _, err := r.otherGoroutines(); err != nil {
		r.refuse(err, time.Since(began))
		return
	}
	if !allWait(allStacks()) || !shadow.Raise() {
		pause := time.Since(began)
		if d != SaveAndStop {
			pause *= 100
		}
		time.Sleep(max(pause, 5*time.Millisecond))
		return
	}
	r.decision = d
	r.drive()
}

// allWait reports whether each goroutine of the program waits, in the stack traces of all.
func allWait(stacks string) bool {
	for _, t := range parseTraces(stacks) {
		if t.root() > 0 && !asleep[t.state] {
			return false
		}
	}
	return true
}

// asleep are the states of goroutines that wait for others.
var asleep = map[string]bool{
	"chan receive":            true,
	"chan receive (nil chan)": true,
	"chan send":               true,
	"chan send (nil chan)":    true,
	"select":                  true,
	"select (no cases)":       true,
	"coroutine":               true,
	"sync.Mutex.Lock":         true,
	"sync.RWMutex.Lock":       true,
	"sync.RWMutex.RLock":      true,
	"sync.WaitGroup.Wait":     true,
	"sync.Cond.Wait":          true,
}

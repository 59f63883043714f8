package shadow

import "sync/atomic"

// Whether all goroutines wait is known from counts of the operations that were begun and
// have not ended, so that nothing need be looked at while the program works. They are upper
// bounds: the end of a select statement is noticed when its goroutine comes to the next
// operation. Whoever acts on them must make sure.
var (
	waits  atomic.Int64 // operations
	sleeps atomic.Int64 // those of them that end by themselves
)

// count adds to the counts for an operation.
func count(k Kind, by int64) {
	waits.Add(by)
	if k == Sleeping {
		sleeps.Add(by)
	}
}

// proceed notes that the goroutine is in no operation any more.
func (r *record) proceed() {
	if k := r.waiting.Kind; k != 0 {
		count(k, -1)
		r.waiting = Waiting{}
	}
}

// idle reports whether all goroutines of the program wait, as far as is known. all.lock is held.
func idle() bool {
	return (all.main != nil || all.gone) && !all.over && waits.Load() == int64(len(all.records))
}

// A notice is for somebody who wants to know when all goroutines wait. It is given once.
type notice struct {
	to    chan<- struct{}
	since uint64
}

// tell gives the notice if it is time. all.lock is held.
func (n *notice) tell() {
	if n.to != nil && all.events != n.since && idle() {
		to := n.to
		n.to = nil
		select {
		case to <- struct{}{}:
		default:
		}
	}
}

// WhenIdle sends to a channel when all goroutines of the program wait, as far as is known, and
// something has happened since what Idle told; at once, if that is so. It does it once,
// and forgets a channel that it was given before.
func WhenIdle(to chan<- struct{}, since uint64) {
	all.lock.Lock()
	all.idle = notice{to, since}
	all.idle.tell()
	all.lock.Unlock()
}

// Idle reports whether all goroutines of the program wait, as far as is known, and none of them
// only sleeps. events is another number when something has happened. settled is false while
// a stop is going on, after which they wait again although nothing has happened.
func Idle() (events uint64, settled, forever bool) {
	all.lock.Lock()
	defer all.lock.Unlock()
	settled = phase.Load() == open
	return all.events, settled, settled && idle() && sleeps.Load() == 0
}

// Underway reports whether the program has begun and not ended, no stop is going on, and no
// goroutine sleeps in time.Sleep, as far as is known. events is another number when one of the
// operations that tell has begun or ended.
func Underway() (events uint64, yes bool) {
	all.lock.Lock()
	defer all.lock.Unlock()
	return all.events, phase.Load() == open && (all.main != nil || all.gone) && !all.over && sleeps.Load() == 0
}

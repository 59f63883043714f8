package ckp

import (
	"fmt"
	"time"
)

// What a signal or a launcher asks for is done at the next opportunity, and there may be none for
// long: a goroutine computes without polls, or reads from a terminal. Whoever has asked is told
// after a while what the matter is; and if the checkpoint fails, why, each time. A second SIGTERM
// does not wait for an opportunity.

const (
	// lateness is how long a request waits until that is told. A refusal has been found by then.
	lateness = 2 * patience
	// repetition is how long after a SIGTERM another one means the same: the command timeout, for
	// one, sends two.
	repetition = 500 * time.Millisecond
)

// A request is what a signal or a launcher asks for.
type request struct {
	name      string // of the signal, or what it is
	at        time.Time
	stops     bool
	committed uint64 // checkpoints before it
}

// expect has it told, if what was asked for last has not been done after a while.
func (r *run) expect(q request) {
	r.tellMu.Lock()
	defer r.tellMu.Unlock()
	if r.late != nil {
		r.late.Stop()
	}
	r.late = time.AfterFunc(lateness, func() { r.tellLate(q) })
}

// tellLate tells why what was asked for has not been done, if that is so.
func (r *run) tellLate(q request) {
	if r.committed.Load() > q.committed {
		return
	}
	r.tellMu.Lock()
	last := r.missed
	r.tellMu.Unlock()
	why := ""
	switch {
	case last.failed && last.told.After(q.at) && (q.stops || !r.schedule.asked()):
		return // that was it
	case r.saving.Load():
		why = ": it is being written"
	case r.behind.busy():
		why = ": the one before is being written"
	case last.told.After(q.at):
	case last.at.After(q.at):
		why = ": " + last.text
	default:
		// The others wait for these.
		if list, _ := obstinate(allStacks(), asleep); list != "" {
			why = ": waiting for " + list
		}
	}
	end := ""
	if q.stops && !r.config.launched {
		end = "; a second SIGTERM ends the program without one"
	}
	say(fmt.Sprintf("no checkpoint could be taken within %v of %s%s. It is taken at the next opportunity%s", lateness, q.name, why, end))
}

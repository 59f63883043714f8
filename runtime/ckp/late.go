package ckp

import (
	"fmt"
	"time"
)

// What a signal asks for is done at the next opportunity, and there may be none for long: a
// goroutine computes without polls, or reads from a terminal. Whoever has sent the signal is told
// after a while what the matter is. A second SIGTERM does not wait for an opportunity.

const (
	// lateness is how long a signal waits until that is told. A refusal has been found by then.
	lateness = 2 * patience
	// repetition is how long after a SIGTERM another one means the same: the command timeout, for
	// one, sends two.
	repetition = 500 * time.Millisecond
)

// A request is what a signal asks for.
type request struct {
	name      string // of the signal
	at        time.Time
	stops     bool
	committed uint64 // checkpoints before it
}

// A refusal is the last one.
type refusal struct {
	text string
	at   time.Time
	told time.Time // when it was written to standard error
}

// tellLate tells why what a signal asks for has not been done, if that is so.
func (r *run) tellLate(q request) {
	if r.committed.Load() > q.committed {
		return
	}
	r.tellMu.Lock()
	last := r.refusal
	r.tellMu.Unlock()
	why := ""
	switch {
	case r.saving.Load():
		why = ": it is being written"
	case r.behind.busy():
		why = ": the one before is being written"
	case last.told.After(q.at):
	case last.at.After(q.at):
		why = ": checkpoint refused: " + last.text
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

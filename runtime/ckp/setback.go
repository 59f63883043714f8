package ckp

import (
	"fmt"
	"time"
)

// Why a checkpoint fails, or is refused, is told once. If none succeeds for hours after that, because
// the file system is still full, say, whoever looks at the end of the output would not know. So people
// are reminded, in longer and longer distances, and told when it is over.

// remindAfter is how long after the first of several failures they are reminded for the first time.
const remindAfter = 10 * time.Minute

// A setback is a series of checkpoints that failed or were refused, with none between that did not.
type setback struct {
	text  string // why, of the last
	since time.Time
	tries int
	next  time.Duration // after since, when people are reminded
}

// note adds one.
func (s *setback) note(text string, now time.Time) {
	if s.tries == 0 {
		s.since, s.next = now, remindAfter
	}
	s.text, s.tries = text, s.tries+1
}

// reminds reports whether people are to be reminded now.
func (s *setback) reminds(now time.Time) bool {
	if s.tries < 2 || now.Sub(s.since) < s.next {
		return false
	}
	for s.next <= now.Sub(s.since) {
		s.next *= 2
	}
	return true
}

// A miss is a checkpoint that was refused, and is tried again soon if somebody has asked for it, or
// that failed.
type miss struct {
	about  string // the same for those that are told once
	text   string
	at     time.Time
	told   time.Time // when it was written to standard error
	failed bool
}

// miss notes one, and whether it was told just now.
func (r *run) miss(about, text string, told, failed bool) {
	r.tellMu.Lock()
	defer r.tellMu.Unlock()
	now := time.Now()
	r.setback.note(text, now)
	next := miss{about: about, text: text, at: now, failed: failed}
	switch {
	case told:
		next.told = now
	case about == r.missed.about:
		next.told = r.missed.told
	}
	r.missed = next
}

// remind tells people again of checkpoints that fail, if it is time to. In a job they fail for all
// processes, and the first tells.
func (r *run) remind(now time.Time) {
	r.tellMu.Lock()
	defer r.tellMu.Unlock()
	if s := &r.setback; r.config.rank == 0 && s.reminds(now) {
		say(fmt.Sprintf("no checkpoint for %v, in which %d were tried; the last: %s", now.Sub(s.since).Round(time.Second), s.tries, s.text))
	}
}

// overcome ends a setback, and returns how many tries it took.
func (r *run) overcome() (tries string) {
	r.tellMu.Lock()
	defer r.tellMu.Unlock()
	tries = fmt.Sprintf("%d that failed", r.setback.tries)
	if r.setback.tries == 1 {
		tries = "one that failed"
	}
	r.setback = setback{}
	return tries
}

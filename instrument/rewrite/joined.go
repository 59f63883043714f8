package rewrite

// A checkpoint is wanted while goroutines save or take up frames. So where a poll stands next to a
// test for that, one test whether a checkpoint is wanted does for both in the first copy: on entry
// of a function that begins with a poll, and behind a call that a poll follows.

// pollsFirst reports whether a function that is written twice begins with a poll, which is then one
// with the test on entry: a checkpoint is wanted while there are frames to take up.
func (a *again) pollsFirst() bool {
	return a.whole && a.c.opening == "" && len(a.c.code) > 0 && a.c.code[0].polls != nil && a.c.code[0].label == nil
}

// entryTest returns the condition that a function has neither a frame to take up nor a poll to make
// first.
func (a *again) entryTest(shadow string) string {
	if a.pollsFirst() {
		return shadow + ".Quiet()"
	}
	return shadow + ".Busy == 0"
}

// pollAfter returns the poll that follows at once on the call which instruction i is, or nil. The
// first copy has one test for both, since a checkpoint is wanted while there are frames to save;
// the second, into which it leads, has one for each:
//
//	step(i)
//	if shadow.Quiet() { goto on1 }; goto cold1; on1:
//	goto loop1
func (a *again) pollAfter(i int) *resumePoint {
	code := a.c.code
	p := code[i].resume
	if p == nil || p.poll || p.test != nil || !code[i].falls || !a.twice(i) {
		return nil
	}
	for i++; i < len(code) && code[i].label != nil && !code[i].label.used; i++ {
	}
	if i == len(code) || code[i].label != nil || !a.twice(i) {
		return nil
	}
	return code[i].polls
}

// joined reports whether the poll that instruction i guards, or is, has no test of its own in the
// first copy.
func (a *again) joined(i int) bool {
	code := a.c.code
	p := code[i].polls
	if p == nil {
		p = code[i].resume
	}
	for i--; i >= 0; i-- {
		if in := code[i]; in.resume != nil && !in.resume.poll {
			return a.pollAfter(i) == p
		} else if in.polls != p && in.label == nil {
			return false
		}
	}
	return false
}

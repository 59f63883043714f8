package shadow

import "sync/atomic"

// A bubble of testing/synctest has a clock of its own, which goes on when all goroutines in it wait
// for each other. One that waits for a stop, too, does not; and none in it can be put into another
// bubble. So goroutines of bubbles are no part of checkpoints. While there is a bubble, the
// goroutine that has made it can't be stopped, so that no checkpoint is taken.
var bubbles atomic.Int64

// ForBubbles returns what notes that there is one bubble more, or less. It is called outside of
// bubbles, and what it returns is called in one, before the function there, by a goroutine that has
// no record.
func ForBubbles() func(delta int) {
	for _, l := range []*lock{&all.lock, &stacks.lock, &deferring.lock, &packageLock} {
		l.prepare() // a channel that is made in a bubble is of no use outside
	}
	return func(delta int) { bubbles.Add(int64(delta)) }
}

// InBubble reports whether the calling goroutine is in a bubble. If it sleeps, the clock there may
// go on.
func InBubble() bool { return bubbles.Load() != 0 && self() == nil }

// apart starts the goroutine of a record without making it a part of checkpoints, if the calling
// goroutine is in a bubble.
func (r *record) apart() bool {
	if !InBubble() {
		return false
	}
	go func() {
		if r.group != nil {
			defer r.count()
		}
		r.f()
	}()
	return true
}

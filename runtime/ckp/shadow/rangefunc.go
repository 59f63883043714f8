package shadow

// LoopCalls is how far a loop that ranges over a function has come. The zero value is that of
// a loop whose body was not called yet. It is saved with the environment of the body.
//
//	waiting --Begin--> running --Next--> waiting
//	                   running --Leave-> left
//	waiting, left --Over--> over
//
// Any other call is a mistake of the iterator, and panics as the language says. A body that panics
// stays in the state running; an iterator that recovers the panic must panic, too.
type LoopCalls struct{ state loopState }

type loopState uint8

const (
	bodyWaiting loopState = iota // for the iterator to call the body
	bodyRunning                  // the body runs, or has panicked
	bodyLeft                     // the body has left the loop
	loopOver                     // the iterator has returned
)

// Begin is called when the iterator calls the body.
func (c *LoopCalls) Begin() {
	was := c.state
	c.state = bodyRunning
	if was != bodyWaiting {
		calledAgain(was)
	}
}

// Next is called at the end of the body. It returns true, for the iterator to go on.
func (c *LoopCalls) Next() bool {
	c.state = bodyWaiting
	return true
}

// Leave is called when the body leaves the loop. It returns false.
func (c *LoopCalls) Leave() bool {
	c.state = bodyLeft
	return false
}

// Over is called when the iterator has returned.
func (c *LoopCalls) Over() {
	if c.state == bodyRunning {
		panicKept()
	}
	c.state = loopOver
}

// calledAgain and panicKept make the mistakes themselves, in loops of the language's own, which
// panics with an error of its own.

func calledAgain(state loopState) {
	var body func() bool
	switch state {
	case bodyRunning:
		for range func(yield func() bool) {
			func() {
				defer func() { recover() }()
				yield()
			}()
			yield()
		} {
			panic("")
		}
	case bodyLeft:
		for range func(yield func() bool) { yield(); yield() } {
			break
		}
	case loopOver:
		for range func(yield func() bool) { body = yield } {
		}
		body()
	}
}

func panicKept() {
	for range func(yield func() bool) {
		defer func() { recover() }()
		yield()
	} {
		panic("")
	}
}

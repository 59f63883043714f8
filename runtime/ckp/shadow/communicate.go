package shadow

// Communicate makes a communication for a package that knows reflection. try makes it if that can
// be done at once, and says whether it was; wait waits for it, and reports false if it has received
// from stop instead, which is never nil but for a goroutine that is not part of checkpoints. If the
// goroutine has been stopped, neither has made it.
//
//ckp:point
func Communicate(k Kind, try func() bool, wait func(stop <-chan struct{}) bool) {
	again, saving := enter()
	if saving {
		return
	}
	if try() {
		if again {
			passed()
		}
		return
	}
	r, stop := block(k, again)
	if r == nil {
		wait(nil)
		return
	}
	for !wait(stop) {
		if r.join(0, true) {
			return
		}
		stop = r.undisturbed()
	}
	r.proceed()
}

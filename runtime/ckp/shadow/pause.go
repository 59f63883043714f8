package shadow

import "sync/atomic"

// Pause waits until what start returns becomes ready, which it does after d nanoseconds, or until a
// stop: it is time.Sleep for a package that knows time. now is its clock. When
// it is called again to continue a checkpoint it waits for the rest of the time,
// whatever d is.
//
//ckp:point
func Pause[T any](d int64, now func() int64, start func(d int64) (ready <-chan T, cancel func())) {
	again, saving := enter()
	if saving {
		return
	}
	r, stop := block(Sleeping, again)
	switch {
	case r == nil:
		ready, _ := start(d)
		<-ready
		return
	case r.now != nil: // it was stopped in this process
	case r.waiting.Remaining > 0: // in another one
		r.deadline = now() + r.waiting.Remaining
		r.waiting.Remaining = 0
	default:
		r.deadline = now() + d
	}
	r.now = now
	ready, cancel := start(r.deadline - now())
	for {
		select {
		case <-ready:
			r.now = nil
			r.proceed()
			r.passed.Store(true)
			return
		case <-stop:
			if r.join(0, true) {
				cancel()
				return
			}
			stop = r.undisturbed()
		}
	}
}

// fired counts the functions of time.AfterFunc that were called; firing says that there may be
// some.
var (
	fired  atomic.Uint64
	firing atomic.Bool
)

// Fires notes that there are timers which start goroutines.
func Fires() { firing.Store(true) }

// Firing reports whether there may be timers which start goroutines.
func Firing() bool { return firing.Load() }

// Fire is called when such a timer fires. It starts a goroutine as [Go] does. Whoever has seen
// the count before, and the goroutine not, sees another count afterwards.
//
// early says that package initialisation has made the timer. It may have fired in the moment in
// which it was stopped because the goroutines of an image have come, and starts none then.
func Fire(f func(), early bool) {
	if phase.Load() == off {
		go Run(f)()
	} else {
		begin(&record{f: f, early: early})
	}
	fired.Add(1)
}

// Fired returns how often Fire was called.
func Fired() uint64 { return fired.Load() }

// IsOff reports whether there are no checkpoints.
func IsOff() bool { return phase.Load() == off }

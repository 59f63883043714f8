package shadow

import (
	"runtime"
	"sync/atomic"
)

// phase is what all goroutines together are doing. It is written while all.lock is
// held; blocking operations look at it first.
var phase atomic.Int32

// The phases.
const (
	open      int32 = iota // they run. So it is until it is known whether checkpoints are wanted.
	stopping               // all are to join
	releasing              // they are let go, one after the other
	off                    // there are no checkpoints
)

// Off turns checkpoints off. The operations are those of the language from now on.
func Off() {
	all.lock.Lock()
	phase.Store(off)
	all.lock.Unlock()
}

// SetDriver sets what is called at the root of the goroutine that has begun a stop.
// It waits for [Arrivals], does what is to be done and calls [Release].
func SetDriver(drive func()) { driver.Store(&drive) }

var driver atomic.Pointer[func()]

// ErrUnknown says that a goroutine is not part of checkpoints.
var ErrUnknown error = problem("no checkpoint can be taken by a goroutine that was not started by a rewritten go statement: call it in another one")

// errPinned says why a checkpoint call is refused.
var errPinned error = problem("no checkpoint can be taken while the goroutine is pinned to its processor (runtime.procPin): call it after that")

// Known reports whether the calling goroutine is part of checkpoints. Each poll asks while a
// checkpoint is wanted, and mostly the one that asked last.
func Known() bool {
	g := current()
	if goroutine(askedLast.Load()) == g {
		return true
	}
	if self() == nil {
		return false
	}
	askedLast.Store(uintptr(g))
	return true
}

// askedLast is the goroutine by which Known was asked last, of those that are part of checkpoints,
// or 0.
var askedLast atomic.Uintptr

type problem string

func (e problem) Error() string { return string(e) }

// Begin begins a stop: the calling goroutine is saving, and all others are to join. A
// checkpoint call returns right after it. If a stop has begun already the goroutine joins
// that, and first is false.
//
// skip is the number of activations between Begin and the instrumented code: 1
// if the checkpoint call calls Begin itself. If an activation between the root of the
// goroutine and the checkpoint call can't be saved, Begin changes nothing and returns
// a *[Refusal].
func Begin(skip int) (first bool, err error) {
	if find() != nil {
		panic("shadow: a checkpoint was begun while its goroutine was not running")
	}
	if pinned() {
		return false, errPinned
	}
	r := self()
	if r == nil {
		return false, ErrUnknown
	}
	expect, err := inspect(skip)
	if err != nil {
		return false, err
	}
	r.passed.Store(true)
	all.lock.Lock()
	awaitReleased()
	if phase.Load() == open {
		first = true
		stop(r)
	}
	r.state = unwinding
	all.lock.Unlock()
	r.proceed()
	install(&stack{mode: saving, expect: expect})
	return first, nil
}

// Raise begins a stop for somebody who is not a goroutine of the program, and is the driver
// himself, if all goroutines of the program wait. They come at once then: no checkpoint
// call need be made. It returns false if they do not, or another stop has begun.
func Raise() bool {
	all.lock.Lock()
	defer all.lock.Unlock()
	awaitReleased()
	if phase.Load() != open || !idle() {
		return false
	}
	stop(nil)
	return true
}

// stop begins a stop. driver is nil if that is nobody of the program. all.lock is held.
func stop(driver *record) {
	phase.Store(stopping)
	all.driver = driver
	all.arrived = make(chan struct{})
	want(byStop, true)
	askWaiting()
}

// askWaiting wakes those that wait in operations, to join the stop, if all others have come, as far
// as is known. Who still runs finds them where they wait: nothing tells a select statement with a
// default that somebody has left a channel only for a checkpoint. all.lock is held.
func askWaiting() {
	if phase.Load() == stopping && int64(all.moving) <= waits.Load() {
		ask()
	}
}

// ask is askWaiting for when some of the others don't come. all.lock is held.
func ask() {
	if !all.asked && all.stop != nil { // nil: there is no goroutine yet that could wait
		all.asked = true
		close(all.stop)
	}
}

// Ask has those come that wait in operations, although others have not. It is called by the driver,
// if these take long.
func Ask() {
	all.lock.Lock()
	if phase.Load() == stopping {
		ask()
	}
	all.lock.Unlock()
}

// awaitReleased waits for the end of the stop before, while others are being let go, which
// is soon over. all.lock is held before and after.
func awaitReleased() {
	for phase.Load() == releasing {
		all.lock.Unlock()
		runtime.Gosched()
		all.lock.Lock()
	}
}

// Join makes the calling goroutine saving if all are to stop and it can be saved. A
// checkpoint function that is not a blocking operation calls it, and returns if it
// says so; skip is as in [Begin].
func Join(skip int) bool {
	if phase.Load() != stopping {
		return false
	}
	r := self()
	return r != nil && r.join(skip+1, false)
}

// join is Join for a goroutine that is blocked, or not.
func (r *record) join(skip int, blocked bool) bool {
	expect, err := inspect(skip)
	if err != nil {
		return false
	}
	all.lock.Lock()
	if phase.Load() != stopping || r.state != running {
		all.lock.Unlock()
		return false
	}
	r.state = unwinding
	all.lock.Unlock()
	if !blocked {
		r.proceed()
	}
	install(&stack{mode: saving, expect: expect})
	return true
}

// park is called at the root, with the frames of the goroutine. It returns when the
// goroutine is to go on.
func (r *record) park(frames []Frame) {
	all.lock.Lock()
	r.frames = frames
	if phase.Load() != stopping {
		r.state = running // the stop was abandoned meanwhile
		all.lock.Unlock()
		return
	}
	r.state = parked
	all.moving--
	settle()
	askWaiting()
	drives := all.driver == r
	all.lock.Unlock()
	if drives {
		(*driver.Load())()
		return
	}
	<-r.resume
}

// settle notices that all are parked. all.lock is held.
func settle() {
	if all.moving == 0 && phase.Load() == stopping && all.arrived != nil {
		close(all.arrived)
		all.arrived = nil
	}
}

// Arrivals returns a channel that is closed when all goroutines are parked. It is
// called by the driver.
func Arrivals() <-chan struct{} {
	all.lock.Lock()
	defer all.lock.Unlock()
	if all.arrived == nil {
		done := make(chan struct{})
		close(done)
		return done
	}
	return all.arrived
}

// Stopping reports whether all goroutines are to join a stop.
func Stopping() bool { return phase.Load() == stopping }

// Moving returns how many goroutines are not parked.
func Moving() int {
	all.lock.Lock()
	defer all.lock.Unlock()
	return all.moving
}

// Release ends a stop, whether all have arrived or not: those that are parked go on.
// The ones that were blocked are let in first, in the order in which they had blocked, each when
// the one before is blocked again or has passed; then the others; then those that
// have not begun. It is called by the driver.
func Release() {
	all.lock.Lock()
	phase.Store(releasing)
	ask() // or they would wait for the end of this channel for ever
	all.stop, all.next, all.asked = all.next, make(chan struct{}), false
	all.arrived = nil
	drives := all.driver
	all.driver = nil
	stop := all.stop
	var list []*record
	for r := range all.records {
		switch {
		case r == drives:
			r.state = running
			all.moving++
		case r.state == parked:
			list = append(list, r)
		}
	}
	want(byStop, false)
	all.lock.Unlock()
	inOrder(list)
	for _, r := range list {
		kind := r.waiting.Kind
		r.passed.Store(false)
		before := lastWaiting(stop)
		r.let()
		if kind != 0 {
			r.settled(kind, stop, before)
		}
	}
	all.lock.Lock()
	if phase.Load() == releasing {
		phase.Store(open)
	}
	all.lock.Unlock()
}

// let lets a parked goroutine go.
func (r *record) let() {
	all.lock.Lock()
	launched := r.launched
	if !launched {
		r.launched = true
		all.live++
	}
	r.state = running
	all.moving++
	all.lock.Unlock()
	if launched {
		r.resume <- struct{}{}
	} else {
		go r.run()
	}
}

// Halt stops the goroutines that package initialisation has started, in a process
// that is to continue a checkpoint, and returns a channel that is closed when
// they have stopped. [Adopt] ends them then.
func Halt() <-chan struct{} {
	all.lock.Lock()
	phase.Store(stopping)
	all.arrived = make(chan struct{})
	ask()
	want(byStop, true)
	arrived := all.arrived
	settle()
	all.lock.Unlock()
	return arrived
}

// errNone is what Adopt returns if the list has no main goroutine.
var errNone error = problem("the image has no goroutines")

package shadow

import "runtime"

// After runtime.Goexit a goroutine makes its deferred calls, and nothing else. A checkpoint can be
// taken in one of them. The goroutine can't come back to its root then, as nothing stops Goexit: it
// ends, and another one goes on in its place.
//
// On the way out each function with deferred calls pushes its frame, in the last of these, because
// its code is not executed any more; functions without are of no interest. So when the frames are
// restored the callers are not there to call the functions again. Each frame of a function with
// deferred calls can do that (the method Again). The outermost is called at the root. A function
// that was left by a call that exits defers its calls again and has the next one called
// ([ExitInside]); the one whose deferred call is under way defers those that are left, and exits
// ([Exit]). A deferred call that itself has exited is not under way any more: what it has left to
// do are the functions whose frames it has pushed.

// exiter is the frame of a function with deferred calls.
type exiter interface{ Again() }

// Exit ends the goroutine, as runtime.Goexit does.
func Exit() { runtime.Goexit() }

// ExitInside calls the function of the next frame, which exits. If that recovers from a panic
// instead, the goroutine exits all the same. The result is true if the goroutine is saving: the
// function that was called has returned for that reason.
func ExitInside() (saving bool) {
	s := find()
	next, ok := s.frames[len(s.frames)-1].(exiter)
	if !ok {
		astray("the checkpoint continues in " + nameOf(s.frames[len(s.frames)-1]) + " after runtime.Goexit, which has no deferred calls")
	}
	next.Again()
	if Unwinding() {
		return true
	}
	runtime.Goexit()
	return false
}

// Exiting reports whether the deferred function that has called the caller is called by
// runtime.Goexit. The goroutine is saving, and the next frame that is pushed is that of the
// function which Goexit leaves.
//
//go:noinline
func Exiting() bool {
	if !isGoexit(5) {
		return false
	}
	s := find()
	s.exited = len(s.frames) + 1
	return true
}

// Exited reports whether the deferred function that has called it is called by runtime.Goexit. The
// goroutine is saving, and no frame is pushed of the function which Goexit leaves.
//
//go:noinline
func Exited() bool { return isGoexit(4) }

// isGoexit reports whether the function of that many calls around runtime.Callers is
// runtime.Goexit.
//
//go:noinline
func isGoexit(skip int) bool {
	pcs := make([]uintptr, 1)
	if runtime.Callers(skip, pcs) == 0 {
		return false
	}
	fr, _ := runtime.CallersFrames(pcs).Next()
	return fr.Function == "runtime.Goexit"
}

// exited is called when the function of a goroutine has exited, in its last deferred call. If the
// goroutine is saving it becomes one that another is to continue, and the result is true.
func (r *record) exited() bool {
	frames, saving := Take()
	if !saving {
		return false
	}
	all.lock.Lock()
	r.frames, r.exits = frames, true
	unmap(r)
	if phase.Load() != stopping { // the stop was abandoned meanwhile
		r.state = running
		all.lock.Unlock()
		go r.run()
		return true
	}
	r.state = parked
	all.moving--
	drives := all.driver == r
	if !drives {
		r.launched = false
		all.live--
	}
	settle()
	all.lock.Unlock()
	if drives {
		(*driver.Load())()
		go r.run()
	}
	return true
}

// continued is what the root calls to continue a goroutine: its function, or, if that has exited,
// the outermost one with deferred calls.
func (r *record) continued() func() {
	if r.exits {
		return exitAtRoot
	}
	return r.f
}

//go:noinline
func exitAtRoot() { ExitInside() }

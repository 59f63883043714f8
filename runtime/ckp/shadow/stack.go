package shadow

// Busy is the number of goroutines that are saving or restoring. Instrumented
// code tests it before it calls [Enter] or [Unwinding]; nothing else may change
// it.
//
// It is read without synchronisation. A goroutine that saves or restores has counted itself, and
// sees that; what others see, and when, does not matter to them. The load of an atomic would be an
// instruction more behind each call, and twice as much for the compiler.
var Busy int32

// tally changes Busy, with stacks.lock. The race detector is not told, as it knows nothing of
// readers to whom it does not matter. Functions that poll on entry ask Quiet alone there, so that
// is set, too.
//
//go:norace
func tally(by int32) {
	Busy += by
	want(byBusy, Busy != 0)
}

// A Frame is one saved activation record: a pointer to a generated struct that
// holds the variables that are live at a resume point.
type Frame interface {
	// ResumePoint tells which function the frame belongs to and at which of
	// its resume points (counted from 1) it was left.
	ResumePoint() (*Function, int)
}

// A Walker is a frame in which maps are walked.
type Walker interface {
	// Settle has the walks go on without iterators: see [MapRange.Settle].
	Settle(stack func() (low, high uintptr))
}

type mode uint8

const (
	saving mode = iota + 1
	restoring
	lifting // it is saving, and is in the runtime's own code, which calls functions that may have been rewritten
)

// A stack belongs to one goroutine and is touched by that goroutine alone.
// A goroutine that is running has none.
type stack struct {
	mode   mode
	frames []Frame      // innermost activation first
	expect []activation // while saving: the activations that may push frames, innermost first
	// suppressed counts the deferred calls that were not made since the last
	// function with deferred calls was left.
	suppressed int
	exited     int // the number of frames when the last one that runtime.Goexit has left was pushed
	lift       Lift
}

// stacks maps goroutines that are not running to their stacks.
var stacks struct {
	lock lock
	of   map[goroutine]*stack
}

// find returns the stack of the calling goroutine, or nil if it is running, as all that are pinned
// are.
func find() *stack {
	if pinned() {
		return nil
	}
	stacks.lock.Lock()
	s := stacks.of[current()]
	stacks.lock.Unlock()
	return s
}

func install(s *stack) {
	stacks.lock.Lock()
	if stacks.of == nil {
		stacks.of = make(map[goroutine]*stack)
	}
	stacks.of[current()] = s
	tally(1)
	stacks.lock.Unlock()
}

func remove() {
	stacks.lock.Lock()
	delete(stacks.of, current())
	tally(-1)
	stacks.lock.Unlock()
}

// Unwinding reports whether the calling goroutine is saving.
//
// Not inlined, so that code that is rarely executed stays small.
//
//go:noinline
func Unwinding() bool {
	if Busy == 0 {
		return false
	}
	s := find()
	return s != nil && s.mode == saving
}

// Take ends the saving of the calling goroutine and returns its frames,
// innermost first. The goroutine is running afterwards. It returns false if
// the goroutine was not saving: the program has returned by itself.
func Take() ([]Frame, bool) {
	s := find()
	if s == nil || s.mode != saving {
		return nil, false
	}
	remove()
	if s.lift != nil {
		if err := s.lift.Finish(); err != nil {
			panic(err)
		}
	}
	if missed := missed(s.expect, s.frames); missed != "" {
		// An activation returned to a call that was not a resume point: it
		// computed with a result that does not exist. Nothing can be saved,
		// nor can the program go on.
		panic("shadow: " + missed + " did not save its frame: the precompiler missed a resume point")
	}
	return s.frames, true
}

// Suppressed is asked by a deferred call before it does anything. It reports
// whether the goroutine is saving: the call is still to come, then, and must not
// be made now.
//
//go:noinline
func Suppressed() bool {
	s := find()
	if s == nil || s.mode != saving {
		return false
	}
	s.suppressed++
	return true
}

// Leaving is asked by the last deferred call of a function, of which last is the one that was
// deferred last. It reports whether the goroutine is saving and the checkpoint was taken inside one
// of those calls; then it is for the caller to push the frame, and left is the last of the calls
// that have not returned, which is the one that was being made. how tells why the calls are made: 0
// because the function returns or panics; 2 after runtime.Goexit. It is 3 if a call of the function
// has exited and none of them is being made: none has begun, or the one that has begun is the call
// that has exited.
//
//go:noinline
func Leaving(last Deferral) (left Deferral, how int, ok bool) {
	s := find()
	if s == nil || s.mode != saving {
		return nil, 0, false
	}
	made := length(last) - s.suppressed // that have returned, and the one that was being made
	s.suppressed = 0
	abandoned := len(s.frames) > 0 && s.exited == len(s.frames)
	exits := Exiting()
	if made <= 0 {
		return last, 3, exits // if not, the function itself was at a resume point
	}
	for ; made > 1; made-- {
		last = after(last).Before
	}
	switch {
	case exits && abandoned:
		return after(last).Before, 3, true
	case exits:
		how = 2
	}
	return last, how, true
}

// Restore makes the calling goroutine re-enter the activations in frames
// (innermost first), when its root is called next.
func Restore(frames []Frame) {
	install(&stack{mode: restoring, frames: append([]Frame(nil), frames...)})
}

// poolOfReflect is what package reflect calls before it calls a method that it has made a function
// of. The stack does not show that it does, so a checkpoint may be taken below; when the function
// is called again, what is to be continued is the method.
const poolOfReflect = "sync.(*Pool).Get"

// Enter returns the frame that the calling activation, one of fn, is to continue from, or
// nil if it is called anew. A frame of another function means that the binary does not do what
// it did when the image was written, although its fingerprint is the same: the process ends, as
// [SetAstray] tells.
//
//go:noinline
func Enter(fn *Function) Frame {
	s := find()
	if s == nil || s.mode != restoring {
		return nil
	}
	if len(s.frames) == 0 {
		astray(fn.name() + " was entered below the innermost frame of the checkpoint")
	}
	last := len(s.frames) - 1
	f := s.frames[last]
	if saved, _ := f.ResumePoint(); saved != fn {
		if fn.name() == poolOfReflect {
			return nil
		}
		astray("the checkpoint continues in " + saved.name() + " but the program entered " + fn.name())
	}
	s.frames[last] = nil
	s.frames = s.frames[:last]
	return f
}

// Beneath returns a value of the type of the receiver that the activation has had which the calling
// goroutine continues next, if that is one of a method of the given name which may have been called
// by way of an embedded field; or nil. The receiver itself is in the frame.
//
//go:noinline
func Beneath(method string) any {
	s := find()
	if s == nil || s.mode != restoring || len(s.frames) == 0 {
		return nil
	}
	if f, ok := s.frames[len(s.frames)-1].(interface{ Receiver(method string) any }); ok {
		return f.Receiver(method)
	}
	return nil
}

// Nowhere ends the process: a frame is to be continued from a resume point that its function does
// not have.
//
//go:noinline
func Nowhere(f Frame) {
	astray("the checkpoint continues in " + nameOf(f) + " at a resume point that it does not have")
}

// Arrived is the first thing that a checkpoint call does. It reports whether
// the call is the innermost one of a stack that has just been restored, and if
// so sets the goroutine running: the checkpoint call then returns at once, as
// its work was done before the frames were saved.
func Arrived() bool {
	if Busy == 0 {
		return false
	}
	s := find()
	if s == nil || s.mode != restoring {
		return false
	}
	if n := len(s.frames); n != 0 {
		astray("a checkpoint call was reached while the checkpoint continues in " + nameOf(s.frames[n-1]))
	}
	remove()
	return true
}

func nameOf(f Frame) string {
	fn, _ := f.ResumePoint()
	return fn.name()
}

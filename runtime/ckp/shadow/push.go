package shadow

import (
	"sync/atomic"
	"unsafe"

	identity "github.com/ckpgen/ckpgen/runtime/ckp/shadow/goroutine"
)

// A Lift copies the frames of a goroutine to the heap, and what they refer to on its stack. Package
// heap has one, which may not be imported here.
type Lift interface {
	// Frame returns a copy of a frame.
	Frame(frame any) any
	// Finish is called when the goroutine has left all activations. Until then the copies are not
	// complete.
	Finish() error
}

// SetLift sets what makes the Lift of a goroutine that begins to unwind. stack returns the bounds
// of the stack of the goroutine that calls it.
func SetLift(of func(stack func() (low, high uintptr)) Lift) { newLift.Store(&of) }

var newLift atomic.Pointer[func(stack func() (low, high uintptr)) Lift]

// Push puts the frame of the activation that is about to return on the shadow
// stack of the calling goroutine.
//
// The frame is copied. The compiler does not see that anything is kept of it, nor of what it refers
// to: so a variable of a function, and what its pointers, slices and func values lead to, is on the
// stack wherever it would be in a program without checkpoints. Where the bounds of a stack are not
// known, the compiler sees it, and all that is on the heap.
//
// While the address of the frame is a number, nothing may be called, which could move the stack,
// not even the tests of pointers that -race adds.
//
// It returns [Unwound].
//
//go:noinline
//go:nocheckptr
func Push(frame Frame) Error {
	if !identity.StackKnown {
		push(frame)
		return Unwound
	}
	address := uintptr(unsafe.Pointer(&frame))
	lift(**(**Frame)(unsafe.Pointer(&address)))
	return Unwound
}

func lift(frame Frame) {
	s := find()
	s.mode = lifting
	if s.lift == nil {
		s.lift = (*newLift.Load())(identity.Stack)
	}
	if w, ok := frame.(Walker); ok {
		w.Settle(identity.Stack)
	}
	frame = s.lift.Frame(frame).(Frame)
	s.mode = saving
	s.frames = append(s.frames, frame)
}

// isLifting reports whether the calling goroutine is in a Lift.
func isLifting() bool {
	if Busy == 0 {
		return false
	}
	s := find()
	return s != nil && s.mode == lifting
}

func push(frame Frame) {
	s := find()
	s.frames = append(s.frames, frame)
}

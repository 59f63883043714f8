package shadow

import "sync/atomic"

// wants is not 0 while a checkpoint is wanted at the next poll, and while [Busy] is not 0. It is
// written by atomic operations; [Quiet] reads it.
var wants int32

// Who wants one, as bits of wants.
const (
	bySchedule int32 = 1 << iota
	byStop           // one has begun, and this goroutine is to join
	byBusy           // goroutines are saving or restoring
)

// Want says whether a checkpoint is due at the next poll.
func Want(yes bool) { want(bySchedule, yes) }

func want(who int32, yes bool) {
	if yes {
		atomic.OrInt32(&wants, who)
	} else {
		atomic.AndInt32(&wants, ^who)
	}
}

// poller is what package ckp does at a poll while a checkpoint is wanted.
var poller atomic.Pointer[func()]

// SetPoll sets what [Poll] calls.
func SetPoll(f func()) { poller.Store(&f) }

// Poll is an opportunity for a checkpoint in a program that was built with polls. It
// is called only where [Quiet] denies, or to arrive.
//
//ckp:point
//go:noinline
func Poll() {
	if pinned() || Arrived() || Join(0) || isLifting() {
		return
	}
	if f := poller.Load(); f != nil {
		(*f)()
	}
}

// Spare makes a register free. Generated code calls it before a loop: a compiler that
// has all its registers in use there keeps the counter of the loop on the stack. The load
// needs a register, which is free afterwards.
func Spare() { atomic.LoadInt32(&wants) }

// Unload empties the registers, as all calls do. Generated code calls it before the loop of an
// interpreter.
//
//go:noinline
func Unload() {}

// Cold does nothing. To the compiler, what calls something is more rarely executed than what does
// not.
//
//go:noinline
func Cold() {}

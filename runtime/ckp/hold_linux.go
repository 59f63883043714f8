package ckp

import (
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hold makes the signals that this process watches wait for the one that will
// take its place. What has arrived by then is in the schedule when it returns.
//
// An exec resets handlers, so a SIGTERM would kill the fresh process as long as
// it has not installed its own. But the mask of blocked signals passes through
// an exec, and so does a signal that waits; the Go runtime leaves such a mask
// alone until the signal is asked for by watchSignals. The handler of this
// process stays: the runtime may start a thread without the mask at any time.
//
// Children that a program in torture mode starts later have the mask, too:
// nothing resets it for them.
func (r *run) hold() {
	if r.signals == nil {
		return
	}
	runtime.LockOSThread() // until the exec
	var set unix.Sigset_t
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGUSR1} {
		bit, word := uint(s)-1, 8*uint(unsafe.Sizeof(set.Val[0]))
		set.Val[bit/word] |= 1 << (bit % word)
	}
	const size = 8 // bytes of the kernel's set of signals
	_, _, errno := syscall.AllThreadsSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_BLOCK, uintptr(unsafe.Pointer(&set)), 0, size, 0, 0)
	if errno != 0 {
		// With cgo, only this thread can be asked. What another one handles
		// in the moments before the exec is lost.
		_ = unix.PthreadSigmask(unix.SIG_BLOCK, &set, nil)
	}
	r.settleSignals()
}

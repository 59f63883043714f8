package ckp

import (
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hold makes a SIGTERM wait for the process that will take the place of this one.
// What has arrived by then is in the schedule when it returns.
//
// Otherwise the handler of this process would take it in the moments before the exec, and
// the request be lost with the process. A blocked signal that waits passes through the exec. The Go
// runtime unblocks it as it starts, before there is a handler, so it ends the fresh process:
// that is not status 75, but it is an end, and the checkpoint is there.
func (r *run) hold() {
	if r.signals == nil {
		return
	}
	runtime.LockOSThread() // until the exec
	var set unix.Sigset_t
	set.Val[0] = 1 << (uint(syscall.SIGTERM) - 1)
	const size = 8 // bytes of the kernel's set of signals
	_, _, errno := syscall.AllThreadsSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_BLOCK, uintptr(unsafe.Pointer(&set)), 0, size, 0, 0)
	if errno != 0 {
		// With cgo, only this thread can be asked.
		_ = unix.PthreadSigmask(unix.SIG_BLOCK, &set, nil)
	}
	r.settleSignals()
}

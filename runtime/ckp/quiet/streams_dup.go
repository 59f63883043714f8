//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package quiet

import (
	"os"
	"runtime/debug"
	"syscall"
)

// streams are standard output and standard error, and where they led.
var streams = []struct{ fd, was int }{{fd: 1, was: -1}, {fd: 2, was: -1}}

// begin leads the streams to nowhere. A stream for which that fails stays as it is.
func begin() {
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer nowhere.Close()
	for i := range streams {
		s := &streams[i]
		was, err := copied(s.fd)
		if err != nil {
			continue // it is closed
		}
		if err := lead(s.fd, int(nowhere.Fd())); err != nil {
			syscall.Close(was)
			continue
		}
		s.was = was
	}
	if was := streams[1].was; was >= 0 {
		if again, err := copied(was); err == nil {
			f := os.NewFile(uintptr(again), "stderr")
			_ = debug.SetCrashOutput(f, debug.CrashOptions{}) // it has a copy of its own
			f.Close()
		}
	}
}

// end leads the streams back.
func end() {
	if streams[1].was >= 0 {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
	}
	for i := range streams {
		s := &streams[i]
		if s.was < 0 {
			continue
		}
		_ = lead(s.fd, s.was)
		syscall.Close(s.was)
		s.was = -1
	}
}

// copied returns another descriptor of the same file, which child processes do not get.
func copied(fd int) (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	other, err := syscall.Dup(fd)
	if err == nil {
		syscall.CloseOnExec(other)
	}
	return other, err
}

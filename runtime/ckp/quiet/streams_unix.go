//go:build unix

package quiet

import (
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"
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
		was, err := unix.FcntlInt(uintptr(s.fd), unix.F_DUPFD_CLOEXEC, 3)
		if err != nil {
			continue // it is closed
		}
		if err := unix.Dup2(int(nowhere.Fd()), s.fd); err != nil {
			unix.Close(was)
			continue
		}
		s.was = was
	}
	if was := streams[1].was; was >= 0 {
		if copied, err := unix.FcntlInt(uintptr(was), unix.F_DUPFD_CLOEXEC, 3); err == nil {
			f := os.NewFile(uintptr(copied), "stderr")
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
		_ = unix.Dup2(s.was, s.fd)
		unix.Close(s.was)
		s.was = -1
	}
}

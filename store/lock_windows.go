package store

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

// Programs link this package, and it may need nothing but the standard library:
// so the calls that package syscall lacks are made by name.
var (
	kernel32     = syscall.NewLazyDLL("kernel32.dll")
	lockFileEx   = kernel32.NewProc("LockFileEx")
	unlockFileEx = kernel32.NewProc("UnlockFileEx")
)

// From winbase.h and winerror.h.
const (
	lockfileFailImmediately = 1
	lockfileExclusiveLock   = 2
	errorLockViolation      = syscall.Errno(33)
)

// lockFile takes the exclusive lock on f, which ends with f or with this
// process, or returns errLocked. The range lies beyond the file's end, so
// that others can read who has it.
func lockFile(f *os.File) error {
	where := syscall.Overlapped{OffsetHigh: 1}
	ok, _, err := lockFileEx.Call(f.Fd(), lockfileExclusiveLock|lockfileFailImmediately, 0, 1, 0, uintptr(unsafe.Pointer(&where)))
	switch {
	case ok != 0:
		return nil
	case errors.Is(err, errorLockViolation), errors.Is(err, syscall.ERROR_IO_PENDING):
		return errLocked
	}
	return err
}

func unlockFile(f *os.File) {
	where := syscall.Overlapped{OffsetHigh: 1}
	_, _, _ = unlockFileEx.Call(f.Fd(), 0, 1, 0, uintptr(unsafe.Pointer(&where)))
}

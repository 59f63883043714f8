package store

import (
	"os"
	"syscall"
)

// openNameless is O_TMPFILE of open(2), which package syscall does not have: the number is that of
// all systems that Go runs on.
const openNameless = 0o20000000 | syscall.O_DIRECTORY

// nameless makes a temporary file that has no name at any time, if the file system can do that: a
// process that is killed in between leaves nothing behind.
func nameless() (*os.File, error) {
	dir := os.TempDir()
	fd, err := syscall.Open(dir, openNameless|syscall.O_RDWR|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return unlinked()
	}
	return os.NewFile(uintptr(fd), dir+" (deleted)"), nil
}

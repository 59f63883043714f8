//go:build unix

package heap

import (
	"os"
	"syscall"
	_ "unsafe" // for go:linkname
)

// canDuplicate tells that duplicateOf works.
const canDuplicate = true

//go:linkname fcntl runtime.fcntl
func fcntl(fd, cmd, arg int32) (value, errno int32)

// openedFor returns how a file was opened.
func openedFor(_ *os.File, fd uintptr) (how access, appends, syncs bool, err error) {
	flags, errno := fcntl(int32(fd), syscall.F_GETFL, 0)
	if flags == -1 {
		return 0, false, false, syscall.Errno(errno)
	}
	switch int(flags) & (syscall.O_RDONLY | syscall.O_WRONLY | syscall.O_RDWR) {
	case syscall.O_WRONLY:
		how = writeOnly
	case syscall.O_RDWR:
		how = readWrite
	}
	return how, flags&syscall.O_APPEND != 0, flags&syscall.O_SYNC == syscall.O_SYNC, nil
}

// duplicateOf returns another descriptor of the same file, which child processes do not get.
func duplicateOf(f *os.File) (uintptr, error) {
	fd, err := number(f)
	if err != nil {
		return 0, err
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	other, err := syscall.Dup(int(fd))
	if err != nil {
		return 0, os.NewSyscallError("dup", err)
	}
	syscall.CloseOnExec(other)
	return uintptr(other), nil
}

// fileNumber returns what a file system knows a file by, whatever its name.
func fileNumber(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

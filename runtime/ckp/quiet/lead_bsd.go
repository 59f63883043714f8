//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package quiet

import "syscall"

// lead makes fd another descriptor of the file of to.
func lead(fd, to int) error { return syscall.Dup2(to, fd) }

package quiet

import "syscall"

// lead makes fd another descriptor of the file of to.
func lead(fd, to int) error { return syscall.Dup3(to, fd, 0) }

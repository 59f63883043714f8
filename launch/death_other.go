//go:build unix && !linux

package launch

import "syscall"

// dieWithParent does nothing: the process sees the end of its connection.
func dieWithParent(*syscall.SysProcAttr) {}

//go:build unix

package store

import (
	"os"
	"syscall"
)

func suspend(p *os.Process) { _ = p.Signal(syscall.SIGSTOP) }
func resume(p *os.Process)  { _ = p.Signal(syscall.SIGCONT) }

//go:build unix

package launch

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// stopSignals ask for a checkpoint and the end.
var stopSignals = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}

// checkpointSignals ask for a checkpoint.
var checkpointSignals = []os.Signal{syscall.SIGUSR1}

// signalStop and signalCheckpoint reach a process that has no connection.
func signalStop(p *os.Process)       { _ = p.Signal(syscall.SIGTERM) }
func signalCheckpoint(p *os.Process) { _ = p.Signal(syscall.SIGUSR1) }

// signalName is what people call a signal.
func signalName(s os.Signal) string {
	if n, ok := s.(syscall.Signal); ok {
		return unix.SignalName(n)
	}
	return s.String()
}

// killGroup kills the process and all it started.
func killGroup(p *os.Process) {
	_ = p.Kill()
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}

// killRest kills what a process that was just reaped has left behind.
func killRest(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// verdict reads how a process ended.
func verdict(s *os.ProcessState) ending {
	w, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !w.Signaled() {
		return ending{status: s.ExitCode(), text: fmt.Sprintf("exited with status %d", s.ExitCode()), own: true}
	}
	sig := w.Signal()
	e := ending{status: 128 + int(sig), signal: true, text: "was killed by " + unix.SignalName(sig)}
	if text := sig.String(); text != "killed" {
		e.text += " (" + text + ")"
	}
	switch sig {
	case syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGILL, syscall.SIGFPE, syscall.SIGABRT, syscall.SIGTRAP, syscall.SIGSYS, syscall.SIGPIPE, syscall.SIGXCPU, syscall.SIGXFSZ:
		e.own = true
	}
	return e
}

// foreground reports whether this process may read from the terminal f.
func foreground(f *os.File) bool {
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err == nil && group == syscall.Getpgrp()
}

// group puts a process to be started into a process group of its own.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
}

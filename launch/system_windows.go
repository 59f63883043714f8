package launch

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

var (
	stopSignals       = []os.Signal{os.Interrupt}
	checkpointSignals []os.Signal
)

func signalStop(p *os.Process)      { _ = p.Kill() } // there is no other signal
func signalCheckpoint(*os.Process)  {}
func killGroup(p *os.Process)       { _ = p.Kill() }
func killRest(int)                  {}
func signalName(s os.Signal) string { return s.String() }

func verdict(s *os.ProcessState) ending {
	return ending{status: s.ExitCode(), text: fmt.Sprintf("exited with status %d", s.ExitCode()), own: true}
}

func foreground(*os.File) bool { return true }

// group keeps the keys of the console from the process.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

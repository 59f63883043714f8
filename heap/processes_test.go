package heap

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestProcesses has commands that were not started, were not found and have ended, and one that has
// not.
func TestProcesses(t *testing.T) {
	self, err := os.Executable()
	must(t, err)
	type vars struct {
		later, missing, ended *exec.Cmd
		err                   error
		process               *os.Process
		out                   bytes.Buffer
	}
	v := &vars{later: exec.Command(self, "-test.run=^$"), missing: exec.Command("no-such-command"), ended: exec.Command(self, "-test.unknown")}
	v.ended.Stdout, v.ended.Stderr = &v.out, &v.out
	v.err = v.ended.Run()
	v.process = v.ended.Process
	w := again(t, v)
	var exit *exec.ExitError
	check(t, errors.As(w.err, &exit) && exit.ProcessState == w.ended.ProcessState, w.err)
	equal(t, v.err.Error(), w.err.Error())
	equal(t, v.ended.ProcessState.String(), w.ended.ProcessState.String())
	equal(t, v.ended.Process.Pid, w.process.Pid)
	check(t, w.process == w.ended.Process && w.ended.Stdout == &w.out && w.out.String() == v.out.String())
	for _, p := range []*os.Process{v.process, w.process} {
		check(t, errors.Is(p.Kill(), os.ErrProcessDone))
		_, err := p.Wait()
		check(t, err != nil)
	}
	check(t, strings.Contains(w.ended.Start().Error(), "already started"))
	check(t, strings.Contains(w.missing.Start().Error(), "no-such-command"))
	must(t, w.later.Run())
	again(t, w)

	r, in, err := os.Pipe()
	must(t, err)
	running := exec.Command(self, "-test.run=TestProcessesWaits")
	running.Env, running.Stdin = append(os.Environ(), "HEAP_TEST_WAITS=1"), r
	must(t, running.Start())
	_, err = Capture([]Root{{"v", &struct{ p *os.Process }{running.Process}}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "a child process can't be taken along"), err)
	must(t, in.Close())
	must(t, running.Wait())
	again(t, running.Process)
}

// TestProcessesWaits is a process that runs until its input ends.
func TestProcessesWaits(t *testing.T) {
	if os.Getenv("HEAP_TEST_WAITS") != "" {
		_, err := new(bytes.Buffer).ReadFrom(os.Stdin)
		must(t, err)
	}
}

package bsp_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
)

// The tests run jobs of real processes: this test binary, started again with
// the name of one of the programs.
const programVariable = "BSP_TEST_PROGRAM"

var programs = map[string]func(){}

func TestMain(m *testing.M) {
	if name := os.Getenv(programVariable); name != "" {
		// Whatever happens to the test, its processes do not outlive it.
		time.AfterFunc(50*time.Second, func() { os.Exit(99) })
		programs[name]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// job is a number of processes that run one program.
type job struct {
	t         testing.TB
	processes []*exec.Cmd
	out, err  []output
	cancel    func()
}

// output is what a process writes; it can be read meanwhile.
type output struct {
	lock sync.Mutex
	b    bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.b.Write(b)
}

func (o *output) String() string {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.b.String()
}

// result is what a process left.
type result struct {
	status   int // -1 if it was killed
	out, err string
}

// start starts a program as n processes, with no launcher.
func start(t testing.TB, program string, n int, env ...string) *job {
	t.Helper()
	dir, err := os.MkdirTemp("", "bsp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	j := &job{t: t, out: make([]output, n), err: make([]output, n), cancel: cancel}
	t.Cleanup(cancel)
	for rank := range n {
		c := exec.CommandContext(ctx, os.Args[0])
		place := control.Job{Rank: rank, Size: n, Epoch: 1, RunDir: dir}
		c.Env = append(os.Environ(), place.Variables()...)
		c.Env = append(c.Env, programVariable+"="+program)
		c.Env = append(c.Env, env...)
		c.Stdout, c.Stderr = &j.out[rank], &j.err[rank]
		if err := c.Start(); err != nil {
			cancel()
			t.Fatal(err)
		}
		j.processes = append(j.processes, c)
	}
	return j
}

// wait waits for all processes.
func (j *job) wait() []result {
	var all []result
	for i, c := range j.processes {
		c.Wait()
		all = append(all, result{c.ProcessState.ExitCode(), j.out[i].String(), j.err[i].String()})
	}
	j.cancel()
	return all
}

// succeed runs a program and returns the standard output of process 0.
func succeed(t testing.TB, program string, n int, env ...string) string {
	t.Helper()
	all := start(t, program, n, env...).wait()
	for rank, r := range all {
		if r.status != 0 || r.err != "" {
			t.Errorf("%s, process %d of %d: status %d\n%s%s", program, rank, n, r.status, r.out, r.err)
		}
	}
	return strings.TrimSpace(all[0].out)
}

var sizes = []int{1, 2, 3, 4, 7}

func forSizes(t *testing.T, f func(t *testing.T, n int)) {
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) { f(t, n) })
	}
}

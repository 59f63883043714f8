//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// house is where the tests of whole jobs keep what they share: the command, built as a user builds
// it, the example with checkpoints and without, and a directory for temporary files, whose name
// leaves room for sockets.
type house struct {
	dir     string
	ckpgen  string
	seqsim  string // with checkpoints
	plain   string // by go build
	tmp     string
	gocache string            // lies in the user's cache directory by default
	answers map[string]string // of plain
	err     error
}

var (
	built     house
	buildOnce sync.Once
)

func init() {
	atEnd = append(atEnd, func() error {
		if left := built.leave(); len(left) > 0 {
			return fmt.Errorf("left behind: %v", left)
		}
		return nil
	})
}

func root() string {
	dir, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	return dir
}

// ready returns the house, built at the first call.
func ready(t *testing.T) *house {
	t.Helper()
	buildOnce.Do(func() { built.err = built.build() })
	require.NoError(t, built.err)
	return &built
}

func (h *house) build() (err error) {
	if h.dir, err = os.MkdirTemp("/tmp", "ckp"); err != nil {
		return err
	}
	if h.dir, err = filepath.EvalSymlinks(h.dir); err != nil {
		return err
	}
	h.ckpgen, h.seqsim, h.plain, h.tmp = filepath.Join(h.dir, "ckpgen"), filepath.Join(h.dir, "seqsim"), filepath.Join(h.dir, "plain"), filepath.Join(h.dir, "tmp")
	h.answers = map[string]string{}
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return err
	}
	h.gocache = strings.TrimSpace(string(out))
	if err := os.Mkdir(h.tmp, 0o777); err != nil {
		return err
	}
	for _, c := range [][]string{
		{"go", "build", "-o", h.ckpgen, "./cmd/ckpgen"},
		{"go", "build", "-o", h.plain, "./examples/seqsim"},
		{h.ckpgen, "build", "-o", h.seqsim, "./examples/seqsim"},
	} {
		cmd := exec.Command(c[0], c[1:]...)
		cmd.Dir, cmd.Env = root(), h.environment()
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(c, " "), err, out)
		}
	}
	return nil
}

// environment is a user's, with a cache of its own.
func (h *house) environment(more ...string) []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "CKP_") {
			env = append(env, v)
		}
	}
	return append(append(env, "XDG_CACHE_HOME="+filepath.Join(h.dir, "cache"), "GOCACHE="+h.gocache, "TMPDIR="+h.tmp), more...)
}

// leave removes the house and tells what was left behind in it: processes and temporary files.
func (h *house) leave() (left []string) {
	if h.dir == "" {
		return nil
	}
	for _, p := range h.processes() {
		left = append(left, p.String())
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
	files, _ := filepath.Glob(filepath.Join(h.tmp, "*"))
	_ = os.RemoveAll(h.dir)
	return append(left, files...)
}

// answer is what the plain program, a single process, prints last.
func (h *house) answer(t *testing.T, args ...string) string {
	t.Helper()
	key := strings.Join(args, " ")
	if _, ok := h.answers[key]; !ok {
		cmd := exec.CommandContext(limited(t), h.plain, args...)
		cmd.Dir = t.TempDir()
		out, err := cmd.Output()
		require.NoError(t, err)
		h.answers[key] = lastLine(string(out))
	}
	return h.answers[key]
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return lines[len(lines)-1]
}

// patience is how long anything may take.
func patience() time.Duration {
	if *long {
		return 10 * time.Minute
	}
	return 2 * time.Minute // on a busy machine; seconds otherwise
}

func limited(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience())
	t.Cleanup(cancel)
	return ctx
}

// A living is a process that runs a binary of the house.
type living struct {
	pid int
	exe string
	env string // each variable between zero bytes
}

func (p living) String() string { return fmt.Sprintf("process %d of %s", p.pid, p.exe) }

// processes finds what runs from the house and the cache in it.
func (h *house) processes() (found []living) {
	list, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range list {
		exe, err := os.Readlink(link)
		if err != nil || !strings.HasPrefix(exe, h.dir+"/") {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(link)))
		env, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "environ"))
		stat, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "stat"))
		if state := stat[bytes.LastIndexByte(stat, ')')+1:]; len(state) > 1 && state[1] == 'Z' {
			continue
		}
		found = append(found, living{pid: pid, exe: exe, env: "\x00" + string(env)})
	}
	return found
}

// A trial is a command line of ckpgen run that is given once or several times.
type trial struct {
	*house
	t    *testing.T
	cwd  string // of the command
	dir  string // of the job
	line []string
	want string // last line of standard output

	cmd      *exec.Cmd // the latest
	out, err *os.File
	over     chan struct{}
}

// newTrial makes a trial of seqsim on n processes with these arguments.
func newTrial(t *testing.T, n int, interval string, args ...string) *trial {
	t.Helper()
	tr := &trial{house: ready(t), t: t, cwd: t.TempDir()}
	tr.dir = filepath.Join(t.TempDir(), "D")
	tr.line = slices.Concat([]string{"run", "-n", strconv.Itoa(n), "--interval", interval, "--dir", tr.dir, tr.seqsim, "--"}, args)
	tr.want = tr.answer(t, args...)
	t.Cleanup(tr.clean)
	return tr
}

// with inserts flags of run for one command.
func (tr *trial) with(flags ...string) *trial {
	c := *tr
	c.line = slices.Concat(tr.line[:1], flags, tr.line[1:])
	return &c
}

// clean checks that nothing is left of the job but its directory.
func (tr *trial) clean() {
	deadline := time.Now().Add(10 * time.Second)
	for {
		var left []living
		for _, p := range tr.processes() {
			if strings.Contains(p.env, "\x00CKP_DIR="+tr.dir+"\x00") {
				left = append(left, p)
			}
		}
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) || tr.t.Failed() {
			for _, p := range left {
				_ = syscall.Kill(p.pid, syscall.SIGKILL)
			}
			if !tr.t.Failed() {
				tr.t.Errorf("left behind: %v", left)
			}
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.Empty(tr.t, names(tr.t, tr.cwd), "files in the directory where the command was given")
	for _, name := range names(tr.t, tr.dir) {
		if strings.Contains(name, "tmp") {
			tr.t.Errorf("left in the job's directory: %s", name)
		}
	}
}

func names(t *testing.T, dir string) (names []string) {
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range list {
		names = append(names, f.Name())
	}
	return names
}

// start gives the command. It is a process group of its own, as in a shell.
func (tr *trial) start() {
	tr.t.Helper()
	var err error
	logs := tr.t.TempDir()
	tr.out, err = os.Create(filepath.Join(logs, "out"))
	require.NoError(tr.t, err)
	tr.err, err = os.Create(filepath.Join(logs, "err"))
	require.NoError(tr.t, err)
	tr.cmd = exec.Command(tr.ckpgen, tr.line...)
	tr.cmd.Dir, tr.cmd.Env, tr.cmd.Stdout, tr.cmd.Stderr = tr.cwd, tr.environment(), tr.out, tr.err
	tr.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(tr.t, tr.cmd.Start())
	over, cmd := make(chan struct{}), tr.cmd
	tr.over = over
	go func() {
		defer close(over)
		_ = cmd.Wait()
	}()
	tr.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-over
	})
}

// wait returns the exit status of the command, -1 if it was killed.
func (tr *trial) wait() int {
	tr.t.Helper()
	select {
	case <-tr.over:
	case <-time.After(patience()):
		_ = tr.cmd.Process.Signal(syscall.SIGQUIT)
		<-tr.over
		tr.fatalf("the command did not end")
	}
	return tr.cmd.ProcessState.ExitCode()
}

// run gives the command and waits for its end.
func (tr *trial) run() int {
	tr.t.Helper()
	tr.start()
	return tr.wait()
}

// computes runs the command to the end of the job.
func (tr *trial) computes() {
	tr.t.Helper()
	tr.start()
	tr.ends()
}

// ends waits for the end of the job, and looks at the value.
func (tr *trial) ends() {
	tr.t.Helper()
	status := tr.wait()
	require.Equal(tr.t, 0, status, "%s", tr.said())
	require.Equal(tr.t, tr.want, lastLine(tr.printed()), "%s", tr.said())
}

func (tr *trial) printed() string { return tr.read(tr.out) }
func (tr *trial) said() string    { return tr.read(tr.err) }

func (tr *trial) read(f *os.File) string {
	b, err := os.ReadFile(f.Name())
	require.NoError(tr.t, err)
	return string(b)
}

func (tr *trial) fatalf(format string, args ...any) {
	tr.t.Helper()
	tr.t.Fatalf("%s\n%s", fmt.Sprintf(format, args...), tr.said())
}

// await waits for something that must come before the end of the command.
func (tr *trial) await(what string, happened func() bool) {
	tr.t.Helper()
	deadline := time.Now().Add(patience())
	for !happened() {
		select {
		case <-tr.over:
			tr.fatalf("the command ended before %s", what)
		case <-time.After(2 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			tr.fatalf("%s did not come", what)
		}
	}
}

// A manifest is what the tests want to know of a committed checkpoint.
type manifest struct{ Seq, Epoch, Superstep uint64 }

// newest returns the newest checkpoint that is committed; it is zero if there is none.
func (tr *trial) newest() (m manifest) {
	list, _ := filepath.Glob(filepath.Join(tr.dir, "ckpt-*", "manifest.json"))
	for _, name := range list {
		var this manifest
		b, err := os.ReadFile(name)
		if err == nil && json.NewDecoder(bytes.NewReader(b)).Decode(&this) == nil && this.Seq > m.Seq {
			m = this
		}
	}
	return m
}

// checkpoints waits until so many more have been committed, and returns the newest.
func (tr *trial) checkpoints(more uint64) (m manifest) {
	tr.t.Helper()
	from := tr.newest().Seq
	tr.await(fmt.Sprintf("checkpoint %d", from+more), func() bool {
		m = tr.newest()
		return m.Seq >= from+more
	})
	return m
}

// rank returns the process of the job with this rank, which must live.
func (tr *trial) rank(rank int) (pid int) {
	tr.t.Helper()
	tr.await(fmt.Sprintf("rank %d", rank), func() bool {
		for _, p := range tr.processes() {
			if strings.Contains(p.env, "\x00CKP_DIR="+tr.dir+"\x00") && strings.Contains(p.env, fmt.Sprintf("\x00CKP_RANK=%d\x00", rank)) {
				pid = p.pid
				return true
			}
		}
		return false
	})
	return pid
}

// kill kills processes of the job, all at once.
func (tr *trial) kill(ranks ...int) {
	tr.t.Helper()
	var pids []int
	for _, r := range ranks {
		pids = append(pids, tr.rank(r))
	}
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} { // all at once: none notices the end of another
		for _, pid := range pids {
			require.NoError(tr.t, syscall.Kill(pid, sig))
		}
	}
}

// epochs counts the incarnations that the launcher has told of.
func (tr *trial) epochs() int { return strings.Count(tr.said(), "computing again") }

//go:build unix

package launch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/launch/control"
)

// text is a buffer for several writers.
type text struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *text) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(b)
}

func (t *text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

// trial is a job of fakes under test.
type trial struct {
	t        *testing.T
	spec     Spec
	out, err text
	files    string
}

func newTrial(t *testing.T, n int, args ...string) *trial {
	self, err := os.Executable()
	require.NoError(t, err)
	tr := &trial{t: t, files: t.TempDir()}
	tr.spec = Spec{
		Binary: self, Processes: n, Dir: filepath.Join(t.TempDir(), "job"), MaxRestarts: -1,
		Args: append([]string{"fake", "-files", tr.files}, args...), Stdout: &tr.out, Stderr: &tr.err,
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("standard output:\n%s\nstandard error:\n%s", &tr.out, &tr.err)
		}
		for _, pid := range tr.pids("start-*") {
			assert.False(t, runs(pid), "process %d is left over", pid)
		}
	})
	return tr
}

// runs reports whether a process exists and is no zombie of ours.
func runs(pid int) bool {
	for range 100 {
		if syscall.Kill(pid, 0) != nil {
			return false
		}
		time.Sleep(20 * time.Millisecond)
	}
	return true
}

func (tr *trial) run() int {
	tr.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	status, err := Run(ctx, tr.spec)
	require.NoError(tr.t, err)
	require.NoError(tr.t, ctx.Err())
	return status
}

// during runs the job and f beside it.
func (tr *trial) during(f func()) int {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	s := tr.run()
	<-done
	return s
}

// pids reads the process numbers out of the notes with a name.
func (tr *trial) pids(pattern string) []int {
	names, _ := filepath.Glob(filepath.Join(tr.files, pattern))
	var l []int
	for _, n := range names {
		var restore, pid int
		b, _ := os.ReadFile(n)
		if _, err := fmt.Sscan(string(b), &restore, &pid); err == nil {
			l = append(l, pid)
		}
	}
	return l
}

// await waits until standard error or the notes show something.
func (tr *trial) await(what string, ok func() bool) {
	for range 1000 {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	tr.t.Errorf("waited for %s in vain", what)
}

func (tr *trial) awaitCheckpoint() {
	tr.await("a checkpoint", func() bool {
		m, _ := filepath.Glob(filepath.Join(tr.spec.Dir, "ckpt-*", "manifest.json"))
		return len(m) > 0
	})
}

// kill sends a signal to ranks, to all of them at once: the first does not notice the end of the
// last.
func (tr *trial) kill(sig syscall.Signal, epoch int, ranks ...int) {
	var pids []int
	for _, r := range ranks {
		pids = append(pids, tr.pids(fmt.Sprintf("start-e%d-r%d", epoch, r))...)
	}
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, sig} {
		for _, pid := range pids {
			_ = syscall.Kill(pid, sig)
		}
	}
}

// toldOf reports whether the launcher told that one of the ranks was killed. When the restart is
// decided it ends those that are left, and does not ask who among them was dying already.
func (tr *trial) toldOf(ranks ...int) bool {
	return slices.ContainsFunc(ranks, func(r int) bool {
		return regexp.MustCompile(fmt.Sprintf(`ckpgen: rank %d \(pid \d+\) was killed by SIGKILL`, r)).MatchString(tr.err.String())
	})
}

// lastLine returns the last line of process 0, or of all if they have no prefixes. What another has
// written before it may come after it: each has a pipe of its own, and they are read in no order.
func (tr *trial) lastLine() string {
	lines := strings.Split(strings.TrimSuffix(tr.out.String(), "\n"), "\n")
	for _, line := range slices.Backward(lines) {
		if !strings.HasPrefix(line, "[rank ") {
			return line
		}
	}
	return ""
}

func TestOutputOfAJob(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3)
	assert.Equal(t, 0, tr.run())
	assert.Equal(t, "answer 42", tr.lastLine())
	for _, line := range []string{"rank 0 is done\n", "[rank 1] rank 1 is done\n", "[rank 2] rank 2 is done\n"} {
		assert.Contains(t, tr.out.String(), line)
	}
	for r := range 3 {
		assert.Contains(t, tr.err.String(), fmt.Sprintf("[rank %d] rank %d says so\n", r, r))
	}
	assert.NotContains(t, tr.err.String(), "ckpgen:", "nothing happened")
}

func TestInputIsForProcess0(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3, "-echo")
	name := filepath.Join(tr.files, "input")
	require.NoError(t, os.WriteFile(name, []byte("one\ntwo, not ended"), 0o666))
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	tr.spec.Stdin = f
	assert.Equal(t, 0, tr.run())
	assert.Equal(t, "one\ntwo, not ended", tr.out.String())
}

// A process that begins anew has the input from where the one before had it, or it is told that
// this can't be.
func TestInputAnew(t *testing.T) {
	t.Parallel()
	lost := "standard input is a pipe: what the program has read from it since then does not come again"
	tr := newTrial(t, 1, "-take", "4", "-fail", "0:10:kill:1")
	name := filepath.Join(tr.files, "input")
	require.NoError(t, os.WriteFile(name, []byte("header\none\ntwo\n"), 0o666))
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.Seek(int64(len("header\n")), io.SeekStart)
	require.NoError(t, err)
	tr.spec.Stdin = f
	assert.Equal(t, 0, tr.run())
	assert.True(t, strings.HasPrefix(tr.out.String(), "one\none\n"), tr.out.String())
	assert.Contains(t, tr.err.String(), "from the beginning")
	assert.NotContains(t, tr.err.String(), lost)

	tr = newTrial(t, 1, "-take", "4", "-fail", "0:10:kill:2")
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	_, err = w.WriteString("one\ntwo\nthree\n")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	tr.spec.Stdin = r
	assert.Equal(t, 0, tr.run())
	assert.True(t, strings.HasPrefix(tr.out.String(), "one\ntwo\nthre"), tr.out.String())
	assert.Equal(t, 1, strings.Count(tr.err.String(), lost), tr.err.String())
}

func TestLogDirectory(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 2)
	tr.spec.LogDir, tr.spec.NoPrefix = filepath.Join(tr.files, "logs"), true
	assert.Equal(t, 0, tr.run())
	assert.Contains(t, tr.out.String(), "rank 1 is done\n")
	assert.NotContains(t, tr.out.String(), "[rank")
	b, err := os.ReadFile(filepath.Join(tr.spec.LogDir, "rank-1.err"))
	require.NoError(t, err)
	assert.Equal(t, "rank 1 says so\n", string(b))
}

// A full disk is told once, and the output goes where it goes otherwise.
func TestLogDirectoryFull(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 2)
	tr.spec.LogDir = filepath.Join(tr.files, "logs")
	require.NoError(t, os.Mkdir(tr.spec.LogDir, 0o777))
	for _, name := range []string{"rank-0.out", "rank-1.out", "rank-1.err"} {
		if err := os.Symlink("/dev/full", filepath.Join(tr.spec.LogDir, name)); err != nil {
			t.Skip(err)
		}
	}
	assert.Equal(t, 0, tr.run())
	assert.Contains(t, tr.out.String(), "rank 1 is done\n")
	assert.Equal(t, 1, strings.Count(tr.err.String(), "no space left on device: output is missing in the files of --log-dir; the job goes on\n"), tr.err.String())
}

func TestKilled(t *testing.T) {
	for name, ranks := range map[string][]int{"two": {1, 3}, "all": {0, 1, 2, 3}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, 4, "-steps", "60", "-every", "5")
			assert.Equal(t, 0, tr.during(func() {
				tr.awaitCheckpoint()
				tr.kill(syscall.SIGKILL, 1, ranks...)
			}))
			assert.Equal(t, "answer 42", tr.lastLine())
			said := tr.err.String()
			assert.True(t, tr.toldOf(ranks...), said)
			if len(ranks) < 4 {
				assert.Regexp(t, `rank \d suspects rank \d \(pid \d+\): it died`, said)
				assert.Regexp(t, `rank \d is elected coordinator of epoch \d`, said)
			} else {
				assert.Contains(t, said, "the launcher coordinates epoch 2: no process is left")
			}
			assert.Regexp(t, `restarting 4 processes from checkpoint \d+ \(superstep \d+\), epoch \d`, said)
			assert.Regexp(t, `computing again [0-9.]+ s after the failure`, said)
		})
	}
}

func TestElectionFails(t *testing.T) {
	for flag, want := range map[string]string{
		"-mute": "the launcher coordinates epoch 2: no restart came",
		"-lie":  "the launcher coordinates epoch 2: epoch 8 is not the newest",
		"-die":  "the launcher coordinates epoch",
		"-slow": "is elected coordinator of epoch 2",
	} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			tr := newTrial(t, 3, "-steps", "90", "-every", "5", "-fail", "1:10:kill:1", flag)
			tr.spec.Patience = 250 * time.Millisecond
			if flag == "-slow" { // on a busy machine the claim itself may take that long
				tr.spec.Patience = 2 * time.Second
			}
			assert.Equal(t, 0, tr.run())
			assert.Equal(t, "answer 42", tr.lastLine())
			assert.Contains(t, tr.err.String(), want)
			assert.NotContains(t, tr.err.String(), "from the beginning")
		})
	}
}

// The second blow comes while the processes are starting again.
func TestKilledWhileStarting(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3, "-steps", "40", "-every", "5", "-fail", "2:20:kill:1", "-early")
	assert.Equal(t, 0, tr.run())
	assert.Regexp(t, `rank 1 \(pid \d+\) was killed by SIGKILL`, tr.err.String())
	// A survivor may have claimed epoch 3 before the launcher took over with epoch 4.
	assert.Regexp(t, `restarting 3 processes from checkpoint \d+ \(superstep \d+\), epoch [34]`, tr.err.String())
	assert.Equal(t, 2, strings.Count(tr.err.String(), "restarting 3 processes"))
	assert.Equal(t, "answer 42", tr.lastLine())
}

func TestHang(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3, "-steps", "40", "-every", "5", "-fail", "2:20:hang:1")
	tr.spec.Patience = 300 * time.Millisecond
	assert.Equal(t, 0, tr.run())
	assert.Contains(t, tr.err.String(), "suspects rank 2")
	assert.Contains(t, tr.err.String(), "computing again")
}

func TestBugEndsTheJob(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3, "-every", "5", "-fail", "1:12:7:100")
	assert.Equal(t, 7, tr.run())
	assert.Regexp(t, `rank 1 \(pid \d+\) failed first \(exited with status 7\); this was failure 3 on the way from checkpoint \d+`, tr.err.String())
	assert.Contains(t, tr.err.String(), "exited with status 7: failed on purpose")
	assert.LessOrEqual(t, len(tr.pids("start-e*-r0")), 6)
	assert.Regexp(t, `checkpoint \d+ \(superstep \d+\) remains in .*; the same command goes on from it\n$`, tr.err.String())
}

func TestPanicKeepsItsTrace(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 2, "-fail", "1:5:panic:100")
	assert.Equal(t, 2, tr.run())
	assert.Contains(t, tr.err.String(), "[rank 1] panic: on purpose")
	assert.Contains(t, tr.err.String(), "no checkpoint to go back to")
	assert.Len(t, tr.pids("start-e*-r0"), 1)
}

func TestKilledAgainAndAgain(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 2, "-fail", "1:2:kill:100")
	assert.Equal(t, 128+9, tr.run())
	assert.Len(t, tr.pids("start-e*-r0"), maxOutside)
	assert.Contains(t, tr.err.String(), "failed first")
}

func TestMaxRestarts(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 2, "-every", "3", "-fail", "1:10:kill:100")
	tr.spec.MaxRestarts = 1
	assert.Equal(t, 128+9, tr.run())
	assert.Contains(t, tr.err.String(), "--max-restarts allows 1")
	assert.Len(t, tr.pids("start-e*-r0"), 2)
}

func TestProgramThatDoesNotConnect(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 2, "-deaf")
	assert.Equal(t, 0, tr.run())
	tr = newTrial(t, 2, "-deaf", "-steps", "500")
	assert.Equal(t, 0, tr.during(func() {
		tr.await("the start", func() bool { return len(tr.pids("start-e1-*")) == 2 })
		tr.kill(syscall.SIGKILL, 1, 1)
	}))
	assert.Contains(t, tr.err.String(), "from the beginning")
	assert.Contains(t, tr.err.String(), "started again")
}

func TestStopAndGoOn(t *testing.T) {
	tr := newTrial(t, 3, "-steps", "50")
	assert.Equal(t, 75, tr.during(func() {
		tr.await("the start", func() bool { return len(tr.pids("start-e1-*")) == 3 })
		time.Sleep(200 * time.Millisecond)
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}))
	assert.Contains(t, tr.err.String(), "stopping at the next checkpoint")
	assert.Regexp(t, `stopped after checkpoint 1 \(superstep \d+\); the same command goes on from there`, tr.err.String())
	assert.Equal(t, 0, tr.run())
	assert.Regexp(t, `going on from checkpoint 1 \(superstep \d+\), epoch 2`, tr.err.String())
	assert.Equal(t, "answer 42", tr.lastLine())

	// The job is finished; the checkpoint is there still.
	tr.run()
	assert.Contains(t, tr.err.String(), "this job had ended; it goes on from its last checkpoint")

	tr.err.b.Reset()
	tr.spec.Fresh = true
	assert.Equal(t, 0, tr.run())
	assert.NotContains(t, tr.err.String(), "checkpoint")

	tr.err.b.Reset()
	tr.spec.Args = append(tr.spec.Args, "-every", "5", "-fail", "1:12:7:100")
	assert.Equal(t, 7, tr.run())
	assert.Contains(t, tr.err.String(), "the same command without --fresh goes on from it")
}

func TestSecondSignalKills(t *testing.T) {
	tr := newTrial(t, 2, "-deaf", "-steps", "2000")
	begin := time.Now()
	assert.Equal(t, 128+2, tr.during(func() {
		tr.await("the start", func() bool { return len(tr.pids("start-e1-*")) == 2 })
		_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
		tr.await("the answer", func() bool { return strings.Contains(tr.err.String(), "a second one kills") })
		_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
	}))
	assert.Less(t, time.Since(begin), 5*time.Second)
}

// Two at once are by one sender, and mean one; a key that is pressed is another matter.
func TestRepeatedSignal(t *testing.T) {
	tr := newTrial(t, 2, "-every", "5")
	require.Equal(t, 0, tr.run())
	tr.spec.Args = append(tr.spec.Args, "-deaf", "-steps", "2000")
	tr.spec.Fresh = true
	assert.Equal(t, 128+2, tr.during(func() {
		tr.await("the start", func() bool { return len(tr.pids("start-e2-*")) == 2 })
		for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGTERM, syscall.SIGINT} {
			_ = syscall.Kill(os.Getpid(), s)
			time.Sleep(100 * time.Millisecond)
		}
	}))
	assert.Contains(t, tr.err.String(), "SIGTERM: stopping at the next checkpoint")
	assert.NotContains(t, tr.err.String(), "SIGTERM again")
	assert.Contains(t, tr.err.String(), "SIGINT again: the processes are killed, without another checkpoint\n")
}

func TestCheckpointOnSignal(t *testing.T) {
	tr := newTrial(t, 2, "-steps", "60")
	assert.Equal(t, 0, tr.during(func() {
		tr.await("the start", func() bool { return len(tr.pids("start-e1-*")) == 2 })
		time.Sleep(200 * time.Millisecond)
		_ = syscall.Kill(os.Getpid(), syscall.SIGUSR1)
		tr.awaitCheckpoint()
	}))
}

func TestOtherJobInTheDirectory(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 2, "-every", "5")
	require.Equal(t, 0, tr.run())
	spec := tr.spec
	spec.Processes = 3
	status, err := Run(context.Background(), spec)
	assert.Equal(t, 2, status)
	assert.ErrorContains(t, err, "is of a job of size 2, not 3: use -n 2")
	spec = tr.spec
	spec.Args = append(slices.Clone(spec.Args), "-mute")
	status, err = Run(context.Background(), spec)
	assert.Equal(t, 2, status)
	assert.ErrorContains(t, err, "was started with other arguments (fake -files")
	spec.Fresh = true
	status, err = Run(context.Background(), spec)
	assert.NoError(t, err)
	assert.Equal(t, 0, status)
}

func TestDamage(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 2, "-every", "5")
	require.Equal(t, 0, tr.run())
	images, err := filepath.Glob(filepath.Join(tr.spec.Dir, "ckpt-*", "rank-00001.img"))
	require.NoError(t, err)
	require.Len(t, images, 2)
	flip := func(name string) {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		b[3] ^= 1
		require.NoError(t, os.WriteFile(name, b, 0o666))
	}
	flip(images[1])
	assert.Equal(t, 0, tr.run())
	assert.Contains(t, tr.err.String(), "DAMAGED")
	assert.Contains(t, tr.err.String(), "falling back to checkpoint 2 (superstep 10)")

	images, _ = filepath.Glob(filepath.Join(tr.spec.Dir, "ckpt-*", "rank-00001.img"))
	for _, name := range images {
		flip(name)
	}
	status, err := Run(context.Background(), tr.spec)
	assert.Equal(t, 4, status)
	assert.Error(t, err)
}

func TestTemporaryDirectory(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	tr := newTrial(t, 2, "-steps", "40", "-every", "5", "-fail", "1:20:kill:1")
	tr.spec.Dir = ""
	assert.Equal(t, 0, tr.run())
	assert.Contains(t, tr.err.String(), "from checkpoint")
	left, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*"))
	assert.Empty(t, left)
}

// TestLauncherKilled kills the launcher: its processes vanish, another
// launcher was kept out before and goes on afterwards.
func TestLauncherKilled(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, 3, "-steps", "220", "-every", "5")
	cmd := exec.Command(tr.spec.Binary, append([]string{"launcher", tr.spec.Dir, "3"}, tr.spec.Args...)...)
	cmd.Stderr = &tr.err
	require.NoError(t, cmd.Start())
	tr.awaitCheckpoint()
	status, err := Run(context.Background(), tr.spec)
	assert.Equal(t, 1, status)
	assert.ErrorContains(t, err, fmt.Sprintf("is running already (launcher pid %d", cmd.Process.Pid))

	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	for _, pid := range tr.pids("start-e1-*") {
		assert.False(t, runs(pid), "the processes outlive their launcher")
	}
	assert.Equal(t, 0, tr.run())
	assert.Regexp(t, `going on from checkpoint \d+`, tr.err.String())
	assert.Equal(t, "answer 42", tr.lastLine())
}

func TestWrongSpec(t *testing.T) {
	for _, s := range []Spec{{}, {Binary: "x"}, {Binary: "x", Processes: 1, Keep: -1}} {
		status, err := Run(context.Background(), s)
		assert.Equal(t, 2, status)
		assert.Error(t, err)
	}
	status, err := Run(context.Background(), Spec{Binary: "/no/such/program", Processes: 2, Dir: t.TempDir()})
	assert.Equal(t, 1, status)
	assert.ErrorContains(t, err, "no such")
}

// What the others say of a process that has died is told after that, also if its end is known before
// it is known that there are no more messages of it.
func TestDeathIsToldFirst(t *testing.T) {
	var told text
	s := &Spec{Processes: 2, Stderr: &told}
	p := &process{rank: 0, pid: 7, peer: new(control.Peer)}
	j := &job{spec: s, out: newOutput(s), events: make(chan any, 2), done: make(chan struct{})}
	defer close(j.done)
	j.processes, j.suspected, j.winding = []*process{p}, map[int]bool{0: true}, true
	j.hearsay = []string{"rank 1 suspects " + p.String()}
	j.events <- reaped{p, ending{status: 137, signal: true, text: "was killed by SIGKILL"}}
	j.events <- lapse{p}
	j.dying()
	j.release()
	assert.Equal(t, "ckpgen: rank 0 (pid 7) was killed by SIGKILL\nckpgen: rank 1 suspects rank 0 (pid 7)\n", told.String())
}

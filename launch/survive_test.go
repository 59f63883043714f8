//go:build unix

package launch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newRelay is a trial of the BSP program.
func newRelay(t *testing.T, n int, args ...string) *trial {
	tr := newTrial(t, n)
	tr.spec.Args = append([]string{"relay", tr.files}, args...)
	tr.spec.Interval = 30 * time.Millisecond
	tr.spec.Early = "wait" // so that it does not end before what tests wait for is on disk
	return tr
}

// awaitCheckpoints waits for a number of checkpoints. Those that the newest have made needless may
// be gone already.
func (tr *trial) awaitCheckpoints(k int) {
	tr.await("checkpoints", func() bool {
		m, _ := filepath.Glob(filepath.Join(tr.spec.Dir, "ckpt-*", "manifest.json"))
		return slices.ContainsFunc(m, func(name string) bool {
			var n int
			_, err := fmt.Sscanf(filepath.Base(filepath.Dir(name)), "ckpt-%08d.", &n)
			return err == nil && n >= k
		})
	})
}

func TestSurvive(t *testing.T) {
	const rounds = 100
	for name, ranks := range map[string][]int{"one": {2}, "two": {1, 2}, "zero": {0}, "three": {0, 1, 3}, "all": {0, 1, 2, 3}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newRelay(t, 4, fmt.Sprint(rounds), "5ms")
			assert.Equal(t, 0, tr.during(func() {
				tr.awaitCheckpoints(3)
				tr.kill(syscall.SIGKILL, 1, ranks...)
			}))
			assert.Equal(t, relayed(4, rounds), tr.lastLine())
			assert.True(t, tr.toldOf(ranks...), tr.err.String())
			assert.Regexp(t, `restarting 4 processes from checkpoint \d+ \(superstep \d+\), epoch`, tr.err.String())
			assert.Contains(t, tr.err.String(), "computing again")
		})
	}
}

func TestSurviveHang(t *testing.T) {
	t.Parallel()
	tr := newRelay(t, 3, "100", "5ms")
	assert.Equal(t, 0, tr.during(func() {
		tr.awaitCheckpoints(3)
		tr.kill(syscall.SIGSTOP, 1, 1)
	}))
	assert.Equal(t, relayed(3, 100), tr.lastLine())
	assert.Contains(t, tr.err.String(), "suspects rank 1")
}

// A process that returns from main without the others is told, and the job is not started again for
// ever.
func TestEarlyEnd(t *testing.T) {
	for name, c := range map[string]struct {
		bug  string
		want string
	}{
		"before a checkpoint": {"-2", "there is no checkpoint to go back to"},
		"behind one":          {"-60", `this was failure 3 on the way from checkpoint \d+`},
		"before bsp.Begin":    {"absent", "there is no checkpoint to go back to"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newRelay(t, 3, "100", "5ms", c.bug)
			if c.bug != "-60" {
				tr.spec.Early, tr.spec.Interval = "", time.Hour
			}
			assert.Equal(t, 1, tr.run())
			assert.Regexp(t, `rank 1 \(pid \d+\) ended with status 0 before the others had called bsp.End`, tr.err.String())
			assert.Regexp(t, c.want, tr.err.String())
		})
	}
}

func TestSurviveLauncher(t *testing.T) {
	t.Parallel()
	tr := newRelay(t, 3, "200", "5ms")
	cmd := exec.Command(tr.spec.Binary, append([]string{"launcher", tr.spec.Dir, "3"}, tr.spec.Args...)...)
	cmd.Stderr = &tr.err
	require.NoError(t, cmd.Start())
	tr.awaitCheckpoints(3)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	assert.Equal(t, 0, tr.run())
	assert.Regexp(t, `going on from checkpoint \d+ \(superstep \d+\), epoch 2`, tr.err.String())
	assert.Equal(t, relayed(3, 200), tr.lastLine())
}

func TestStopAndResume(t *testing.T) {
	tr := newRelay(t, 3, "100", "5ms")
	tr.spec.Interval = time.Hour
	assert.Equal(t, 75, tr.during(func() {
		tr.await("the start", func() bool { return len(tr.pids("start-e1-*")) == 3 })
		time.Sleep(200 * time.Millisecond)
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}))
	assert.Equal(t, 0, tr.run())
	assert.Regexp(t, `going on from checkpoint 1 \(superstep \d+\), epoch 2`, tr.err.String())
	assert.Equal(t, relayed(3, 100), tr.lastLine())
}

func TestBugInTheProgram(t *testing.T) {
	t.Parallel()
	tr := newRelay(t, 3, "100", "5ms", "40")
	assert.Equal(t, 2, tr.run())
	assert.Contains(t, tr.err.String(), "[rank 1] panic: a bug")
	assert.Regexp(t, `rank 1 \(pid \d+\) failed first`, tr.err.String())
	assert.LessOrEqual(t, len(tr.pids("start-e*-r0")), 5)
}

func TestExitAfter(t *testing.T) {
	t.Parallel()
	tr := newRelay(t, 3, "100", "5ms")
	tr.spec.ExitAfter = 2
	assert.Equal(t, 75, tr.run())
	tr.spec.ExitAfter = 0
	assert.Equal(t, 0, tr.run())
	assert.Equal(t, relayed(3, 100), tr.lastLine())
}

func TestTorture(t *testing.T) {
	t.Parallel()
	tr := newRelay(t, 3, "12", "1ms")
	tr.spec.Torture = 3
	tr.spec.Interval = time.Hour
	assert.Equal(t, 0, tr.run())
	assert.Equal(t, relayed(3, 12), tr.lastLine())
}

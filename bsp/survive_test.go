//go:build unix

package bsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/store"
)

// Checkpoints are committed while the program runs, and change nothing.
func TestCheckpoints(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=30", "CKP_INTERVAL=0")
		for _, status := range l.live() {
			require.Zero(t, status, "statuses %v\n%s", l.statuses, l.report())
		}
		require.Equal(t, iterated(n, 30)+"\n", l.out.String(), l.report())
		require.Len(t, l.committed, 31, l.report()) // after each Sync
		for i, c := range l.committed {
			require.Equal(t, uint64(i+1), c.Seq)
			require.Equal(t, uint64(i+1), c.Superstep)
			require.Positive(t, c.Bytes)
		}
		require.Empty(t, l.err.String())
	})
}

// killing returns what kills some processes once, when the kth checkpoint is
// committed.
func killing(k int, ranks ...int) func(*launcher, int, control.Message) {
	return func(l *launcher, from int, m control.Message) {
		if _, ok := m.(control.Committed); ok && len(l.committed) == k {
			for _, r := range ranks {
				l.kill(r)
			}
		}
	}
}

func TestSurviveKill(t *testing.T) {
	for _, victims := range [][]int{{2}, {0}, {3}, {1, 2}, {0, 1}} {
		t.Run(strings.Trim(fmt.Sprint(victims), "[]"), func(t *testing.T) {
			t.Parallel()
			const n = 4
			l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=100", "BSP_TEST_PAUSE=5ms", "CKP_INTERVAL=50ms", "CKP_EARLY=wait")
			l.on = killing(3, victims...)
			began := time.Now()
			for _, status := range l.live() {
				require.Zero(t, status, "statuses %v\n%s", l.statuses, l.report())
			}
			require.Equal(t, iterated(n, 100)+"\n", l.out.String(), l.report())
			if len(victims) > 1 && len(l.restarts) == 0 {
				// The second had seen the first die, and claimed the epoch, when it was killed
				// itself, before it could tell. The launcher claims the next.
				require.Contains(t, l.report(), "epoch 2 has been claimed already")
				require.Equal(t, n, l.restored[3], l.report())
				return
			}
			require.Len(t, l.restarts, 1, l.report())
			require.GreaterOrEqual(t, l.restarts[0].Restore, uint64(3), l.report())
			for _, v := range victims {
				if !slices.Contains(l.restarts[0].Dead, v) { // it asked for the restart itself before it was killed, too
					require.Greater(t, len(victims), 1)
					require.Contains(t, l.report(), fmt.Sprintf("%d: control.Restart ", v))
				}
			}
			require.Equal(t, n, l.restored[2], l.report())
			require.Less(t, time.Since(began), 15*time.Second)
		})
	}
}

// The coordinator asks for the restart promptly, and all stand down.
func TestElection(t *testing.T) {
	const n, victim = 4, 2
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=100000", "BSP_TEST_PAUSE=2ms", "CKP_INTERVAL=50ms")
	var killed, asked time.Time
	kill := killing(2, victim)
	l.on = func(l *launcher, from int, m control.Message) {
		switch m.(type) {
		case control.Committed:
			kill(l, from, m)
			if len(l.committed) == 2 {
				killed = time.Now()
			}
		case control.Restart:
			asked = time.Now()
		}
	}
	require.Equal(t, []int{76, 76, -1, 76}, l.incarnation(first(t, l), 0), l.report())
	require.Len(t, l.restarts, 1, l.report())
	require.Equal(t, control.Restart{Epoch: 2, Dead: []int{victim}, Restore: l.committed[len(l.committed)-1].Seq}, l.restarts[0], l.report())
	require.Less(t, asked.Sub(killed), time.Second, l.report())
	require.Contains(t, l.report(), "Suspect")
	require.Contains(t, l.report(), "Elected")
}

// The next epoch is claimed while a checkpoint is being committed, which fails. The processes stay
// until the election is over: the coordinator is one of them.
func TestElectionDuringCommit(t *testing.T) {
	const n, victim = 4, 2
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=100000", "BSP_TEST_PAUSE=2ms", "CKP_INTERVAL=50ms")
	l.on = func(l *launcher, from int, m control.Message) {
		if _, ok := m.(control.Committed); ok && len(l.committed) == 2 {
			s, err := store.Open(l.dir, store.Options{})
			require.NoError(t, err)
			_, err = s.Claim("test")
			require.NoError(t, err)
			time.AfterFunc(time.Second, func() { l.kill(victim) })
		}
	}
	require.Equal(t, []int{76, 76, -1, 76}, l.incarnation(first(t, l), 0), l.report())
	require.Len(t, l.restarts, 1, l.report())
	require.EqualValues(t, 3, l.restarts[0].Epoch, l.report())
}

// A process that hangs is noticed by its silence.
func TestHang(t *testing.T) {
	const n, victim = 3, 1
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=100000", "BSP_TEST_PAUSE=2ms", "CKP_INTERVAL=50ms")
	l.on = func(l *launcher, from int, m control.Message) {
		switch m.(type) {
		case control.Committed:
			if len(l.committed) == 2 {
				l.processes[victim].Process.Signal(syscall.SIGSTOP)
			}
		case control.Restart:
			l.kill(victim)
		}
	}
	require.Equal(t, []int{76, -1, 76}, l.incarnation(first(t, l), 0), l.report())
	require.Len(t, l.restarts, 1, l.report())
	require.Equal(t, []int{victim}, l.restarts[0].Dead, l.report())
}

// Who was only stopped finds its epoch closed when it goes on, and ends.
func TestZombie(t *testing.T) {
	const n, victim = 3, 0
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=100000", "BSP_TEST_PAUSE=2ms", "CKP_INTERVAL=50ms")
	l.on = func(l *launcher, from int, m control.Message) {
		switch m.(type) {
		case control.Committed:
			if len(l.committed) == 2 {
				l.processes[victim].Process.Signal(syscall.SIGSTOP)
			}
		case control.Restart:
			time.AfterFunc(300*time.Millisecond, func() { l.processes[victim].Process.Signal(syscall.SIGCONT) })
		}
	}
	statuses := l.incarnation(first(t, l), 0)
	require.Equal(t, []int{76, 76}, statuses[1:], l.report())
	require.NotZero(t, statuses[victim], l.report())
	for _, c := range l.committed {
		require.LessOrEqual(t, c.Seq, l.restarts[0].Restore, "a checkpoint of a closed epoch was committed\n%s", l.report())
	}
}

// Who makes way for an incarnation that this process was not told of does not keep it
// waiting.
func TestStandDownUntold(t *testing.T) {
	const n, victim = 2, 1
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=100000", "BSP_TEST_PAUSE=2ms", "CKP_INTERVAL=50ms")
	l.on = func(l *launcher, from int, m control.Message) {
		if _, ok := m.(control.Committed); ok && len(l.committed) == 2 {
			l.processes[victim].Process.Signal(syscall.SIGSTOP)
			l.peers[0].Send(control.Died{Rank: victim, Status: control.ExitStandDown})
			time.AfterFunc(5*time.Second, func() { l.processes[victim].Process.Kill() })
		}
	}
	began := time.Now()
	require.Equal(t, []int{76, -1}, l.incarnation(first(t, l), 0), l.report())
	require.Empty(t, l.restarts, l.report())
	require.Less(t, time.Since(began), 20*time.Second)
}

// The launcher asks for the end: all checkpoint and exit with status 75; the
// same job goes on from there.
func TestStop(t *testing.T) {
	const n = 3
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=60", "BSP_TEST_PAUSE=2ms", "CKP_INTERVAL=1h")
	var stopped bool
	l.on = func(l *launcher, from int, m control.Message) {
		if p, ok := m.(control.Progress); ok && !stopped && p.Superstep >= 5 && l.peers[0] != nil {
			stopped = true
			l.peers[0].Send(control.Stop{})
		}
	}
	require.Equal(t, []int{75, 75, 75}, l.live(), l.report())
	require.Len(t, l.committed, 1, l.report())
	require.Empty(t, l.restarts, l.report())
	require.NotContains(t, l.report(), "Suspect")
	require.Equal(t, []int{0, 0, 0}, l.live(), l.report())
	require.Equal(t, iterated(n, 60)+"\n", l.out.String(), l.report())
}

// The launcher asks for a checkpoint.
func TestRequest(t *testing.T) {
	const n = 2
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=100", "BSP_TEST_PAUSE=3ms", "CKP_INTERVAL=1h")
	var asked bool
	l.on = func(l *launcher, from int, m control.Message) {
		if _, ok := m.(control.Progress); ok && !asked && l.peers[0] != nil {
			asked = true
			l.peers[0].Send(control.Checkpoint{})
		}
	}
	require.Equal(t, []int{0, 0}, l.live(), l.report())
	require.Len(t, l.committed, 1, l.report())
}

// The death of the launcher ends the processes at once, wherever they are. Who notices it first is
// not taken for dead by the others.
func TestLauncherDies(t *testing.T) {
	for _, program := range []string{"iterate", "computing"} {
		const n = 3
		l := newLauncher(t, program, n, "BSP_TEST_ROUNDS=100000", "BSP_TEST_PAUSE=2ms", "CKP_INTERVAL=50ms")
		arrived := 0
		var closed time.Time
		l.on = func(l *launcher, from int, m control.Message) {
			if _, ok := m.(control.Restored); ok {
				arrived++
				if arrived == n {
					closed = time.Now()
					peers := l.peers
					l.peers = nil // who is dead tells of no deaths
					go func() {
						for _, p := range peers {
							p.Close()
							time.Sleep(50 * time.Millisecond)
						}
					}()
				}
			}
		}
		require.Equal(t, []int{1, 1, 1}, l.incarnation(first(t, l), 0), l.report())
		require.Less(t, time.Since(closed), 2*time.Second)
		require.Equal(t, 1, strings.Count(l.err.String(), "the launcher is gone"), l.report())
	}
}

// A single process that loses the launcher is a death as any other.
func TestOrphan(t *testing.T) {
	const n, victim = 3, 1
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=60", "BSP_TEST_PAUSE=5ms", "CKP_INTERVAL=50ms")
	l.on = func(l *launcher, from int, m control.Message) {
		if _, ok := m.(control.Committed); ok && len(l.committed) == 2 {
			l.peers[victim].Close()
		}
	}
	require.Equal(t, []int{0, 0, 0}, l.live(), l.report())
	require.Equal(t, iterated(n, 60)+"\n", l.out.String(), l.report())
	require.Len(t, l.restarts, 1, l.report())
	require.Equal(t, []int{victim}, l.restarts[0].Dead, l.report())
}

// Torture: at every tenth opportunity all processes are replaced by fresh ones
// that restore the checkpoint.
func TestTorture(t *testing.T) {
	const n = 3
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=35", "CKP_TORTURE=10")
	require.Equal(t, []int{0, 0, 0}, l.live(), l.report())
	require.Equal(t, iterated(n, 35)+"\n", l.out.String(), l.report())
	require.Len(t, l.restarts, 3, l.report())
	require.NotContains(t, l.report(), "Suspect")
	for _, r := range l.restarts {
		require.Empty(t, r.Dead)
	}
}

// A part that can't be written fails the checkpoint for all, and nothing else. Each process tells it
// once, and process 0 whenever one was asked for.
func TestCommitFails(t *testing.T) {
	const n = 3
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=40", "BSP_TEST_PAUSE=5ms", "CKP_INTERVAL=1h")
	var asked uint64
	l.on = func(l *launcher, from int, m control.Message) {
		if m, ok := m.(control.Progress); ok && m.Superstep >= 15*asked && asked < 2 && l.peers[0] != nil {
			asked++
			// The name of process 1's image is taken by a directory.
			name := filepath.Join(l.dir, fmt.Sprintf("ckpt-%08d.e00000001", asked), "rank-00001.img")
			if err := os.MkdirAll(filepath.Join(name, "x"), 0o777); err != nil {
				panic(err)
			}
			l.peers[0].Send(control.Checkpoint{})
		}
	}
	require.Equal(t, []int{0, 0, 0}, l.live(), l.report())
	require.Equal(t, iterated(n, 40)+"\n", l.out.String(), l.report())
	for _, c := range l.committed {
		require.Greater(t, c.Seq, uint64(2), l.report())
	}
	require.Equal(t, n+1, strings.Count(l.err.String(), "checkpoint failed"), l.report())
	require.Contains(t, l.err.String(), "process 1: ")
}

// While a part is being written the program goes on, on all processes; the death of one of them
// costs that checkpoint only.
func TestKilledBehind(t *testing.T) {
	const n, victim = 3, 1
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=600", "BSP_TEST_PAUSE=5ms", "CKP_INTERVAL=1h")
	var since uint64
	asked := false
	l.on = func(l *launcher, from int, m control.Message) {
		switch m := m.(type) {
		case control.Committed:
			if m.Seq == 1 {
				// The image takes nothing: it is a pipe that nobody reads.
				folder := filepath.Join(l.dir, "ckpt-00000002.e00000001")
				if err := os.Mkdir(folder, 0o777); err != nil {
					panic(err)
				}
				if err := syscall.Mkfifo(filepath.Join(folder, "rank-00001.img.tmp"), 0o600); err != nil {
					panic(err)
				}
				since = m.Superstep
				l.peers[0].Send(control.Checkpoint{})
			}
		case control.Progress:
			if !asked && l.peers[0] != nil {
				asked = true
				l.peers[0].Send(control.Checkpoint{})
			}
			if since > 0 && m.Superstep > since+100 && len(l.restarts) == 0 {
				l.kill(victim)
			}
		}
	}
	require.Equal(t, []int{0, 0, 0}, l.live(), l.report())
	require.Equal(t, iterated(n, 600)+"\n", l.out.String(), l.report())
	require.Len(t, l.restarts, 1, l.report())
	require.Equal(t, uint64(1), l.restarts[0].Restore, l.report())
}

// A second checkpoint that is asked for while the first is written waits for it, with the program.
func TestEarly(t *testing.T) {
	const n = 2
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=100", "BSP_TEST_PAUSE=2ms", "CKP_INTERVAL=10ms", "CKP_EARLY=wait")
	require.Equal(t, []int{0, 0}, l.live(), l.report())
	require.Equal(t, iterated(n, 100)+"\n", l.out.String(), l.report())
	for i, c := range l.committed {
		require.Equal(t, uint64(i+1), c.Seq, l.report())
	}
	require.Greater(t, len(l.committed), 5, l.report())
}

// Increments are merged, and a job goes on from them, with the death of a process in between.
func TestIncrements(t *testing.T) {
	const n = 3
	l := newLauncher(t, "iterate", n, "BSP_TEST_ROUNDS=100", "BSP_TEST_PAUSE=5ms", "CKP_INTERVAL=0", "CKP_INCREMENTS=3")
	l.on = killing(7, 1)
	require.Equal(t, []int{0, 0, 0}, l.live(), l.report())
	require.Equal(t, iterated(n, 100)+"\n", l.out.String(), l.report())
	require.Len(t, l.restarts, 1, l.report())
	require.Greater(t, l.restarts[0].Restore, uint64(6), l.report())
	manifest, err := os.ReadFile(filepath.Join(l.dir, fmt.Sprintf("ckpt-%08d.e00000002", l.committed[len(l.committed)-1].Seq), "manifest.json"))
	require.NoError(t, err)
	require.Contains(t, string(manifest), `"needs"`)
}

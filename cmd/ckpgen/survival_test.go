//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// pair is a comparison of some seconds on one processor, with about 130 supersteps.
var pair = []string{"-score", "lcs", "-random", "600000", "-pairs", "1", "-seed", "3"}

// medium is one of a second or two.
var medium = []string{"-score", "lcs", "-random", "350000", "-pairs", "1", "-seed", "4"}

// small is one of half a second.
var small = []string{"-score", "lcs", "-random", "200000", "-pairs", "1", "-seed", "5"}

// The first command of the README.
func TestFirstCommand(t *testing.T) {
	h := ready(t)
	cmd := exec.CommandContext(limited(t), "go", "run", "./cmd/ckpgen", "run", "-n", "4", "./examples/seqsim")
	cmd.Dir, cmd.Env = root(), h.environment()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", &stderr)
	require.Equal(t, "edit humanMito mouseMito 5200\n", string(out))
	require.Empty(t, stderr.String(), "a job in which nothing happens is silent")
}

// Any number of processes, with checkpoints or without, gives the value of the plain program.
func TestSameValue(t *testing.T) {
	ifLong(t)
	for _, n := range []int{1, 2, 3, 4, 7} {
		tr := newTrial(t, n, "20ms", small...)
		tr.computes()
		require.Empty(t, tr.said())
		require.NotZero(t, tr.newest().Seq, "%d processes took no checkpoint", n)
		require.Equal(t, tr.want+"\n", tr.printed())
	}
}

// A victimCase is who is killed, and what standard error must say of it, in this order.
type victimCase struct {
	name  string
	ranks []int
}

var victims = []victimCase{
	{"one", []int{2}},
	{"two at once", []int{1, 3}},
	{"process 0", []int{0}},
	{"all", []int{0, 1, 2, 3}},
}

// survives kills processes of a running job, again and again, each time in the midst of its work.
func survives(t *testing.T, tr *trial) {
	tr.start()
	last := 1
	for i, v := range victims {
		before := tr.checkpoints(2)
		seen := len(tr.said())
		pids := map[int]int{}
		for _, r := range v.ranks {
			pids[r] = tr.rank(r)
		}
		tr.kill(v.ranks...)
		tr.await("the restart after the death of "+v.name, func() bool { return tr.epochs() > i })
		said := tr.said()[seen:]
		t.Logf("%s:\n%s", v.name, said)
		told := 0 // those that had not ended when the restart was decided are ended with the others
		for r, pid := range pids {
			told += strings.Count(said, fmt.Sprintf("rank %d (pid %d) was killed by SIGKILL", r, pid))
		}
		require.Positive(t, told, v.name)
		order := []string{`rank \d \(pid \d+\) was killed`}
		if len(v.ranks) < 4 {
			order = append(order, `rank \d suspects rank \d \(pid \d+\)`, `rank \d is elected coordinator of epoch (\d+)`)
		} else {
			order = append(order, `the launcher coordinates epoch (\d+)`)
		}
		order = append(order, `restarting 4 processes from checkpoint (\d+) \(superstep (\d+)\), epoch (\d+)`, `computing again \d\.\d+ s after`)
		m := regexp.MustCompile(`(?s)` + strings.Join(order, `.*`)).FindStringSubmatch(said)
		require.NotNil(t, m, "%s: standard error is not\n%s\nbut\n%s", v.name, strings.Join(order, "\n"), said)
		seq, _ := strconv.ParseUint(m[2], 10, 64)
		step, _ := strconv.ParseUint(m[3], 10, 64)
		// An election that those who died had begun has used up an epoch.
		epoch, _ := strconv.Atoi(m[4])
		require.Greater(t, epoch, last, v.name)
		require.Equal(t, m[1], m[4], "%s: the epoch of the coordinator is that of the restart", v.name)
		last = epoch
		require.GreaterOrEqual(t, seq, before.Seq, v.name)
		require.GreaterOrEqual(t, step, before.Superstep, v.name)
	}
	tr.ends()
	require.Equal(t, len(victims), tr.epochs(), "%s", tr.said())
}

func TestProcessesKilled(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	survives(t, newTrial(t, 4, "50ms", pair...).with("--early", "wait"))
}

// The launcher is killed, again and again. Each time its processes are gone at once, and the same
// command goes on from the last committed checkpoint.
func TestLauncherKilled(t *testing.T) {
	launcherKilled(t, newTrial(t, 4, "50ms", pair...).with("--early", "wait"), 3)
}

func launcherKilled(t *testing.T, tr *trial, times int) {
	var last manifest
	for range times {
		tr.start()
		if last.Seq > 0 {
			tr.await("word of the checkpoint", func() bool {
				return strings.Contains(tr.said(), fmt.Sprintf("going on from checkpoint %d (superstep %d)", last.Seq, last.Superstep))
			})
		}
		tr.checkpoints(3)
		require.NoError(t, tr.cmd.Process.Kill())
		require.Equal(t, -1, tr.wait())
		tr.gone()
		now := tr.newest()
		require.Greater(t, now.Superstep, last.Superstep, "it began anew")
		last = now
	}
	tr.computes()
	require.Contains(t, tr.said(), fmt.Sprintf("going on from checkpoint %d (superstep %d)", last.Seq, last.Superstep))
}

// Launcher and processes are killed together, as by the end of power.
func TestEverythingKilled(t *testing.T) {
	tr := newTrial(t, 3, "20ms", medium...)
	tr.start()
	tr.checkpoints(3)
	require.NoError(t, tr.cmd.Process.Signal(syscall.SIGSTOP)) // it can't restart them
	tr.kill(0, 1, 2)
	require.NoError(t, tr.cmd.Process.Kill())
	tr.wait()
	last := tr.newest()
	tr.computes()
	require.Contains(t, tr.said(), fmt.Sprintf("going on from checkpoint %d (superstep %d)", last.Seq, last.Superstep))
}

// SIGTERM, and Ctrl-C, take a checkpoint and stop; the same command goes on.
func TestStopped(t *testing.T) {
	tr := newTrial(t, 4, "1h", pair...)
	var last manifest
	for _, stop := range []struct {
		name string
		send func() error
	}{
		{"SIGTERM", func() error { return tr.cmd.Process.Signal(syscall.SIGTERM) }},
		{"SIGINT", func() error { return syscall.Kill(-tr.cmd.Process.Pid, syscall.SIGINT) }}, // as a terminal does
	} {
		tr.start()
		tr.computing()
		require.NoError(t, stop.send())
		require.Equal(t, 75, tr.wait(), "%s", tr.said())
		now := tr.newest()
		require.Equal(t, last.Seq+1, now.Seq)
		require.Greater(t, now.Superstep, last.Superstep)
		require.Contains(t, tr.said(), stop.name+": stopping at the next checkpoint")
		require.Contains(t, tr.said(), fmt.Sprintf("stopped after checkpoint %d (superstep %d); the same command goes on from there", now.Seq, now.Superstep))
		require.NotContains(t, tr.said(), "suspects")
		require.Empty(t, tr.printed())
		tr.gone()
		last = now
	}
	tr.computes()
	require.Contains(t, tr.said(), fmt.Sprintf("going on from checkpoint %d (superstep %d)", last.Seq, last.Superstep))
}

// The second Ctrl-C does not wait for a checkpoint.
func TestStoppedTwice(t *testing.T) {
	tr := newTrial(t, 2, "1h", pair...)
	tr.start()
	tr.computing()
	pid := tr.rank(1)
	require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP)) // no checkpoint will come
	require.NoError(t, tr.cmd.Process.Signal(os.Interrupt))
	tr.await("the answer", func() bool { return strings.Contains(tr.said(), "stopping") })
	require.NoError(t, tr.cmd.Process.Signal(os.Interrupt))
	require.Equal(t, 130, tr.wait(), "%s", tr.said())
	tr.gone()
}

// A checkpoint that is damaged is passed over for the one before, and said to be; there is no going
// on if both are.
func TestDamage(t *testing.T) {
	tr := newTrial(t, 4, "20ms", medium...)
	require.Equal(t, 75, tr.with("--exit-after", "3").mustRun())
	newest := tr.newest()
	require.Equal(t, uint64(3), newest.Seq)
	whole := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.CopyFS(whole, os.DirFS(tr.dir)))

	flip(t, tr.dir, 3, 2)
	flip(t, tr.dir, 2, 0)
	require.Equal(t, 4, tr.run(), "%s", tr.said())
	require.Empty(t, tr.printed())
	for _, say := range []string{"checkpoint 3", "checkpoint 2", "rank-00002.img", "rank-00000.img", "no intact checkpoint", "--fresh"} {
		require.Contains(t, tr.said(), say)
	}
	t.Logf("both are damaged:\n%s", tr.said())

	require.NoError(t, os.RemoveAll(tr.dir))
	require.NoError(t, os.CopyFS(tr.dir, os.DirFS(whole)))
	flip(t, tr.dir, 3, 2)
	tr.computes()
	t.Logf("one is damaged:\n%s", tr.said())
	require.Regexp(t, `DAMAGED: checkpoint 3.*rank-00002\.img`, tr.said())
	require.Regexp(t, `falling back to checkpoint 2 \(superstep \d+\)`, tr.said())
	require.Regexp(t, `going on from checkpoint 2 \(superstep \d+\), epoch`, tr.said())
}

// flip flips a bit in the middle of an image.
func flip(t *testing.T, dir string, seq, rank int) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, fmt.Sprintf("ckpt-%08d.*", seq), fmt.Sprintf("rank-%05d.img", rank)))
	require.NoError(t, err)
	require.Len(t, list, 1)
	b, err := os.ReadFile(list[0])
	require.NoError(t, err)
	b[len(b)/2] ^= 0x10
	require.NoError(t, os.WriteFile(list[0], b, 0o600))
}

// Many short lives make one whole: this can't end if any of them begins anew.
func TestShortLives(t *testing.T) {
	ifLong(t)
	tr := newTrial(t, 3, "20ms", medium...)
	var last manifest
	for life := 1; ; life++ {
		short := tr.with("--exit-after", "5")
		short.start()
		status := short.wait()
		if status == 0 {
			require.Equal(t, tr.want, lastLine(short.printed()))
			require.Greater(t, life, 2, "the job is too short for this test")
			return
		}
		require.Equal(t, 75, status, "%s", short.said())
		now := short.newest()
		require.Equal(t, last.Seq+5, now.Seq)
		require.Greater(t, now.Superstep, last.Superstep)
		last = now
	}
}

// What lies in the directory can be looked at: the user's functions, lines and variables.
func TestInspect(t *testing.T) {
	tr := newTrial(t, 3, "20ms", small...)
	require.Equal(t, 75, tr.with("--exit-after", "2").mustRun())
	inspect := func(args ...string) []byte {
		cmd := exec.CommandContext(limited(t), tr.ckpgen, append([]string{"inspect"}, args...)...)
		cmd.Env, cmd.Dir = tr.environment(), tr.cwd
		out, err := cmd.Output()
		require.NoError(t, err)
		return out
	}
	text := string(inspect(tr.dir))
	source, err := os.ReadFile(filepath.Join(root(), "examples/seqsim/wavefront.go"))
	require.NoError(t, err)
	lines := strings.Split(string(source), "\n")
	for rank := range 3 {
		require.Regexp(t, fmt.Sprintf(`(?s)process %d of 3.*main\.compare +\S*seqsim/wavefront\.go:\d+.*step +int += \d+.*main\.run +\S*seqsim/main\.go:\d+`, rank), text)
	}

	var report struct {
		Shown     uint64
		Processes []struct {
			Rank  int
			Stack []struct {
				Function, File string
				Line           int
				Variables      []struct{ Name, Type, Value string }
			}
		}
	}
	require.NoError(t, json.Unmarshal(inspect("--json", tr.dir), &report))
	require.Equal(t, uint64(2), report.Shown)
	require.Len(t, report.Processes, 3)
	for rank, p := range report.Processes {
		require.Equal(t, rank, p.Rank)
		require.Len(t, p.Stack, 3)
		innermost := p.Stack[0]
		require.Equal(t, "main.compare", innermost.Function)
		require.Contains(t, lines[innermost.Line-1], "bsp.Sync()")
		values := map[string]string{}
		for _, v := range innermost.Variables {
			values[v.Name] = v.Value
		}
		require.Contains(t, values["w"], "rows: 200000, columns: 200000")
		require.Equal(t, "main.run", p.Stack[1].Function)
	}
}

// Whole genomes, and all the deaths.
func TestGenomes(t *testing.T) {
	ifLong(t)
	data := filepath.Join(root(), "testdata/sequences")
	args := []string{"-score", "lcs", filepath.Join(data, "G27.fasta.gz"), filepath.Join(data, "ELS37.fasta.gz")}
	tr := newTrial(t, 4, "1s", args...)
	require.Regexp(t, ` 1236419$`, tr.want)
	survives(t, tr)

	tr = newTrial(t, 4, "1s", args...)
	launcherKilled(t, tr, 2)
}

// mustRun is run for a status that the caller compares in one line.
func (tr *trial) mustRun() int {
	tr.t.Helper()
	status := tr.run()
	if status != 0 && status != 75 {
		tr.fatalf("status %d", status)
	}
	return status
}

// computing waits until all processes of a job without checkpoints have got some way: process 0
// has used a quarter of a second.
func (tr *trial) computing() {
	tr.t.Helper()
	pid := tr.rank(0)
	tr.await("some work", func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return false
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		user, _ := strconv.Atoi(fields[11]) // in hundredths of a second
		return user >= 25
	})
}

// gone waits until no process of the job is left, which must not take long.
func (tr *trial) gone() {
	tr.t.Helper()
	tr.clean()
}

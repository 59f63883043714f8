//go:build unix

package ckp_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/runtime/ckp/inspect"
)

// bin is where the programs in testdata are built.
var bin string

// build builds them once.
var build = sync.OnceValue(func() error {
	var err error
	if bin, err = os.MkdirTemp("", "ckp-test-"); err != nil {
		return err
	}
	ckp.AtExit = func() { os.RemoveAll(bin) }
	for _, args := range [][]string{
		{"-o", bin + "/", "./testdata/walk", "./testdata/walk-plain", "./testdata/closure", "./testdata/closure-plain", "./testdata/refused", "./testdata/library", "./testdata/goroutines", "./testdata/astray"},
		{"-o", filepath.Join(bin, "walk-changed"), "-ldflags=-X main.walkFingerprint=w2", "./testdata/walk"},
		{"-o", filepath.Join(bin, "walk-type-changed"), "-tags=changed", "./testdata/walk"},
	} {
		if out, err := exec.Command("go", append([]string{"build"}, args...)...).CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	return nil
})

// A program is a process that has ended.
type program struct {
	out, err string
	status   int // -1: killed
}

// command prepares a program with its own temporary directory.
func command(t *testing.T, env []string, name string, args ...string) *exec.Cmd {
	require.NoError(t, build())
	return commandOf(t, env, filepath.Join(bin, name), args...)
}

// commandOf is command for a program that is not one of those in bin.
func commandOf(t *testing.T, env []string, file string, args ...string) *exec.Cmd {
	cmd := exec.Command(file, args...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "CKP_") && !strings.HasPrefix(v, "TMPDIR=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	tmp := filepath.Join(t.TempDir(), "tmp")
	require.NoError(t, os.MkdirAll(tmp, 0o777))
	cmd.Env = append(append(cmd.Env, "TMPDIR="+tmp), env...)
	cmd.Dir = t.TempDir()
	t.Cleanup(func() {
		for _, dir := range []string{tmp, cmd.Dir} {
			left, err := os.ReadDir(dir)
			assert.NoError(t, err)
			assert.Empty(t, left, "%v left files behind", cmd.Args)
		}
	})
	return cmd
}

func run(t *testing.T, env []string, name string, args ...string) program {
	return finish(t, command(t, env, name, args...), nil)
}

func runFile(t *testing.T, env []string, file string, args ...string) program {
	return finish(t, commandOf(t, env, file, args...), nil)
}

// finish runs a command; after start it calls meddle with the process and what
// it prints.
func finish(t *testing.T, cmd *exec.Cmd, meddle func(p *os.Process, lines *bufio.Reader)) program {
	var stdout, stderr bytes.Buffer
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	watchdog := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer watchdog.Stop()
	reader := bufio.NewReader(io.TeeReader(pipe, &stdout))
	if meddle != nil {
		meddle(cmd.Process, reader)
	}
	_, _ = io.Copy(io.Discard, reader)
	_ = cmd.Wait()
	return program{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// A variable that ckpgen does not know is told once, by the first of the processes.
func TestUnknownVariable(t *testing.T) {
	t.Parallel()
	original := run(t, nil, "walk-plain")
	for _, env := range [][]string{{"CKP_DIRR=d"}, {"CKP_DIRR=d", "CKP_TORTURE=10"}} {
		p := run(t, env, "walk")
		require.Zero(t, p.status, p.err)
		require.Equal(t, original.out, p.out)
		require.Equal(t, 1, strings.Count(p.err, "ckpgen: CKP_DIRR is set and means nothing; the variables of ckpgen are CKP_DIR, "), p.err)
	}
}

// after sends a signal when n lines have been printed.
func after(n int, sig os.Signal) func(*os.Process, *bufio.Reader) {
	return func(p *os.Process, r *bufio.Reader) {
		for range n {
			if _, err := r.ReadString('\n'); err != nil {
				return
			}
		}
		_ = p.Signal(sig)
	}
}

func TestPlain(t *testing.T) {
	for _, name := range []string{"walk", "closure"} {
		original := run(t, nil, name+"-plain")
		require.Zero(t, original.status)
		instrumented := run(t, nil, name)
		require.Equal(t, original, instrumented)
	}
	original, instrumented := run(t, nil, "walk-plain", "0s", "exit"), run(t, nil, "walk", "0s", "exit")
	require.Equal(t, 7, original.status)
	require.Equal(t, original, instrumented)
}

func TestTorture(t *testing.T) {
	for _, name := range []string{"walk", "closure"} {
		original := run(t, nil, name+"-plain")
		tortured := run(t, []string{"CKP_TORTURE=1"}, name)
		require.Equal(t, original, tortured)
		dir := filepath.Join(t.TempDir(), "d")
		tortured = run(t, []string{"CKP_TORTURE=5", "CKP_DIR=" + dir}, name)
		require.Equal(t, original, tortured)
		require.DirExists(t, dir)
	}
	original, tortured := run(t, nil, "walk-plain", "0s", "exit"), run(t, []string{"CKP_TORTURE=7"}, "walk", "0s", "exit")
	require.Equal(t, original, tortured, "os.Exit leaves nothing behind")
}

// Nothing is left behind, whenever the program is killed: command looks at that.
func TestKilledInTorture(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		killed := 0
		for range 10 {
			p := finish(t, command(t, []string{"CKP_TORTURE=1"}, "walk", "2ms"), func(p *os.Process, r *bufio.Reader) {
				if _, err := r.ReadString('\n'); err == nil {
					time.Sleep(time.Duration(rand.IntN(20000)) * time.Microsecond)
					_ = p.Signal(sig)
				}
			})
			require.Contains(t, []int{-1, 0}, p.status, p.err)
			if p.status == -1 { // it was not faster
				killed++
			}
		}
		require.Positive(t, killed)
	}
}

func TestKillAndResume(t *testing.T) {
	t.Parallel()
	original := run(t, nil, "walk-plain")
	for round := range 2 {
		env := []string{"CKP_DIR=" + filepath.Join(t.TempDir(), "d"), "CKP_INTERVAL=0"}
		done := 0 // lines that are known
		kills := 0
		for {
			p := finish(t, command(t, env, "walk", "2ms"), after(1+rand.IntN(8), syscall.SIGKILL))
			// What a killed process printed after its last checkpoint is
			// printed again; nothing is missing and nothing is different.
			at := strings.Index(original.out, p.out)
			require.GreaterOrEqual(t, at, 0, "round %d: %q is no part of the output", round, p.out)
			require.LessOrEqual(t, at, done, "output is missing")
			if p.out != "" {
				done = max(done, at+len(p.out))
			}
			if p.status == 0 {
				break
			}
			require.Equal(t, -1, p.status, p.err)
			kills++
			require.Less(t, kills, 200, "no progress")
		}
		require.Equal(t, len(original.out), done)
		require.Greater(t, kills, 4)
	}
}

func TestTermAndResume(t *testing.T) {
	t.Parallel()
	original := run(t, nil, "walk-plain")
	env := []string{"CKP_DIR=" + filepath.Join(t.TempDir(), "d")}
	out := ""
	stops := 0
	for {
		p := finish(t, command(t, env, "walk", "8ms"), after(7, syscall.SIGTERM))
		out += p.out
		if stops > 0 {
			require.Contains(t, p.err, fmt.Sprintf("continues checkpoint %d", stops))
		}
		if p.status == 0 {
			break
		}
		stops++
		require.Equal(t, 75, p.status, p.err)
		require.Contains(t, p.err, "the same command goes on from it")
	}
	require.Equal(t, original.out, out, "between the checkpoint and the end nothing happens")
	require.Greater(t, stops, 3)
}

// A SIGTERM in torture mode, also one that comes in the midst of an exec, loses nothing of the
// program.
func TestTermInTorture(t *testing.T) {
	t.Parallel()
	original := run(t, nil, "walk-plain")
	env := []string{"CKP_DIR=" + filepath.Join(t.TempDir(), "d"), "CKP_TORTURE=1"}
	out := ""
	for {
		p := finish(t, command(t, env, "walk", "2ms"), func(p *os.Process, r *bufio.Reader) {
			if _, err := r.ReadString('\n'); err == nil {
				time.Sleep(time.Duration(rand.IntN(8000)) * time.Microsecond)
				_ = p.Signal(syscall.SIGTERM)
			}
		})
		out += p.out
		if p.status == 0 {
			break
		}
		require.Contains(t, []int{75, -1}, p.status, p.err)
	}
	require.Equal(t, original.out, out)
}

func TestExitAfter(t *testing.T) {
	original := run(t, nil, "closure-plain")
	env := []string{"CKP_DIR=" + filepath.Join(t.TempDir(), "d"), "CKP_INTERVAL=0", "CKP_EXIT_AFTER=6"}
	var out string
	var statuses []int
	for range 5 {
		p := run(t, env, "closure")
		out += p.out
		statuses = append(statuses, p.status)
	}
	require.Equal(t, []int{75, 75, 75, 75, 0}, statuses)
	require.Equal(t, original.out, out)
}

func TestUSR1(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	p := finish(t, command(t, []string{"CKP_DIR=" + dir}, "walk", "2ms"), after(7, syscall.SIGUSR1))
	require.Equal(t, program{run(t, nil, "walk-plain").out, "", 0}, p)
	require.DirExists(t, filepath.Join(dir, "ckpt-00000001.e00000001"))
	require.NoDirExists(t, filepath.Join(dir, "ckpt-00000002.e00000001"))
}

func TestInterval(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	p := run(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=30ms", "CKP_KEEP=100"}, "walk", "3ms")
	require.Equal(t, program{run(t, nil, "walk-plain").out, "", 0}, p)
	list, err := filepath.Glob(filepath.Join(dir, "ckpt-*"))
	require.NoError(t, err)
	require.Greater(t, len(list), 1)
	require.Less(t, len(list), 9)
}

// Another program that is given the same directory by mistake must not stop the
// one that computes.
func TestOtherProgramBesides(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	cmd := command(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=1ms", "CKP_KEEP=1000"}, "walk", "20ms")
	p := finish(t, cmd, func(*os.Process, *bufio.Reader) {
		require.Eventually(t, func() bool {
			_, err := os.Stat(filepath.Join(dir, "ckpt-00000001.e00000001", "manifest.json"))
			return err == nil
		}, 10*time.Second, time.Millisecond)
		require.Equal(t, 3, run(t, []string{"CKP_DIR=" + dir}, "closure").status)
	})
	require.Equal(t, program{run(t, nil, "walk-plain").out, "", 0}, p)
}

// stopped returns a directory with n checkpoints of walk.
func stopped(t *testing.T, n int) string {
	dir := filepath.Join(t.TempDir(), "d")
	p := run(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0", fmt.Sprintf("CKP_EXIT_AFTER=%d", n)}, "walk")
	require.Equal(t, 75, p.status)
	return dir
}

func flip(t *testing.T, name string) {
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	b[rand.IntN(len(b))] ^= 1 << rand.IntN(8)
	require.NoError(t, os.WriteFile(name, b, 0o666))
}

// A directory belongs to one run of one command. Other arguments are refused; a program that had
// ended goes on from its last checkpoint, and says so.
func TestSameDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	env := []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0"}
	first := run(t, append(env, "CKP_EXIT_AFTER=2"), "walk", "0s")
	require.Equal(t, 75, first.status, first.err)
	for _, args := range [][]string{nil, {"0s", "more"}, {"1ms"}} {
		p := run(t, env, "walk", args...)
		require.Equal(t, 2, p.status)
		require.Equal(t, "ckpgen: the job in "+dir+" was started with other arguments (0s): give the same to go on from checkpoint 2, or start from the beginning in an empty directory\n", p.err)
	}
	second := run(t, env, "walk", "0s")
	require.Equal(t, program{run(t, nil, "walk-plain").out, second.err, 0}, program{first.out + second.out, second.err, second.status})
	require.NotContains(t, second.err, "had ended")
	for _, torture := range []string{"", "CKP_TORTURE=1"} {
		again := run(t, append(env, torture), "walk", "0s")
		require.Zero(t, again.status, again.err)
		require.Contains(t, again.err, "ckpgen: this job had ended; it goes on from its last checkpoint, and what came after that is done again. In an empty directory it starts from the beginning\n")
	}
}

// The same command given twice by mistake, or another program before there is a checkpoint, leaves
// the one that runs alone, and says so.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	for _, interval := range []string{"1ms", "1h"} {
		cmd := command(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=" + interval}, "walk", "100ms")
		p := finish(t, cmd, func(first *os.Process, lines *bufio.Reader) {
			for range 3 {
				_, err := lines.ReadString('\n')
				require.NoError(t, err)
			}
			names := []string{"walk"}
			if interval == "1h" {
				names = append(names, "closure")
			}
			for _, name := range names {
				second := run(t, []string{"CKP_DIR=" + dir}, name)
				require.Equal(t, 1, second.status, second.err)
				require.Contains(t, second.err, fmt.Sprintf("is running already (process %d on ", first.Pid))
				require.Empty(t, second.out)
			}
		})
		require.Equal(t, program{run(t, nil, "walk-plain").out, "", 0}, p)
		require.NoError(t, os.RemoveAll(dir))
	}
}

func TestOtherProgram(t *testing.T) {
	dir := stopped(t, 3)
	p := run(t, []string{"CKP_DIR=" + dir}, "walk-changed")
	require.Equal(t, 3, p.status)
	require.Empty(t, p.out)
	require.Equal(t, "ckpgen: checkpoint 3 in "+dir+" was written by another program: run the program that wrote it, or start from the beginning in an empty directory\n  function main.walk was changed\n", p.err)
	require.NotContains(t, p.err, "main.step")
	p = run(t, []string{"CKP_DIR=" + dir}, "closure")
	require.Equal(t, 3, p.status)
	require.Contains(t, p.err, "function main.forEach is new")
	require.Contains(t, p.err, "function main.walk is gone")
	require.Contains(t, p.err, "variable main.byDepth is gone")
	p = run(t, []string{"CKP_DIR=" + dir}, "walk-type-changed")
	require.Equal(t, 3, p.status, p.err)
	require.Empty(t, p.out)
	require.Contains(t, p.err, "main.load")
	require.Equal(t, 0, run(t, []string{"CKP_DIR=" + dir}, "walk").status, "the right one can go on")
}

func TestDamage(t *testing.T) {
	original := run(t, nil, "walk-plain")
	for _, file := range []string{"rank-00000.img", "manifest.json"} {
		dir := stopped(t, 9)
		flip(t, filepath.Join(dir, "ckpt-00000009.e00000001", file))
		p := run(t, []string{"CKP_DIR=" + dir}, "walk")
		require.Equal(t, 0, p.status, p.err)
		require.Contains(t, p.err, "damaged: checkpoint 9")
		require.Contains(t, p.err, "falling back to checkpoint 8")
		require.True(t, strings.HasSuffix(original.out, p.out) && strings.HasPrefix(p.out, "9 "), p.out)

		dir = stopped(t, 9)
		flip(t, filepath.Join(dir, "ckpt-00000009.e00000001", file))
		flip(t, filepath.Join(dir, "ckpt-00000008.e00000001", file))
		p = run(t, []string{"CKP_DIR=" + dir}, "walk")
		require.Equal(t, 4, p.status)
		require.Empty(t, p.out)
		require.Contains(t, p.err, "no intact checkpoint in "+dir)
	}
}

// A program that does not come to where a checkpoint has it computes nothing more, and what comes of
// that checkpoint is not what comes of the job.
func TestAstray(t *testing.T) {
	t.Parallel()
	env := []string{"CKP_DIR=" + filepath.Join(t.TempDir(), "d"), "CKP_INTERVAL=0"}
	p := run(t, append(env, "ASTRAY=1"), "astray")
	require.Equal(t, 1, p.status, p.err)
	require.Equal(t, "step 0\nstep 1\nstep 2\n", p.out)
	require.Regexp(t, `^ckpgen: checkpoint 3 can't be continued: the checkpoint continues in main.first but the program entered main.second; .*; the next start goes on from checkpoint 2 of .*\ngoroutine `, p.err)
	p = run(t, env, "astray")
	require.Equal(t, 0, p.status, p.err)
	require.Equal(t, "step 2\nstep 3\ndone\n", p.out)
	require.Contains(t, p.err, "damaged: checkpoint 3: process 0 could not go on from it: the checkpoint continues in main.first")

	// The only checkpoint is kept.
	env = []string{"CKP_DIR=" + filepath.Join(t.TempDir(), "d"), "CKP_TORTURE=3", "ASTRAY=1"}
	for range 2 {
		p = run(t, env, "astray")
		require.Equal(t, 1, p.status, p.err)
		require.Contains(t, p.err, "checkpoint 1 can't be continued: ")
		require.Contains(t, p.err, "there is no other one: start from the beginning, in an empty directory")
		require.NotContains(t, p.out, "not there")
	}
}

func TestRefusals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	p := run(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0"}, "refused")
	require.Zero(t, p.status)
	require.Equal(t, "sorted\none goroutine again\nconnected\ncan be saved\ndone\n", p.out)
	p = run(t, []string{"CKP_TORTURE=1"}, "refused")
	require.Zero(t, p.status)
	require.Equal(t, "sorted\none goroutine again\nconnected\ncan be saved\ndone\n", p.out)
	lines := strings.Split(strings.TrimSpace(p.err), "\n")
	require.Len(t, lines, 4, p.err)
	assert.Contains(t, lines[0], "main.program.func1 ("+here(t)+"/testdata/refused/main.go:")
	assert.Contains(t, lines[0], "main.program -> slices.SortFunc[...]")
	assert.Contains(t, lines[1], "started by main.program ("+here(t)+"/testdata/refused/main.go:")
	assert.Contains(t, lines[2], "was not started by a rewritten go statement")
	assert.Contains(t, lines[3], "main.conn")
}

func here(t *testing.T) string {
	dir, err := os.Getwd()
	require.NoError(t, err)
	return dir
}

func TestEnvironmentErrors(t *testing.T) {
	for _, env := range []string{"CKP_INTERVAL=60", "CKP_INTERVAL=5s", "CKP_TORTURE=0", "CKP_EXIT_AFTER=1", "CKP_KEEP=x"} {
		p := run(t, []string{env}, "walk")
		require.Equal(t, 2, p.status, env)
		require.Empty(t, p.out)
		require.Contains(t, p.err, strings.Split(env, "=")[0])
	}
}

// A directory that is lost must not stop the program.
func TestLostDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	cmd := command(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=1ms", "CKP_KEEP=1000"}, "walk", "20ms")
	p := finish(t, cmd, func(*os.Process, *bufio.Reader) {
		require.Eventually(t, func() bool {
			_, err := os.Stat(filepath.Join(dir, "ckpt-00000001.e00000001", "manifest.json"))
			return err == nil
		}, 10*time.Second, time.Millisecond)
		require.NoError(t, os.Rename(dir, dir+"-away"))
		require.NoError(t, os.WriteFile(dir, nil, 0o666))
	})
	require.Equal(t, run(t, nil, "walk-plain").out, p.out)
	require.Zero(t, p.status)
	require.Equal(t, 1, strings.Count(p.err, "the program goes on without"), p.err)
}

// Without CKP_ variables SIGTERM ends the program as it does any other.
func TestNoHandlers(t *testing.T) {
	p := finish(t, command(t, nil, "walk", "2ms"), after(5, syscall.SIGTERM))
	require.Equal(t, -1, p.status)
	require.Empty(t, p.err)
}

func TestLibrary(t *testing.T) {
	plain := run(t, nil, "library")
	require.Zero(t, plain.status)
	require.Contains(t, plain.out, "end {[1 2 3 4 5 6 7 8 9 10] 10}")
	require.Equal(t, plain, run(t, []string{"CKP_TORTURE=1"}, "library"))

	dir := filepath.Join(t.TempDir(), "d")
	first := run(t, []string{"CKP_DIR=" + dir}, "library", "stop")
	require.Equal(t, 75, first.status, first.err)
	r, err := inspect.Open(dir, inspect.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 3, r.Checkpoints[0].Superstep)
	require.Equal(t, "save and stop", r.Checkpoints[0].Note)
	require.Len(t, r.Processes[0].Libraries, 1)
	require.Equal(t, "counting", r.Processes[0].Libraries[0].Name)
	require.Contains(t, r.Processes[0].Libraries[0].Value, "Steps: 3")
	second := run(t, []string{"CKP_DIR=" + dir}, "library", "stop")
	require.Equal(t, 0, second.status, second.err)
	require.Equal(t, plain.out, first.out+second.out)
}

// A request that a library makes while it is restored is for the program that goes on.
func TestRequestInRestored(t *testing.T) {
	env := []string{"CKP_DIR=" + filepath.Join(t.TempDir(), "d")}
	require.Equal(t, 75, run(t, env, "library", "stop").status)
	p := run(t, append(env, "LIBRARY_TEST_REQUEST=1"), "library", "stop")
	require.Equal(t, 75, p.status, p.err)
	require.Contains(t, p.err, "checkpoint 2 is in")
	require.Zero(t, run(t, env, "library", "stop").status)
}

// One process of a job that nothing coordinates must not commit by itself.
func TestJobWithoutCoordination(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	p := run(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0", "CKP_RANK=0", "CKP_SIZE=2", "CKP_EPOCH=1", "CKP_RESTORE=0"}, "walk")
	require.Equal(t, program{run(t, nil, "walk-plain").out, p.err, 0}, p)
	require.Contains(t, p.err, "the job has 2 processes")
	require.NoDirExists(t, dir)
}

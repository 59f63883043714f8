//go:build unix

package ckp_test

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/runtime/ckp/inspect"
)

var long = flag.Bool("long", false, "run what takes long: builds with the race detector")

// The programs of testdata/goroutines whose output is always the same.
var goroutinePrograms = []string{
	"pipeline", "senders", "receivers", "selects", "mutex", "rwmutex", "group", "signal", "wakes", "relock",
	"sleep", "timers", "births", "worker", "goexit",
}

// plainly runs a program of testdata/goroutines with the operations of the language.
func plainly(t *testing.T, scenario string) program {
	return run(t, []string{"GOROUTINES_PLAIN=1"}, "goroutines", scenario)
}

func TestGoroutinesTorture(t *testing.T) {
	t.Parallel()
	for _, scenario := range goroutinePrograms {
		t.Run(scenario, func(t *testing.T) {
			original := plainly(t, scenario)
			require.Zero(t, original.status, original.err)
			require.Equal(t, original, run(t, nil, "goroutines", scenario), "without checkpoints")
			for _, k := range []int{1, 2, 3} {
				require.Equal(t, original, run(t, []string{fmt.Sprint("CKP_TORTURE=", k)}, "goroutines", scenario), "every %d", k)
			}
		})
	}
}

// Checkpoints after which the same process goes on.
func TestGoroutinesGoOn(t *testing.T) {
	t.Parallel()
	for _, scenario := range append(goroutinePrograms, "many") {
		original := plainly(t, scenario)
		dir := filepath.Join(memory(t), "d")
		p := run(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0", "CKP_EXIT_AFTER=1000000"}, "goroutines", scenario)
		require.Equal(t, original, p, scenario)
		list, err := filepath.Glob(filepath.Join(dir, "ckpt-*"))
		require.NoError(t, err)
		require.Len(t, list, 2, scenario)
		if scenario == "many" {
			require.Greater(t, filepath.Base(list[1]), "ckpt-00001500")
		}
	}
}

// Checkpoints that fail when all stand still: a thousand of them costs the program nothing but
// time.
func TestGoroutinesFailures(t *testing.T) {
	t.Parallel()
	for _, scenario := range goroutinePrograms {
		original := plainly(t, scenario)
		p := run(t, []string{"CKP_TORTURE=1", "GOROUTINES_UNSAVABLE=1"}, "goroutines", scenario)
		require.Equal(t, original.out, p.out, scenario)
		require.Contains(t, p.err, "main.unsavable", scenario)
	}
	p := run(t, []string{"CKP_TORTURE=2", "GOROUTINES_UNSAVABLE=1"}, "goroutines", "many")
	require.Equal(t, plainly(t, "many").out, p.out)
	require.Equal(t, 1, strings.Count(p.err, "\n"), p.err)
}

// memory returns a directory for thousands of checkpoints: in memory, if the system has such.
func memory(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "ckp-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestGoroutinesKillAndResume(t *testing.T) {
	t.Parallel()
	for _, scenario := range []string{"pipeline", "births", "senders"} {
		original := plainly(t, scenario)
		env := []string{"CKP_DIR=" + filepath.Join(memory(t), "d"), "CKP_INTERVAL=0", "GOROUTINES_SLOW=4ms"}
		for kills := 0; ; kills++ {
			require.Less(t, kills, 300, "no progress")
			p := finish(t, command(t, env, "goroutines", scenario), func(p *os.Process, _ *bufio.Reader) {
				time.Sleep(time.Duration(20+rand.IntN(20+20*kills)) * time.Millisecond)
				_ = p.Signal(syscall.SIGKILL)
			})
			if p.status == 0 { // the end of the output may have been printed before a kill, too
				require.True(t, strings.HasSuffix(original.out, p.out) && p.out != "", p.out)
				require.NotZero(t, kills)
				t.Log(scenario, kills, "kills")
				break
			}
			require.Contains(t, original.out, p.out)
			require.Equal(t, -1, p.status, p.err)
		}
	}
}

func TestGoroutinesTerm(t *testing.T) {
	t.Parallel()
	original := plainly(t, "births")
	env := []string{"CKP_DIR=" + filepath.Join(memory(t), "d"), "CKP_INTERVAL=0", "CKP_EXIT_AFTER=2"}
	out := ""
	for stops := 0; ; stops++ {
		p := run(t, env, "goroutines", "births")
		out += p.out
		if p.status == 0 {
			require.Equal(t, original.out, out)
			require.Greater(t, stops, 3)
			break
		}
		require.Equal(t, 75, p.status, p.err)
	}
}

// A goroutine that does not come is named, and the program goes on; the checkpoint is taken when it
// can be.
func TestGoroutineThatCannotBeStopped(t *testing.T) {
	t.Parallel()
	for scenario, state := range map[string]string{"spin": "[run", "sorted": "[select]"} {
		original := plainly(t, scenario)
		for _, env := range [][]string{{"CKP_TORTURE=1"}, {"CKP_DIR=" + filepath.Join(t.TempDir(), "d"), "CKP_INTERVAL=0"}} {
			p := run(t, env, "goroutines", scenario)
			require.Zero(t, p.status, p.err)
			require.Equal(t, original.out, p.out)
			require.Contains(t, p.err, "these goroutines did not come to a checkpoint within 1s: goroutine of main.(*machine).call, in main.(*machine).call ("+here(t)+"/testdata/goroutines/machine.go:")
			require.Contains(t, p.err, state)
			require.Contains(t, p.err, "build with -auto")
		}
	}
}

// What ends a plain program ends it the same way.
func TestGoroutinesEnd(t *testing.T) {
	t.Parallel()
	for scenario, message := range map[string]string{
		"panic": "panic: boom\n\ngoroutine ",
		"dead":  "fatal error: all goroutines are asleep - deadlock!",
		"gone":  "fatal error: no goroutines (main called runtime.Goexit) - deadlock!",
	} {
		original := plainly(t, scenario)
		require.Equal(t, 2, original.status)
		require.Contains(t, original.err, message)
		for _, env := range [][]string{nil, {"CKP_TORTURE=1"}, {"CKP_TORTURE=2"}, {"CKP_DIR=" + t.TempDir()}, {"CKP_DIR=" + t.TempDir(), "CKP_TORTURE=1"}} {
			p := run(t, env, "goroutines", scenario)
			require.Equal(t, 2, p.status, p.err)
			require.Equal(t, original.out, p.out)
			require.Contains(t, p.err, message)
			require.NotContains(t, p.err, "[recovered")
		}
	}
}

// Goroutines that package initialisation starts are those of the image in a process that
// continues one.
func TestGoroutineFromInit(t *testing.T) {
	original := plainly(t, "init")
	require.Equal(t, original, run(t, nil, "goroutines", "init"))
	require.Equal(t, original, run(t, []string{"CKP_TORTURE=1"}, "goroutines", "init"))
	require.Equal(t, original, run(t, []string{"CKP_TORTURE=2"}, "goroutines", "init"))
}

// A goroutine that is declared to be external hinders no checkpoint, although it waits at a channel
// of the program. It is not there in another process.
func TestExternalGoroutine(t *testing.T) {
	original := plainly(t, "outside")
	require.Equal(t, "outside 1\noutside 2\nmain after\nend\n", original.out)
	dir := filepath.Join(t.TempDir(), "d")
	p := run(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0", "CKP_EXIT_AFTER=100"}, "goroutines", "outside")
	require.Equal(t, original, p)
	require.DirExists(t, filepath.Join(dir, "ckpt-00000003.e00000001"))
	p = run(t, []string{"CKP_TORTURE=1"}, "goroutines", "outside")
	require.Equal(t, program{"outside 1\nmain after\nend\n", "", 0}, p)
}

func TestGoroutinesRace(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "goroutines-race")
	if out, err := exec.Command("go", "build", "-race", "-o", name, "./testdata/goroutines").CombinedOutput(); err != nil {
		t.Skipf("no race detector: %s", out)
	}
	for _, scenario := range append(goroutinePrograms, "sorted") {
		if scenario == "sleep" || scenario == "timers" {
			continue // its times are not those of a race detector
		}
		original := plainly(t, scenario)
		p := runFile(t, []string{"CKP_TORTURE=1", "GORACE=halt_on_error=1"}, name, scenario)
		// The race detector lets goroutines run in an order of its own.
		require.ElementsMatch(t, words(original.out), words(p.out), "%s: %s", scenario, p.err)
		require.Zero(t, p.status, p.err)
		require.NotContains(t, p.err, "DATA RACE")
	}
}

func TestInspectGoroutines(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	stop := func(scenario string, n int) inspect.Process {
		require.NoError(t, os.RemoveAll(dir))
		p := run(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0", fmt.Sprint("CKP_EXIT_AFTER=", n)}, "goroutines", scenario)
		require.Equal(t, 75, p.status, p.err)
		r, err := inspect.Open(dir, inspect.Options{})
		require.NoError(t, err)
		require.Empty(t, r.Processes[0].Problem)
		return r.Processes[0]
	}
	states := func(p inspect.Process) string {
		var list []string
		for _, g := range p.Goroutines {
			list = append(list, fmt.Sprintf("%d:%s:%d", g.Number, g.Waiting, len(g.Stack)))
		}
		return strings.Join(list, " ")
	}
	require.Equal(t, "0::2 1:chan send:1 2:chan send:1 3:chan send:1 4:chan send:1 5:chan send:1 6:chan send:1", states(stop("senders", 1)))
	require.Equal(t, "0::2 1:select:1 2:select:1 3:select:1 4:select:1 5:select:1", states(stop("selects", 1)))
	require.Equal(t, "0::2 1:sync.Mutex.Lock:1 2:sync.RWMutex.RLock:1 3:sync.RWMutex.RLock:1 4:sync.RWMutex.RLock:1", states(stop("rwmutex", 1)))
	require.Equal(t, "0::2 1:sync.Cond.Wait:1 2:sync.Cond.Wait:1 3:sync.Cond.Wait:1 4:sync.Cond.Wait:1 5:sync.Cond.Wait:1", states(stop("signal", 1)))
	require.Equal(t, "0::2 1:sync.Mutex.Lock:1 2:sync.Mutex.Lock:1 3:sync.Cond.Wait:1", states(stop("relock", 2)))
	p := stop("sleep", 2)
	require.Equal(t, "0::2 1:sleep:1", states(p))
	remaining := time.Duration(p.Goroutines[1].Remaining)
	require.True(t, 0 < remaining && remaining <= 600*time.Millisecond, remaining)
	require.Equal(t, "0:chan receive:3 1::2", states(stop("worker", 1)), "main is blocked in a call, its worker takes the checkpoint")

	r, err := inspect.Open(dir, inspect.Options{})
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	require.Contains(t, text.String(), "main goroutine, blocked [chan receive]:\n    main.(*machine).call  example.org/goroutines/machine.go:70 in the call of step")
	require.Contains(t, text.String(), "\n  goroutine 1:\n")
}

// words returns the words of a text without brackets.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '[' || r == ']' })
}

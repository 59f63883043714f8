//go:build unix

package ckp_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/runtime/ckp/inspect"
)

// resting waits until a program has printed a line and its goroutines wait, and sends a signal.
func resting(sig os.Signal) func(*os.Process, *bufio.Reader) {
	return func(p *os.Process, r *bufio.Reader) {
		_, _ = r.ReadString('\n')
		time.Sleep(50 * time.Millisecond)
		_ = p.Signal(sig)
	}
}

// A checkpoint can begin while all goroutines wait, and none calls for one.
func TestStopWhileAllWait(t *testing.T) {
	t.Parallel()
	original := plainly(t, "resting")
	env := []string{"CKP_DIR=" + filepath.Join(t.TempDir(), "d")}
	p := finish(t, command(t, env, "goroutines", "resting"), resting(syscall.SIGTERM))
	require.Equal(t, 75, p.status, p.err)
	require.Equal(t, "main rests\n", p.out, "it did not wait for the end of the sleep")
	for range 2 {
		again := finish(t, command(t, env, "goroutines", "resting"), func(p *os.Process, _ *bufio.Reader) {
			time.Sleep(300 * time.Millisecond) // for the signals to be watched
			_ = p.Signal(syscall.SIGTERM)
		})
		require.Equal(t, 75, again.status, again.err)
		require.Empty(t, again.out)
	}
	rest := run(t, env, "goroutines", "resting")
	require.Zero(t, rest.status, rest.err)
	require.Equal(t, original.out, p.out+rest.out)
}

// The interval is a reason, too, but only once while nothing happens.
func TestIntervalWhileAllWait(t *testing.T) {
	t.Parallel()
	original := plainly(t, "resting")
	dir := filepath.Join(t.TempDir(), "d")
	env := []string{"CKP_DIR=" + dir, "CKP_INTERVAL=50ms"}
	checkpoints := func() []string {
		list, err := filepath.Glob(filepath.Join(dir, "ckpt-*"))
		require.NoError(t, err)
		return list
	}
	p := finish(t, command(t, env, "goroutines", "resting"), func(p *os.Process, r *bufio.Reader) {
		_, _ = r.ReadString('\n')
		time.Sleep(700 * time.Millisecond)
		require.Len(t, checkpoints(), 1)
		_ = p.Signal(syscall.SIGKILL)
	})
	require.Equal(t, -1, p.status)
	rest := run(t, env, "goroutines", "resting")
	require.Zero(t, rest.status, rest.err)
	require.Equal(t, original.out, p.out+rest.out)
}

// The only goroutine sleeps for an hour.
func TestStopWhileAsleep(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	env := []string{"CKP_DIR=" + dir}
	p := finish(t, command(t, env, "goroutines", "napping"), func(p *os.Process, r *bufio.Reader) {
		resting(syscall.SIGUSR1)(p, r)
		require.Eventually(t, func() bool {
			list, _ := filepath.Glob(filepath.Join(dir, "ckpt-*", "*manifest*"))
			return len(list) == 1
		}, 5*time.Second, 10*time.Millisecond)
		_ = p.Signal(syscall.SIGTERM)
	})
	require.Equal(t, 75, p.status, p.err)
	r, err := inspect.Open(dir, inspect.Options{})
	require.NoError(t, err)
	require.Equal(t, "sleep", r.Processes[0].Goroutines[0].Waiting)
	require.InDelta(t, time.Hour, time.Duration(r.Processes[0].Goroutines[0].Remaining), float64(10*time.Second))
}

// All wait for a goroutine that is not part of checkpoints: that is no deadlock, and a checkpoint
// can be taken.
func TestStopWhileOthersWork(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	piped := func(meddle func(p *os.Process, r *bufio.Reader, stdin *os.File)) program {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		defer r.Close()
		defer w.Close()
		cmd := command(t, []string{"CKP_DIR=" + dir}, "goroutines", "piped")
		cmd.Stdin = r
		return finish(t, cmd, func(p *os.Process, r *bufio.Reader) { meddle(p, r, w) })
	}
	p := piped(func(p *os.Process, r *bufio.Reader, stdin *os.File) {
		_, _ = r.ReadString('\n')
		time.Sleep(300 * time.Millisecond)
		_, _ = stdin.WriteString("17\n")
	})
	require.Equal(t, program{"main waits\nmain received 17\nend\n", "", 0}, p)
	p = piped(func(p *os.Process, r *bufio.Reader, _ *os.File) { resting(syscall.SIGTERM)(p, r) })
	require.Equal(t, 75, p.status, p.err)
}

// Signals that come all the time, while checkpoints are taken by the program and while its
// goroutines wait.
func TestSignalsAtAllTimes(t *testing.T) {
	t.Parallel()
	for _, scenario := range []string{"pipeline", "births", "relock", "wakes", "sleep", "selects", "goexit"} {
		original := plainly(t, scenario)
		dir := filepath.Join(memory(t), "d")
		env := []string{"CKP_DIR=" + dir, "CKP_INTERVAL=3ms", "GOROUTINES_SLOW=1ms"}
		p := finish(t, command(t, env, "goroutines", scenario), func(p *os.Process, _ *bufio.Reader) {
			for !processEnded(p) { // until there is a checkpoint: the signals are watched then
				if list, _ := filepath.Glob(filepath.Join(dir, "*", "*")); len(list) > 0 {
					break
				}
				time.Sleep(time.Millisecond)
			}
			for p.Signal(syscall.SIGUSR1) == nil {
				time.Sleep(300 * time.Microsecond)
				if processEnded(p) {
					break
				}
			}
		})
		require.Equal(t, original, p, scenario)
	}
}

// processEnded reports whether a child has ended, and nobody has waited for it yet.
func processEnded(p *os.Process) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
	return err != nil || strings.Contains(string(b), ") Z ")
}

// All goroutines wait for ever, in every way there is; the message tells where, as that of the
// plain program does.
func TestDeadlockIsTold(t *testing.T) {
	t.Parallel()
	original := plainly(t, "asleep")
	require.Equal(t, 2, original.status)
	headers := func(text string) []string {
		list := regexp.MustCompile(`(?m)^goroutine \d+ \[(.*)\]:$`).FindAllStringSubmatch(text, -1)
		var states []string
		for _, m := range list {
			states = append(states, strings.TrimSuffix(m[1], " (nil chan)"))
		}
		slices.Sort(states)
		return states
	}
	want := headers(original.err)
	require.Len(t, want, 7)
	dir := filepath.Join(t.TempDir(), "d")
	for _, env := range [][]string{{"CKP_DIR=" + dir, "CKP_INTERVAL=1h"}, {"CKP_DIR=" + filepath.Join(t.TempDir(), "d"), "CKP_INTERVAL=3ms"}, {"CKP_DIR=" + dir}} {
		p := run(t, env, "goroutines", "asleep")
		require.Equal(t, 2, p.status, p.err)
		require.Equal(t, original.out, p.out)
		require.Contains(t, p.err, "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [sync.WaitGroup.Wait]:\nmain.(*machine).call(")
		require.Equal(t, want, headers(p.err))
		require.NotContains(t, p.err, "ckp/shadow")
		require.Equal(t, len(want), strings.Count(p.err, "goroutines/machine.go:")-1, p.err) // main has program below it
	}
}

// A goroutine that reads is in the way of every checkpoint until it has read: that is told, and a
// second SIGTERM ends the program.
func TestStopWhileReading(t *testing.T) {
	t.Parallel()
	reading := func(meddle func(p *os.Process, w *os.File)) program {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		defer r.Close()
		defer w.Close()
		cmd := command(t, []string{"CKP_DIR=" + filepath.Join(t.TempDir(), "d")}, "goroutines", "reading")
		cmd.Stdin = r
		return finish(t, cmd, func(p *os.Process, r *bufio.Reader) {
			resting(syscall.SIGTERM)(p, r)
			meddle(p, w)
		})
	}
	const told = "ckpgen: no checkpoint could be taken within 2s of SIGTERM: waiting for main goroutine, in main.(*machine).call ("
	p := reading(func(p *os.Process, w *os.File) {
		time.Sleep(2500 * time.Millisecond)
		_, _ = w.WriteString("17\n")
	})
	require.Equal(t, 75, p.status, p.err)
	require.Equal(t, 1, strings.Count(p.err, told), p.err)
	require.Contains(t, p.err, "[syscall]. It is taken at the next opportunity; a second SIGTERM ends the program without one\n")
	require.Contains(t, p.err, "checkpoint 1 is in ")
	p = reading(func(p *os.Process, _ *os.File) {
		_ = p.Signal(syscall.SIGTERM) // by the same sender as the first, so soon
		time.Sleep(time.Second)
		_ = p.Signal(syscall.SIGTERM)
	})
	require.Equal(t, -1, p.status)
	require.Equal(t, "ckpgen: SIGTERM again: the program ends at once, without another checkpoint\n", p.err)
}

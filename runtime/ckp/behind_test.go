//go:build linux

package ckp_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// awaited waits until there is a file.
func awaited(t *testing.T, name string) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := os.Stat(name)
		return err == nil
	}, time.Minute, time.Millisecond, name)
}

// image makes the folder of a checkpoint that the first incarnation will take, and returns the name
// that its image has while it is written.
func image(t *testing.T, dir string, seq int) string {
	t.Helper()
	awaited(t, filepath.Join(dir, "epoch-00000001.base"))
	if seq > 1 {
		awaited(t, filepath.Join(dir, fmt.Sprintf("ckpt-%08d.e00000001", seq-1), "manifest.json"))
	}
	folder := filepath.Join(dir, fmt.Sprintf("ckpt-%08d.e00000001", seq))
	require.NoError(t, os.Mkdir(folder, 0o777))
	return filepath.Join(folder, "rank-00000.img.tmp")
}

// A slowDisk is the file of an image that takes nothing until it is read. Then the image can't be
// put on stable storage.
type slowDisk struct {
	t    *testing.T
	name string
	full *os.File
}

func newSlowDisk(t *testing.T, dir string, seq int) *slowDisk {
	d := &slowDisk{t: t, name: image(t, dir, seq)}
	require.NoError(t, syscall.Mkfifo(d.name, 0o600))
	var err error
	d.full, err = os.OpenFile(d.name, os.O_RDWR|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	t.Cleanup(func() { d.full.Close() })
	require.NoError(t, d.full.SetWriteDeadline(time.Now().Add(50*time.Millisecond)))
	for err == nil {
		_, err = d.full.Write(make([]byte, 4096))
	}
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	return d
}

// began returns when the program has begun to write.
func (d *slowDisk) began(p *os.Process) {
	require.Eventually(d.t, func() bool {
		list, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.Pid))
		return slices.ContainsFunc(list, func(fd string) bool {
			to, _ := os.Readlink(fd)
			return to == d.name
		})
	}, time.Minute, time.Millisecond)
}

// drain takes all that is written.
func (d *slowDisk) drain() {
	f, err := os.Open(d.name)
	require.NoError(d.t, err)
	defer f.Close()
	require.NoError(d.t, d.full.Close())
	_, err = io.Copy(io.Discard, f)
	require.NoError(d.t, err)
}

// listen reads the lines that a program prints. more returns how many there were within a time, and
// at most n; end returns at the end.
func listen(r *bufio.Reader) (more func(n int, limit time.Duration) int, end func()) {
	lines := make(chan bool, 1000)
	go func() {
		defer close(lines)
		for {
			if _, err := r.ReadString('\n'); err != nil {
				return
			}
			lines <- true
		}
	}()
	more = func(n int, limit time.Duration) int {
		timeout := time.After(limit)
		for k := range n {
			select {
			case ok := <-lines:
				if !ok {
					return k
				}
			case <-timeout:
				return k
			}
		}
		return n
	}
	end = func() {
		for range lines {
		}
	}
	return more, end
}

// A program that is killed while a checkpoint is written loses that one and no other.
func TestKilledBehind(t *testing.T) {
	t.Parallel()
	original := run(t, nil, "walk-plain")
	dir := filepath.Join(t.TempDir(), "d")
	env := []string{"CKP_DIR=" + dir, "CKP_INTERVAL=500ms"}
	p := finish(t, command(t, env, "walk", "50ms"), func(p *os.Process, r *bufio.Reader) {
		more, end := listen(r)
		newSlowDisk(t, dir, 2).began(p)
		more(100, 50*time.Millisecond)
		require.Equal(t, 5, more(5, time.Minute), "the program goes on while the image is written")
		require.NoError(t, p.Kill())
		end()
	})
	require.Equal(t, -1, p.status, p.err)
	require.NoFileExists(t, filepath.Join(dir, "ckpt-00000002.e00000001", "manifest.json"))
	rest := run(t, env, "walk", "50ms")
	require.Zero(t, rest.status, rest.err)
	require.Contains(t, rest.err, "continues checkpoint 1 ")
	require.True(t, strings.HasSuffix(original.out, rest.out), rest.out)
	require.True(t, strings.HasPrefix(original.out, p.out), p.out)
	require.GreaterOrEqual(t, len(p.out)+len(rest.out), len(original.out))
	require.NoDirExists(t, filepath.Join(dir, "ckpt-00000002.e00000001"), "what was left is deleted")
}

// The last checkpoint waits for the one that is being written; if that fails, it is told, and
// nothing is lost.
func TestTermBehind(t *testing.T) {
	t.Parallel()
	original := run(t, nil, "walk-plain")
	dir := filepath.Join(t.TempDir(), "d")
	env := []string{"CKP_DIR=" + dir, "CKP_INTERVAL=1s"}
	p := finish(t, command(t, env, "walk", "50ms"), func(p *os.Process, r *bufio.Reader) {
		more, end := listen(r)
		disk := newSlowDisk(t, dir, 1)
		disk.began(p)
		require.NoError(t, p.Signal(syscall.SIGTERM))
		for more(1, 500*time.Millisecond) > 0 {
			// It goes on to the next opportunity, and stands still there.
		}
		disk.drain()
		end()
	})
	require.Equal(t, 75, p.status, p.err)
	require.Contains(t, p.err, "checkpoint failed, the program goes on without: sync "+filepath.Join(dir, "ckpt-00000001.e00000001", "rank-00000.img.tmp"))
	require.Contains(t, p.err, "checkpoint 2 is in")
	rest := run(t, env, "walk", "50ms")
	require.Zero(t, rest.status, rest.err)
	require.Equal(t, original.out, p.out+rest.out)
}

// A checkpoint that is due while one is written waits, or the program goes on without it.
func TestEarly(t *testing.T) {
	t.Parallel()
	original := run(t, nil, "walk-plain")
	for _, wait := range []bool{true, false} {
		dir := filepath.Join(t.TempDir(), "d")
		env := []string{"CKP_DIR=" + dir, "CKP_INTERVAL=1s", "CKP_KEEP=100", "CKP_EARLY=skip"}
		if wait {
			env[3] = "CKP_EARLY=wait"
		}
		p := finish(t, command(t, env, "walk", "50ms"), func(p *os.Process, r *bufio.Reader) {
			more, end := listen(r)
			disk := newSlowDisk(t, dir, 1)
			disk.began(p)
			printed := 0
			for more(1, 500*time.Millisecond) > 0 {
				printed++
			}
			all := strings.Count(original.out, "\n")
			if wait {
				require.Less(t, printed, all, "the program waits")
			} else {
				require.Equal(t, all, printed, "the program goes on")
			}
			disk.drain()
			end()
		})
		require.Zero(t, p.status, p.err)
		require.Equal(t, original.out, p.out)
		require.Contains(t, p.err, "checkpoint failed")
	}
}

// A full disk costs a checkpoint, and is told; the program goes on, and so do the checkpoints when
// there is room.
func TestFullBehind(t *testing.T) {
	t.Parallel()
	original := run(t, nil, "walk-plain")
	dir := filepath.Join(t.TempDir(), "d")
	p := finish(t, command(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=500ms", "CKP_KEEP=100"}, "walk", "80ms"), func(p *os.Process, r *bufio.Reader) {
		require.NoError(t, os.Symlink("/dev/full", image(t, dir, 2)))
	})
	require.Zero(t, p.status, p.err)
	require.Equal(t, original.out, p.out)
	require.Equal(t, 1, strings.Count(p.err, "checkpoint failed, the program goes on without: write "), p.err)
	require.Contains(t, p.err, "no space left on device")
	require.NoDirExists(t, filepath.Join(dir, "ckpt-00000002.e00000001"))
	require.FileExists(t, filepath.Join(dir, "ckpt-00000003.e00000001", "manifest.json"))
}

// Who asks for a checkpoint is told each time that it failed, and nothing that is not so after that.
func TestAskedAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	p := finish(t, command(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=1h"}, "walk", "60ms"), func(p *os.Process, r *bufio.Reader) {
		more, end := listen(r)
		for seq := range 2 {
			name := filepath.Join(dir, fmt.Sprintf("ckpt-%08d.e00000001", seq+1), "rank-00000.img.tmp")
			awaited(t, filepath.Join(dir, "epoch-00000001.base"))
			require.NoError(t, os.Mkdir(filepath.Dir(name), 0o777))
			require.NoError(t, os.Symlink("/dev/full", name))
			require.NotZero(t, more(1, time.Minute))
			require.NoError(t, p.Signal(syscall.SIGUSR1))
			require.Eventually(t, func() bool {
				_, err := os.Lstat(name)
				return err != nil
			}, time.Minute, time.Millisecond)
		}
		end()
	})
	require.Zero(t, p.status, p.err)
	require.Equal(t, 2, strings.Count(p.err, "checkpoint failed, the program goes on without: write "), p.err)
	require.NotContains(t, p.err, "opportunity")
}

// Why the last checkpoint fails, and what ends the program all the same, is told once. When there is
// a directory again, it is taken.
func TestStopWhileMoved(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	p := finish(t, command(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=1h"}, "walk", "80ms"), func(p *os.Process, r *bufio.Reader) {
		more, end := listen(r)
		require.NotZero(t, more(1, time.Minute))
		require.NoError(t, os.Rename(dir, dir+"-away"))
		require.NoError(t, p.Signal(syscall.SIGTERM))
		more(100, 2500*time.Millisecond)
		require.NoError(t, os.Rename(dir+"-away", dir))
		end()
	})
	require.Equal(t, 75, p.status, p.err)
	require.Regexp(t, `^ckpgen: the checkpoint before the stop failed, .*a second SIGTERM ends the program without it.*: the directory was deleted or moved .*\nckpgen: checkpoint \d+ is in .*\n$`, p.err)
}

// After a checkpoint that could not be written there is a pause, also for the next one that waits
// for it.
func TestPauseBehind(t *testing.T) {
	t.Parallel()
	original := run(t, nil, "walk-plain")
	dir := filepath.Join(t.TempDir(), "d")
	p := finish(t, command(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0", "CKP_KEEP=100"}, "walk", "15ms"), func(p *os.Process, r *bufio.Reader) {
		more, end := listen(r)
		disk := newSlowDisk(t, dir, 1)
		disk.began(p)
		for more(1, 500*time.Millisecond) > 0 {
			// It goes on to the next opportunity, and stands still there.
		}
		disk.drain()
		end()
	})
	require.Zero(t, p.status, p.err)
	require.Equal(t, original.out, p.out)
	require.Equal(t, 1, strings.Count(p.err, "checkpoint failed"), p.err)
	committed, err := filepath.Glob(filepath.Join(dir, "ckpt-*", "manifest.json"))
	require.NoError(t, err)
	require.Empty(t, committed, "the program takes less than the pause")
}

// os.Exit waits for nothing.
func TestExitBehind(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	p := finish(t, command(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=1s"}, "walk", "50ms", "exit"), func(p *os.Process, r *bufio.Reader) {
		newSlowDisk(t, dir, 1).began(p)
	})
	require.Equal(t, 7, p.status, p.err)
	require.Equal(t, run(t, nil, "walk-plain", "0s", "exit").out, p.out)
	require.Empty(t, p.err)
}

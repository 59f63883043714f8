package store

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary be one of several processes.
func TestMain(m *testing.M) {
	if dir := os.Getenv("STORE_TEST_DIR"); dir != "" {
		incarnation(dir)
		return
	}
	os.Exit(m.Run())
}

// incarnation claims an epoch and commits checkpoints until it is fenced. It
// says on standard output what it was told.
func incarnation(dir string) {
	s, err := Open(dir, Options{})
	if err == nil {
		var e Epoch
		var c Checkpoint
		e, c, _, err = s.Resume("process " + strconv.Itoa(os.Getpid()))
		fmt.Println("claimed", e, c.Manifest.Seq)
		for seq := c.Manifest.Seq + 1; err == nil; seq++ {
			if err = put(s, e, seq, 2); err == nil {
				fmt.Println("committed", e, seq)
			}
		}
	}
	var fenced *FencedError
	if errors.As(err, &fenced) {
		fmt.Println("fenced", fenced.Epoch, fenced.By)
		os.Exit(0)
	}
	fmt.Println("failed", err)
	os.Exit(1)
}

// Processes supersede one another, overlapping as the scheduler likes, some
// stopped in the middle and continued later.
func TestProcessesOvertakeOneAnother(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "job")
	type process struct {
		cmd   *exec.Cmd
		lines []string
		read  chan struct{} // closed when lines are complete
	}
	var all []*process
	var committed atomic.Int64
	start := func() *process {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "STORE_TEST_DIR="+dir)
		pipe, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		p := &process{cmd: cmd, read: make(chan struct{})}
		go func() {
			defer close(p.read)
			for sc := bufio.NewScanner(pipe); sc.Scan(); {
				p.lines = append(p.lines, sc.Text())
				if strings.HasPrefix(sc.Text(), "committed") {
					committed.Add(1)
				}
			}
		}()
		all = append(all, p)
		return p
	}
	for i := range 6 {
		p := start()
		time.Sleep(80 * time.Millisecond)
		if i%2 == 0 {
			suspend(p.cmd.Process)
		}
	}
	for _, p := range all {
		resume(p.cmd.Process)
	}
	start()

	// Whoever claims last, which may be one that was stopped before it could, goes on until it is
	// killed. All others must end by themselves.
	ends := make(chan int, len(all))
	for i, p := range all {
		go func() {
			<-p.read
			ends <- i
		}()
	}
	ended := map[int]bool{}
	deadline := time.After(time.Minute)
	for len(ended) < len(all)-1 {
		select {
		case i := <-ends:
			ended[i] = true
		case <-deadline:
			t.Fatalf("of %d incarnations only %d have ended", len(all), len(ended))
		}
	}
	require.Eventually(t, func() bool { return committed.Load() > 10 }, time.Minute, time.Millisecond)
	survivor := -1
	for i, p := range all {
		if !ended[i] {
			survivor = i
			require.NoError(t, p.cmd.Process.Kill())
			<-p.read
		}
	}

	type fact struct{ epoch, seq uint64 }
	var claims, commits []fact
	for i, p := range all {
		state := "failed to start"
		for _, line := range p.lines {
			var f fact
			n, err := fmt.Sscanf(line, "%s %d %d", &state, &f.epoch, &f.seq)
			require.NoError(t, err, "%d of %q", n, line)
			switch state {
			case "claimed":
				claims = append(claims, f)
			case "committed":
				commits = append(commits, f)
			}
		}
		_ = p.cmd.Wait()
		if i != survivor && state != "fenced" {
			t.Errorf("an incarnation ended as %q", state)
		}
	}
	require.Greater(t, len(commits), 10)
	for _, c := range commits {
		for _, later := range claims {
			if later.epoch > c.epoch {
				require.GreaterOrEqual(t, later.seq, c.seq, "epoch %d starts from %d, but %d was committed by epoch %d", later.epoch, later.seq, c.seq, c.epoch)
			}
		}
	}
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	c, damage, err := s.Newest()
	require.NoError(t, err)
	require.Empty(t, damage)
	whole(t, c)
	var last fact
	for _, c := range commits {
		if c.epoch > last.epoch || c.epoch == last.epoch && c.seq > last.seq {
			last = c
		}
	}
	require.GreaterOrEqual(t, c.Manifest.Seq, last.seq)
	_, err = s.Claim("the end")
	require.NoError(t, err)
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, d := range list {
		require.False(t, strings.HasSuffix(d.Name(), temporary), "left over: %s", d.Name())
	}
}

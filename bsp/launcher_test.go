package bsp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/launch/control"
	"github.com/ckpgen/ckpgen/store"
)

// launcher is the least that a job needs to be kept alive: it starts
// incarnations as their coordinators ask for, and by itself if there was none.
type launcher struct {
	t       *testing.T
	program string
	n       int
	env     []string
	dir     string // of the checkpoints
	run     string // of the sockets
	server  *control.Server

	// on is called for each message of a process, one at a time.
	on func(l *launcher, from int, m control.Message)

	listening sync.WaitGroup

	lock      sync.Mutex
	epoch     uint64
	processes []*exec.Cmd
	peers     map[int]*control.Peer
	restart   *control.Restart
	died      []control.Died // of this incarnation
	log       []string
	restarts  []control.Restart
	committed []control.Committed
	restored  map[uint64]int // by epoch: how many
	statuses  [][]int        // by incarnation and rank; -1 killed
	out, err  output
}

func newLauncher(t *testing.T, program string, n int, env ...string) *launcher {
	run, err := os.MkdirTemp("", "bsp")
	require.NoError(t, err)
	l := &launcher{t: t, program: program, n: n, env: env, dir: filepath.Join(t.TempDir(), "job"), run: run, peers: map[int]*control.Peer{}, restored: map[uint64]int{}}
	l.server, err = control.Listen(filepath.Join(run, "control"))
	require.NoError(t, err)
	l.server.Start()
	t.Cleanup(func() {
		l.server.Close()
		l.killAll()
		os.RemoveAll(run)
	})
	go func() {
		for p := range l.server.Peers() {
			l.listening.Add(1)
			go func() {
				defer l.listening.Done()
				l.listen(p)
			}()
		}
	}()
	return l
}

func (l *launcher) listen(p *control.Peer) {
	l.lock.Lock()
	if p.Hello.Epoch != l.epoch {
		l.lock.Unlock()
		p.Close()
		return
	}
	l.peers[p.Hello.Rank] = p
	for _, d := range l.died {
		p.Send(d) // it was not there to be told
	}
	l.lock.Unlock()
	for {
		m, err := p.Receive()
		if err != nil {
			return
		}
		l.lock.Lock()
		l.log = append(l.log, fmt.Sprintf("%d: %T %+v", p.Hello.Rank, m, m))
		switch m := m.(type) {
		case control.Restart:
			l.restart = &m
			l.restarts = append(l.restarts, m)
		case control.Committed:
			l.committed = append(l.committed, m)
		case control.Restored:
			l.restored[p.Hello.Epoch]++
		}
		if l.on != nil {
			l.on(l, p.Hello.Rank, m)
		}
		l.lock.Unlock()
	}
}

func (l *launcher) kill(rank int) { l.processes[rank].Process.Kill() }

func (l *launcher) killAll() {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, c := range l.processes {
		c.Process.Kill()
	}
}

// incarnation runs the job once, until all its processes have ended.
func (l *launcher) incarnation(epoch, restore uint64) []int {
	l.lock.Lock()
	l.epoch, l.restart = epoch, nil
	l.processes, l.died = nil, nil
	type death struct{ rank, status int }
	deaths := make(chan death, l.n)
	for rank := range l.n {
		c := exec.Command(os.Args[0])
		place := control.Job{Rank: rank, Size: l.n, Epoch: epoch, Restore: restore, RunDir: l.run, Control: filepath.Join(l.run, "control")}
		c.Env = append(os.Environ(), place.Variables()...)
		c.Env = append(c.Env, programVariable+"="+l.program, "CKP_DIR="+l.dir)
		c.Env = append(c.Env, l.env...)
		c.Stdout, c.Stderr = &l.out, &l.err
		require.NoError(l.t, c.Start())
		l.processes = append(l.processes, c)
		go func() {
			c.Wait()
			deaths <- death{rank, c.ProcessState.ExitCode()}
		}()
	}
	l.lock.Unlock()
	statuses := make([]int, l.n)
	timeout := time.After(30 * time.Second)
	for range l.n {
		select {
		case d := <-deaths:
			statuses[d.rank] = d.status
			said := d.status
			if said < 0 {
				said = 128 + int(syscall.SIGKILL)
			}
			l.lock.Lock()
			l.died = append(l.died, control.Died{Rank: d.rank, Status: said})
			for rank, p := range l.peers {
				if rank != d.rank && p.Hello.Epoch == epoch {
					p.Send(control.Died{Rank: d.rank, Status: said})
				}
			}
			l.lock.Unlock()
		case <-timeout:
			l.killAll()
			l.t.Fatalf("the processes did not end\n%s", l.report())
		}
	}
	// What the processes said last is still to be read.
	time.Sleep(20 * time.Millisecond)
	l.listening.Wait()
	l.statuses = append(l.statuses, statuses)
	return statuses
}

// live runs the job until it ends, and returns the statuses of its last
// incarnation.
func (l *launcher) live() []int {
	s, err := store.Open(l.dir, store.Options{})
	require.NoError(l.t, err)
	epoch, c, _, err := s.Resume("test")
	require.NoError(l.t, err)
	e, restore := uint64(epoch), c.Manifest.Seq
	for range 20 {
		statuses := l.incarnation(e, restore)
		l.lock.Lock()
		r := l.restart
		l.lock.Unlock()
		if r != nil {
			e, restore = r.Epoch, r.Restore
			continue
		}
		if !slices.Contains(statuses, -1) && !slices.Contains(statuses, control.ExitStandDown) {
			return statuses
		}
		// Nobody was left, or nobody was connected, to elect a coordinator.
		epoch, c, _, err := s.Resume("test")
		require.NoError(l.t, err)
		e, restore = uint64(epoch), c.Manifest.Seq
	}
	l.t.Fatalf("the job never ended\n%s", l.report())
	return nil
}

func (l *launcher) report() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	s := ""
	for _, line := range l.log {
		s += line + "\n"
	}
	return s + l.out.String() + l.err.String()
}

// first claims the first epoch.
func first(t *testing.T, l *launcher) uint64 {
	s, err := store.Open(l.dir, store.Options{})
	require.NoError(t, err)
	e, err := s.Claim("test")
	require.NoError(t, err)
	return uint64(e)
}

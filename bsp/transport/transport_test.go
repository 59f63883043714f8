package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kinds are the ways to make the meshes of n processes.
var kinds = map[string]func(t *testing.T, n int) []Mesh{
	"sockets":  func(t *testing.T, n int) []Mesh { return build(t, n, shortDir(t), Sockets) },
	"loopback": func(t *testing.T, n int) []Mesh { return build(t, n, shortDir(t), Loopback) },
	"a long name": func(t *testing.T, n int) []Mesh {
		dir := filepath.Join(shortDir(t), strings.Repeat("long/", 30))
		require.NoError(t, os.MkdirAll(dir, 0o700))
		return build(t, n, dir, Sockets)
	},
	"pipes": func(t *testing.T, n int) []Mesh { return Pipes(n) },
}

func shortDir(t *testing.T) string {
	dir, err := os.MkdirTemp("", "mesh")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

type connector func(context.Context, string, Member) (Mesh, error)

func build(t *testing.T, n int, dir string, c connector) []Mesh {
	meshes := make([]Mesh, n)
	all(n, func(rank int) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		m, err := c(ctx, dir, Member{Job: "test", Rank: rank, Size: n, Epoch: 3})
		if err != nil {
			t.Error(err)
		}
		meshes[rank] = m
	})
	if t.Failed() {
		t.FailNow()
	}
	return meshes
}

func all(n int, f func(rank int)) {
	var w sync.WaitGroup
	for rank := range n {
		w.Go(func() { f(rank) })
	}
	w.Wait()
}

// log collects the events of one process.
type log struct {
	lock    sync.Mutex
	signals [][]string
	closed  []error
	changed chan bool
}

func newLog(n int) *log {
	return &log{signals: make([][]string, n), closed: make([]error, n), changed: make(chan bool, 1000)}
}

func (l *log) Signal(from int, b []byte) {
	l.lock.Lock()
	if l.closed[from] != nil {
		panic("a signal after the end")
	}
	l.signals[from] = append(l.signals[from], string(b))
	l.lock.Unlock()
	l.changed <- true
}

func (l *log) Closed(peer int, err error) {
	l.lock.Lock()
	if l.closed[peer] != nil {
		panic("closed twice")
	}
	l.closed[peer] = err
	l.lock.Unlock()
	l.changed <- true
}

func (l *log) until(t *testing.T, so func() bool) {
	deadline := time.After(5 * time.Second)
	for {
		l.lock.Lock()
		ok := so()
		l.lock.Unlock()
		if ok {
			return
		}
		select {
		case <-l.changed:
		case <-deadline:
			t.Error("it never happened")
			return
		}
	}
}

// Frames of many sizes arrive as they were sent, in order, while all send to
// all; signals pass at the same time.
func TestFrames(t *testing.T) {
	for name, make := range kinds {
		t.Run(name, func(t *testing.T) {
			const n = 4
			meshes := make(t, n)
			lengths := []int{0, 1, 7, 8, 9, 100, SmallFrame - 8, SmallFrame, SmallFrame + 1, 3 * SmallFrame, 1 << 20, 5, 3<<20 + 7}
			content := func(from, to, length int) []byte {
				r := rand.NewChaCha8([32]byte{byte(from), byte(to), byte(length)})
				b := bytes.Repeat([]byte{0}, length)
				r.Read(b)
				return b
			}
			logs := [n]*log{}
			all(n, func(me int) {
				m := meshes[me]
				logs[me] = newLog(n)
				m.Start(logs[me])
				var w sync.WaitGroup
				for peer := range n {
					if peer == me {
						continue
					}
					w.Go(func() {
						for i, l := range lengths {
							b := content(me, peer, l)
							if err := m.Send(peer, b[:l/3], nil, b[l/3:]); err != nil {
								t.Error(err)
							}
							if err := m.Signal(peer, fmt.Append(nil, i)); err != nil {
								t.Error(err)
							}
						}
					})
					w.Go(func() {
						var buf []byte
						for i, l := range lengths {
							for i%2 == 0 && name != "pipes" && !m.Ready(peer) {
								time.Sleep(10 * time.Microsecond) // what Ready has read is not lost
							}
							var err error
							if buf, err = m.Receive(peer, buf); err != nil || !bytes.Equal(buf, content(peer, me, l)) {
								t.Errorf("frame %d of %d bytes: %d bytes, %v", i, l, len(buf), err)
							}
						}
					})
				}
				w.Wait()
				logs[me].until(t, func() bool {
					for peer := range n {
						if peer != me && len(logs[me].signals[peer]) < len(lengths) {
							return false
						}
					}
					return true
				})
			})
			for _, l := range logs {
				for from, s := range l.signals {
					for i, text := range s {
						require.Equal(t, fmt.Sprint(i), text, "from %d", from)
					}
				}
			}
			all(n, func(me int) { meshes[me].Close() })
			require.Error(t, meshes[0].Send(1, []byte("x")))
			_, err := meshes[0].Receive(1, nil)
			require.ErrorIs(t, err, ErrClosed)
		})
	}
}

// The end of a peer is reported once, after all that it sent.
func TestClose(t *testing.T) {
	for name, make := range kinds {
		t.Run(name, func(t *testing.T) {
			meshes := make(t, 3)
			l := newLog(3)
			meshes[0].Start(l)
			require.NoError(t, meshes[1].Signal(0, []byte("bye")))
			require.NoError(t, meshes[1].Send(0, []byte("last")))
			require.NoError(t, meshes[1].Close())
			l.until(t, func() bool { return l.closed[1] != nil })
			require.Equal(t, []string{"bye"}, l.signals[1])
			require.ErrorIs(t, l.closed[1], io.EOF)
			b, err := meshes[0].Receive(1, nil)
			require.NoError(t, err)
			require.Equal(t, "last", string(b))
			_, err = meshes[0].Receive(1, nil)
			var lost *PeerError
			require.ErrorAs(t, err, &lost)
			require.Equal(t, 1, lost.Rank)
			require.Nil(t, l.closed[2])
			meshes[0].Close()
			meshes[2].Close()
			require.Nil(t, l.closed[2], "the own end was reported as a peer's")
		})
	}
}

// A process of another epoch, job or size is told so.
func TestRefusal(t *testing.T) {
	for _, c := range []struct {
		stranger Member
		says     string
	}{
		{Member{"test", 2, 3, 2}, "process 0 refuses the connection: epoch 2 is over, the job runs in epoch 3"},
		{Member{"test", 2, 3, 4}, "process 0 refuses the connection: this process belongs to epoch 3, which is older than 4"},
		{Member{"other", 2, 3, 3}, `process 0 refuses the connection: this is job "test", not "other"`},
		{Member{"test", 2, 4, 3}, "process 0 refuses the connection: the job has 3 processes, not 4"},
		{Member{"test", 0, 3, 3}, "process 0 refuses the connection: a process of rank 0 does not connect to rank 0 of 3"},
		{Member{"test", 1, 3, 3}, "process 0 refuses the connection: a process of rank 1 is already connected"},
	} {
		t.Run(c.says, func(t *testing.T) {
			dir := shortDir(t)
			meshes := build(t, 3, dir, Sockets)
			conn, err := net.Dial("unix", socketName(dir, 3, 0))
			require.NoError(t, err)
			defer conn.Close()
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			err = greet(ctx, conn, hello{c.stranger, frames}, 0)
			require.EqualError(t, err, c.says)
			all(3, func(rank int) { meshes[rank].Close() })
		})
	}
}

// What is no hello is closed, and does no harm.
func TestNoHello(t *testing.T) {
	dir := shortDir(t)
	meshes := build(t, 2, dir, Sockets)
	for _, text := range []string{"", "GET / HTTP/1.1\r\n\r\n________________________________", helloMagic + "\x00"} {
		conn, err := net.Dial("unix", socketName(dir, 3, 0))
		require.NoError(t, err)
		conn.Write([]byte(text))
		conn.(*net.UnixConn).CloseWrite()
		conn.SetDeadline(time.Now().Add(5 * time.Second))
		b, err := io.ReadAll(conn)
		require.False(t, os.IsTimeout(err))
		require.Empty(t, b)
		conn.Close()
	}
	require.NoError(t, meshes[0].Send(1, []byte("still there")))
	b, err := meshes[1].Receive(0, nil)
	require.NoError(t, err)
	require.Equal(t, "still there", string(b))
	all(2, func(rank int) { meshes[rank].Close() })
}

// Connecting ends, and names who is missing.
func TestAbsent(t *testing.T) {
	dir := shortDir(t)
	errs := make([]error, 3)
	all(3, func(rank int) {
		if rank == 1 {
			return
		}
		ctx, cancel := context.WithTimeoutCause(context.Background(), 200*time.Millisecond, errors.New("waited long enough"))
		defer cancel()
		_, errs[rank] = Sockets(ctx, dir, Member{Job: "test", Rank: rank, Size: 3, Epoch: 1})
	})
	for _, rank := range []int{0, 2} {
		require.ErrorContains(t, errs[rank], "no connection to process 1: waited long enough")
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "sockets are left behind")
}

// The socket of a dead process is replaced, that of a living one is not.
func TestStaleSocket(t *testing.T) {
	dir := shortDir(t)
	m := Member{Job: "test", Rank: 0, Size: 1, Epoch: 1}
	l, err := net.Listen("unix", socketName(dir, 1, 0))
	require.NoError(t, err)
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	_, err = Sockets(context.Background(), dir, m)
	require.ErrorContains(t, err, "already running")
	require.NoError(t, l.Close())
	mesh, err := Sockets(context.Background(), dir, m)
	require.NoError(t, err)
	require.NoError(t, mesh.Close())
}

// A peer that reads nothing does not hold up signals for long.
func TestDeafPeer(t *testing.T) {
	meshes := build(t, 2, shortDir(t), Sockets)
	began := time.Now()
	var err error
	for err == nil { // process 1 never starts to listen
		err = meshes[0].Signal(1, make([]byte, MaxSignal))
	}
	require.Less(t, time.Since(began), 3*time.Second)
	all(2, func(rank int) { meshes[rank].Close() })
}

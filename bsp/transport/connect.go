package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// maxSocketName is what fits into the address of a unix socket on every system
// (104 bytes on darwin, 108 on Linux, with the final zero).
const maxSocketName = 103

// Sockets connects m with its peers by unix domain sockets in dir, which all
// have in common and nobody else can write to. If the names would be too long
// for socket addresses it does what [Loopback] does. It returns when all are
// connected, or with an error when ctx is done.
func Sockets(ctx context.Context, dir string, m Member) (Mesh, error) {
	if len(socketName(dir, m.Epoch, m.Size)) > maxSocketName {
		return Loopback(ctx, dir, m)
	}
	name := socketName(dir, m.Epoch, m.Rank)
	if err := clear(name, m); err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", name)
	if err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		l.Close()
		return nil, fmt.Errorf("transport: %w", err)
	}
	dial := func(ctx context.Context, rank int) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", socketName(dir, m.Epoch, rank))
	}
	return connect(ctx, m, l, dial)
}

// Loopback connects m with its peers by TCP over the loopback interface. The
// addresses are exchanged as files in dir, which all have in common and nobody
// else can write to. It returns when all are connected, or with an error when
// ctx is done.
func Loopback(ctx context.Context, dir string, m Member) (Mesh, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	name := addressName(dir, m.Epoch, m.Rank)
	if err := publish(name, l.Addr().String()); err != nil {
		l.Close()
		return nil, fmt.Errorf("transport: %w", err)
	}
	dial := func(ctx context.Context, rank int) (net.Conn, error) {
		address, err := os.ReadFile(addressName(dir, m.Epoch, rank))
		if err != nil {
			return nil, err
		}
		var d net.Dialer
		return d.DialContext(ctx, "tcp", string(address))
	}
	return connect(ctx, m, &published{l, name}, dial)
}

func socketName(dir string, epoch uint64, rank int) string {
	return filepath.Join(dir, fmt.Sprintf("e%d-r%d", epoch, rank))
}

func addressName(dir string, epoch uint64, rank int) string {
	return filepath.Join(dir, fmt.Sprintf("e%d-r%d.addr", epoch, rank))
}

// clear removes the socket that a dead process left behind, and nothing that
// is in use.
func clear(name string, m Member) error {
	c, err := net.Dial("unix", name)
	if err == nil {
		c.Close()
		return fmt.Errorf("transport: a process of rank %d, epoch %d is already running (%s)", m.Rank, m.Epoch, name)
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("transport: %w", err)
	}
	return nil
}

func publish(name, address string) error {
	temporary := name + ".new"
	if err := os.WriteFile(temporary, []byte(address), 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}

// published is a listener whose address stands in a file.
type published struct {
	net.Listener
	name string
}

func (p *published) Close() error {
	err := p.Listener.Close()
	os.Remove(p.name)
	return err
}

// connect builds the mesh of m: it accepts the processes of higher rank from l
// and dials those of lower rank.
func connect(ctx context.Context, m Member, l net.Listener, dial func(context.Context, int) (net.Conn, error)) (Mesh, error) {
	c := &connecting{
		member:  m,
		mesh:    newStreams(m, l),
		missing: (m.Size - 1) * int(channels),
		done:    make(chan struct{}),
	}
	if c.missing == 0 {
		close(c.done)
	}
	go c.accept(l)
	for rank := range m.Rank {
		for ch := range channels {
			go func() {
				conn, err := c.reach(ctx, rank, ch, dial)
				if err == nil {
					err = c.add(rank, ch, conn)
				}
				if err != nil {
					c.fail(err)
				}
			}()
		}
	}
	select {
	case <-c.done:
	case <-ctx.Done():
		c.fail(fmt.Errorf("transport: rank %d, epoch %d: no connection to %s: %w; look whether they were started and what they said last",
			m.Rank, m.Epoch, c.absent(), context.Cause(ctx)))
	}
	c.lock.Lock()
	err := c.err
	c.complete = true
	c.lock.Unlock()
	if err != nil {
		c.mesh.Close()
		return nil, err
	}
	return c.mesh, nil
}

// connecting is a mesh that is being built.
type connecting struct {
	member Member
	done   chan struct{} // closed when all are there, or with err set

	lock     sync.Mutex
	mesh     *streams
	missing  int
	complete bool // nothing more is added
	err      error
}

// reach dials a process until it is there.
func (c *connecting) reach(ctx context.Context, rank int, ch channel, dial func(context.Context, int) (net.Conn, error)) (net.Conn, error) {
	pause := time.Millisecond
	for {
		conn, err := dial(ctx, rank)
		if err == nil {
			err = greet(ctx, conn, hello{c.member, ch}, rank)
			if err == nil {
				return conn, nil
			}
			conn.Close()
			var refused *RefusedError
			if errors.As(err, &refused) {
				return nil, err
			}
		}
		select {
		case <-ctx.Done():
			return nil, nil // connect says what is missing
		case <-c.done:
			return nil, nil
		case <-time.After(pause):
		}
		pause = min(2*pause, 20*time.Millisecond)
	}
}

func greet(ctx context.Context, conn net.Conn, h hello, to int) error {
	if deadline, ok := ctx.Deadline(); ok {
		conn.SetDeadline(deadline)
	}
	if err := h.write(conn); err != nil {
		return err
	}
	if err := readAnswer(conn, to); err != nil {
		return err
	}
	return conn.SetDeadline(time.Time{})
}

// helloTime bounds how long a stranger may take for its hello.
const helloTime = 5 * time.Second

// accept answers those who dial, for as long as the listener is open: after the
// mesh is complete, a process of another epoch still gets its refusal.
func (c *connecting) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				c.fail(fmt.Errorf("transport: %w", err))
			}
			return
		}
		go func() {
			conn.SetDeadline(time.Now().Add(helloTime))
			h, err := readHello(conn)
			if err != nil {
				conn.Close()
				return
			}
			refusal := c.member.refusal(h)
			if refusal == "" {
				refusal = c.taken(h)
			}
			if err := writeAnswer(conn, refusal); err != nil || refusal != "" {
				conn.Close()
				return
			}
			conn.SetDeadline(time.Time{})
			if err := c.add(h.Rank, h.channel, conn); err != nil {
				conn.Close()
			}
		}()
	}
}

func (c *connecting) taken(h hello) string {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.mesh.conn(h.Rank, h.channel) != nil {
		return fmt.Sprintf("a process of rank %d is already connected", h.Rank)
	}
	return ""
}

func (c *connecting) add(rank int, ch channel, conn net.Conn) error {
	if conn == nil {
		return nil
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.complete || c.err != nil || c.mesh.conn(rank, ch) != nil {
		conn.Close()
		return fmt.Errorf("transport: a connection of rank %d came too late or twice", rank)
	}
	c.mesh.set(rank, ch, conn)
	c.missing--
	if c.missing == 0 {
		close(c.done)
	}
	return nil
}

func (c *connecting) fail(err error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.err == nil && !c.complete && c.missing > 0 {
		c.err = err
		c.missing = 0
		close(c.done)
	}
}

// absent names the peers that are not connected.
func (c *connecting) absent() string {
	c.lock.Lock()
	defer c.lock.Unlock()
	var names []string
	for rank := range c.member.Size {
		if rank != c.member.Rank && (c.mesh.conn(rank, frames) == nil || c.mesh.conn(rank, signals) == nil) {
			names = append(names, fmt.Sprint(rank))
		}
	}
	if len(names) == 1 {
		return "process " + names[0]
	}
	return "processes " + strings.Join(names, ", ")
}

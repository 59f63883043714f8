package control

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// helloTimeout bounds the time from a connection to its Hello.
const helloTimeout = 10 * time.Second

// Server is the launcher's side: it accepts the processes of a job.
type Server struct {
	listener net.Listener
	accepted chan *Peer
	closing  chan struct{}
	done     sync.WaitGroup
	once     sync.Once

	// Refused is told of connections that were closed because they did not begin
	// with a Hello of this version. It may be nil and is set before Start.
	Refused func(error)
}

// Peer is the connection of one process, as the launcher sees it.
type Peer struct {
	*Conn
	Hello Hello
}

// Listen makes the socket. The name must be short: at most 100 bytes.
func Listen(name string) (*Server, error) {
	l, err := net.Listen("unix", name)
	if err != nil {
		return nil, fmt.Errorf("listen for the processes of the job: %w", err)
	}
	return &Server{listener: l, accepted: make(chan *Peer), closing: make(chan struct{})}, nil
}

// Start begins to accept connections. Peers gives those that said Hello.
func (s *Server) Start() {
	s.done.Add(1)
	go func() {
		defer s.done.Done()
		for {
			c, err := s.listener.Accept()
			if err != nil {
				if errors.Is(err, net.ErrClosed) {
					return
				}
				select { // out of descriptors, say: try again
				case <-time.After(50 * time.Millisecond):
				case <-s.closing:
					return
				}
				continue
			}
			s.done.Add(1)
			go func() {
				defer s.done.Done()
				s.greet(c)
			}()
		}
	}()
}

func (s *Server) greet(c net.Conn) {
	_ = c.SetReadDeadline(time.Now().Add(helloTimeout)) // before that of Close, which is to be the last
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-s.closing:
			_ = c.SetReadDeadline(time.Unix(1, 0))
		case <-stop:
		}
	}()
	p := &Peer{Conn: newConn(c)}
	m, err := p.Receive()
	hello, ok := m.(Hello)
	switch {
	case err != nil:
		err = fmt.Errorf("process did not introduce itself: %w", err)
	case !ok:
		err = fmt.Errorf("process sent %s before hello", m.kind())
	case hello.Version != Version:
		err = fmt.Errorf("process %d (pid %d) speaks version %d of the control protocol, this ckpgen version %d: build the program again", hello.Rank, hello.PID, hello.Version, Version)
	}
	if err != nil {
		_ = c.Close()
		if s.Refused != nil {
			s.Refused(err)
		}
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	p.Hello = hello
	select {
	case s.accepted <- p:
	case <-s.closing:
		_ = c.Close()
	}
}

// Peers gives the connections that said Hello. The receiver closes them.
func (s *Server) Peers() <-chan *Peer { return s.accepted }

// Close stops accepting and removes the socket. Connections given out stay open.
func (s *Server) Close() error {
	s.once.Do(func() { close(s.closing) })
	err := s.listener.Close()
	s.done.Wait()
	return err
}

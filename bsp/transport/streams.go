package transport

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// streams is a mesh over byte streams: a connection for the frames and one for
// the signals of each peer.
type streams struct {
	member   Member
	listener net.Listener
	peers    []peer
	closed   atomic.Bool
	closing  sync.Once
}

type peer struct {
	frames  net.Conn
	signals net.Conn
	probe   probe // of frames

	// Receiving: have[from:] was read from frames and not yet used.
	have []byte
	from int

	out     []byte      // reused by Send for small frames
	buffers net.Buffers // reused by Send for large ones

	signaling sync.Mutex // of writing to signals
	lost      bool       // a write to signals failed
}

// readAhead is the size of the buffer in which small frames arrive.
const readAhead = 2 * SmallFrame

func newStreams(m Member, l net.Listener) *streams {
	return &streams{member: m, listener: l, peers: make([]peer, m.Size)}
}

func (s *streams) conn(rank int, ch channel) net.Conn {
	if ch == frames {
		return s.peers[rank].frames
	}
	return s.peers[rank].signals
}

func (s *streams) set(rank int, ch channel, c net.Conn) {
	p := &s.peers[rank]
	if ch == signals {
		p.signals = c
		return
	}
	p.frames = c
	p.have = make([]byte, 0, readAhead)
	p.probe = newProbe(c)
}

func (s *streams) Send(rank int, parts ...[]byte) error {
	p := &s.peers[rank]
	n := 0
	for _, part := range parts {
		n += len(part)
	}
	var err error
	if n <= SmallFrame {
		p.out = binary.LittleEndian.AppendUint64(p.out[:0], uint64(n))
		for _, part := range parts {
			p.out = append(p.out, part...)
		}
		_, err = p.frames.Write(p.out)
	} else {
		p.out = binary.LittleEndian.AppendUint64(p.out[:0], uint64(n))
		b := append(p.buffers[:0], p.out)
		for _, part := range parts {
			if len(part) > 0 {
				b = append(b, part)
			}
		}
		p.buffers = b
		_, err = b.WriteTo(p.frames)
	}
	return s.report(rank, err)
}

func (s *streams) report(rank int, err error) error {
	switch {
	case err == nil:
		return nil
	case s.closed.Load():
		return ErrClosed
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = io.EOF
	}
	return &PeerError{Rank: rank, Err: err}
}

func (s *streams) Ready(rank int) bool {
	p := &s.peers[rank]
	if p.from < len(p.have) {
		return true
	}
	p.have, p.from = p.have[:0], 0
	p.have = p.probe.read(p.have)
	return len(p.have) > 0
}

func (s *streams) Receive(rank int, buf []byte) ([]byte, error) {
	p := &s.peers[rank]
	for len(p.have)-p.from < 8 {
		if err := p.fill(); err != nil {
			return buf[:0], s.report(rank, err)
		}
	}
	length := binary.LittleEndian.Uint64(p.have[p.from:])
	p.from += 8
	if length > maxFrame {
		return buf[:0], s.report(rank, fmt.Errorf("a frame of %d bytes was announced, %d are possible", length, uint64(maxFrame)))
	}
	n := int(length)
	if cap(buf) < n {
		buf = make([]byte, max(n, 64)) // 64: allocated as words, so aligned
	}
	buf = buf[:n]
	k := copy(buf, p.have[p.from:])
	p.from += k
	if k < n {
		if _, err := io.ReadFull(p.frames, buf[k:]); err != nil {
			return buf[:0], s.report(rank, err)
		}
	}
	return buf, nil
}

// maxFrame bounds the length of a frame: what a process can have in memory.
const maxFrame = 1 << 46

// fill reads more into have.
func (p *peer) fill() error {
	if p.from > 0 {
		n := copy(p.have[:cap(p.have)], p.have[p.from:])
		p.have, p.from = p.have[:n], 0
	}
	n, err := p.frames.Read(p.have[len(p.have):cap(p.have)])
	p.have = p.have[:len(p.have)+n]
	if n > 0 {
		return nil
	}
	return err
}

// signalTime bounds how long a signal may wait, each of signalTries times, for a peer that reads
// nothing. Where the machine itself stands still for that long, the time is over before anything
// was tried.
const (
	signalTime  = 200 * time.Millisecond
	signalTries = 2
)

func (s *streams) Signal(rank int, message []byte) error {
	if len(message) > MaxSignal {
		return fmt.Errorf("transport: a signal of %d bytes, %d are possible", len(message), MaxSignal)
	}
	p := &s.peers[rank]
	p.signaling.Lock()
	defer p.signaling.Unlock()
	if p.lost {
		return &PeerError{Rank: rank, Err: net.ErrClosed}
	}
	b := make([]byte, 4, 4+len(message))
	binary.LittleEndian.PutUint32(b, uint32(len(message)))
	b = append(b, message...)
	var err error
	for range signalTries {
		var n int
		p.signals.SetWriteDeadline(time.Now().Add(signalTime))
		if n, err = p.signals.Write(b); !errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		b = b[n:]
	}
	if err != nil {
		// Part of it may have been written: nothing sensible can follow.
		p.lost = true
		return s.report(rank, err)
	}
	return nil
}

func (s *streams) Start(e Events) {
	for rank := range s.peers {
		if rank != s.member.Rank {
			go s.listen(rank, e)
		}
	}
}

// listen delivers the signals of one peer.
func (s *streams) listen(rank int, e Events) {
	c := s.peers[rank].signals
	for {
		var head [4]byte
		_, err := io.ReadFull(c, head[:])
		var message []byte
		if err == nil {
			n := binary.LittleEndian.Uint32(head[:])
			if n > MaxSignal {
				err = fmt.Errorf("a signal of %d bytes was announced, %d are possible", n, MaxSignal)
			} else {
				message = make([]byte, n)
				_, err = io.ReadFull(c, message)
			}
		}
		if err != nil {
			if !s.closed.Load() {
				if errors.Is(err, io.ErrUnexpectedEOF) {
					err = io.EOF
				}
				e.Closed(rank, err)
			}
			return
		}
		e.Signal(rank, message)
	}
}

func (s *streams) Close() error {
	s.closing.Do(func() {
		s.closed.Store(true)
		s.listener.Close()
		for i := range s.peers {
			for _, c := range []net.Conn{s.peers[i].frames, s.peers[i].signals} {
				if c != nil {
					c.Close()
				}
			}
		}
	})
	return nil
}

package transport

import (
	"io"
	"sync"
)

// Pipes returns n meshes that are connected with each other within this
// process. Sending never waits.
func Pipes(n int) []Mesh {
	all := make([]*pipes, n)
	for i := range all {
		p := &pipes{rank: i, frames: make([]queue, n), signals: make([]queue, n)}
		for k := range n {
			p.frames[k].changed.L = &p.frames[k].lock
			p.signals[k].changed.L = &p.signals[k].lock
		}
		all[i] = p
	}
	meshes := make([]Mesh, n)
	for i, p := range all {
		p.all = all
		meshes[i] = p
	}
	return meshes
}

// pipes is the mesh of one of several processes that live in one.
type pipes struct {
	rank    int
	all     []*pipes
	frames  []queue // by sender
	signals []queue
}

// queue holds what was sent and not yet received.
type queue struct {
	lock    sync.Mutex
	changed sync.Cond
	waiting [][]byte
	closed  bool // by the sender: an end after what is waiting
	deaf    bool // closed by the receiver
}

func (q *queue) put(message []byte) bool {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.closed || q.deaf {
		return false
	}
	q.waiting = append(q.waiting, message)
	q.changed.Signal()
	return true
}

func (q *queue) take() ([]byte, error) {
	q.lock.Lock()
	defer q.lock.Unlock()
	for {
		switch {
		case q.deaf:
			return nil, ErrClosed
		case len(q.waiting) > 0:
			m := q.waiting[0]
			q.waiting = q.waiting[1:]
			return m, nil
		case q.closed:
			return nil, io.EOF
		}
		q.changed.Wait()
	}
}

func (q *queue) end(deaf bool) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if deaf {
		q.deaf = true
	} else {
		q.closed = true
	}
	q.changed.Broadcast()
}

func (p *pipes) Send(peer int, parts ...[]byte) error {
	n := 0
	for _, part := range parts {
		n += len(part)
	}
	frame := make([]byte, 0, max(n, 64))
	for _, part := range parts {
		frame = append(frame, part...)
	}
	if !p.all[peer].frames[p.rank].put(frame) {
		return &PeerError{Rank: peer, Err: io.ErrClosedPipe}
	}
	return nil
}

func (p *pipes) Receive(peer int, buf []byte) ([]byte, error) {
	frame, err := p.frames[peer].take()
	switch {
	case err == ErrClosed:
		return buf[:0], err
	case err != nil:
		return buf[:0], &PeerError{Rank: peer, Err: err}
	}
	return frame, nil
}

func (p *pipes) Ready(peer int) bool {
	q := &p.frames[peer]
	q.lock.Lock()
	defer q.lock.Unlock()
	return len(q.waiting) > 0 || q.closed || q.deaf
}

func (p *pipes) Signal(peer int, message []byte) error {
	if !p.all[peer].signals[p.rank].put(append([]byte(nil), message...)) {
		return &PeerError{Rank: peer, Err: io.ErrClosedPipe}
	}
	return nil
}

func (p *pipes) Start(e Events) {
	for peer := range p.all {
		if peer == p.rank {
			continue
		}
		go func() {
			for {
				m, err := p.signals[peer].take()
				if err == ErrClosed {
					return
				}
				if err != nil {
					e.Closed(peer, err)
					return
				}
				e.Signal(peer, m)
			}
		}()
	}
}

func (p *pipes) Close() error {
	for peer := range p.all {
		p.frames[peer].end(true)
		p.signals[peer].end(true)
		p.all[peer].frames[p.rank].end(false)
		p.all[peer].signals[p.rank].end(false)
	}
	return nil
}

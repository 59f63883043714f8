package bsp

import (
	"encoding/json"
	"sync"
)

// A checkpoint is committed while the program goes on, and may be in the middle of an exchange. So
// what the processes have to say to each other about it are signals, which do not wait for the
// frames. They come when they come: also before the process that they are for has written its own
// part.

// A note is a process's word on a checkpoint.
type note struct {
	seq  uint64
	from int
}

// notes are those that have come and were not taken yet.
type notes[T any] struct {
	mu   sync.Mutex
	come sync.Cond
	list map[note]T
}

func newNotes[T any]() *notes[T] {
	n := &notes[T]{list: make(map[note]T)}
	n.come.L = &n.mu
	return n
}

func (n *notes[T]) put(of note, what T) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list[of] = what
	n.come.Broadcast()
}

// take waits for a note. If its sender dies instead, something else ends this process.
func (n *notes[T]) take(of note) T {
	n.mu.Lock()
	defer n.mu.Unlock()
	for {
		if what, ok := n.list[of]; ok {
			delete(n.list, of)
			return what
		}
		n.come.Wait()
	}
}

// signed is how a note is sent.
type signed[T any] struct {
	Seq  uint64
	What T
}

// notify sends a note about a checkpoint.
func (p *process) notify(to int, kind byte, seq uint64, what any) {
	b, err := json.Marshal(signed[any]{seq, what})
	if err != nil {
		p.fail(err)
	}
	if err := p.mesh.Signal(to, append([]byte{kind}, b...)); err != nil {
		p.lost(err)
	}
}

// noted takes in a note that another process has sent. Neither is ever damaged on its way, so one
// that can't be read is a mistake of the sender's, without which this process can't go on.
func noted[T any](p *process, n *notes[T], from int, message []byte) {
	var s signed[T]
	if err := json.Unmarshal(message, &s); err != nil {
		p.damaged(from)
	}
	n.put(note{s.Seq, from}, s.What)
}

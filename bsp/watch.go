package bsp

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ckpgen/ckpgen/launch/control"
)

// watch is what goes on beside the computation: it obeys the launcher, and
// notices what becomes of the peers.
type watch struct {
	p         *process
	leaving   atomic.Bool   // a goroutine is ending this process
	requested atomic.Uint32 // decision that the launcher asked for
	parted    atomic.Bool   // End was reached by all

	lock    sync.Mutex
	changed *sync.Cond
	gone    []bool // peers that said goodbye, or are closed after the end
	closed  []bool // peers whose connection is closed
}

// Signals between processes begin with what they are.
const (
	abortByte byte = iota + 1 // the text follows
	byeByte                   // the sender has reached End
)

func abortSignal(text string) []byte {
	const most = 4 << 10
	return append([]byte{abortByte}, text[:min(len(text), most)]...)
}

func newWatch(p *process) *watch {
	w := &watch{p: p, gone: make([]bool, p.size), closed: make([]bool, p.size)}
	w.changed = sync.NewCond(&w.lock)
	return w
}

// leave reports whether the caller is the one who ends this process.
func (w *watch) leave() bool { return w.leaving.CompareAndSwap(false, true) }

// obey receives what the launcher says.
func (w *watch) obey(c *control.Client) {
	for m := range c.Messages() {
		switch m.(type) {
		case control.Checkpoint:
			w.requested.CompareAndSwap(uint32(none), uint32(saveAndGo))
		case control.Stop:
			w.requested.Store(uint32(saveAndStop))
		case control.Died:
		}
	}
	if w.leave() {
		fmt.Fprintf(os.Stderr, "bsp: process %d: the launcher is gone; start the same command again to go on from the last checkpoint\n", w.p.rank)
		os.Exit(control.ExitLauncherLost)
	}
}

// decide is what process 0 says about a checkpoint in this superstep.
func (w *watch) decide() decision {
	d := due()
	if r := decision(w.requested.Swap(uint32(none))); r > d {
		d = r
	}
	return d
}

// Signal implements transport.Events.
func (w *watch) Signal(from int, message []byte) {
	if len(message) == 0 {
		return
	}
	switch message[0] {
	case abortByte:
		if w.leave() {
			// Who aborted has said why. Passing it on makes sure that nobody
			// sees our end before the reason for it.
			w.spread(message)
			os.Exit(1)
		}
	case byeByte:
		w.lock.Lock()
		w.gone[from] = true
		w.changed.Broadcast()
		w.lock.Unlock()
	}
}

// spread sends a signal to all peers.
func (w *watch) spread(message []byte) {
	if w.p.mesh == nil {
		return
	}
	for peer := range w.p.size {
		if peer != w.p.rank {
			_ = w.p.mesh.Signal(peer, message) // who is gone needs none
		}
	}
}

// Closed implements transport.Events.
func (w *watch) Closed(peer int, err error) {
	w.lock.Lock()
	w.closed[peer] = true
	bye := w.gone[peer] || w.parted.Load()
	w.gone[peer] = bye
	w.changed.Broadcast()
	w.lock.Unlock()
	if bye {
		return
	}
	if w.p.launcher == nil {
		w.alone(peer, err)
	}
}

// alone ends a process that has lost a peer and has no launcher to start it
// again.
func (w *watch) alone(peer int, err error) {
	if w.leave() {
		fmt.Fprintf(os.Stderr, "bsp: process %d: the connection to process %d is lost (%v); without ckpgen run nobody restarts the job\n", w.p.rank, peer, err)
		os.Exit(1)
	}
}

// outcomeTime bounds how long a process that can't go on waits to be told what
// becomes of the job.
const outcomeTime = 60 * time.Second

// missed is called by the computation when it can't go on without a peer. It
// does not return unless nothing comes of that.
func (w *watch) missed(peer int, err error) {
	// The other connection of the peer says more: a reason, maybe.
	w.lock.Lock()
	t := time.AfterFunc(2*time.Second, w.changed.Broadcast)
	for start := time.Now(); !w.closed[peer] && time.Since(start) < 2*time.Second; {
		w.changed.Wait()
	}
	t.Stop()
	w.lock.Unlock()
	if w.p.launcher == nil {
		w.alone(peer, err)
	}
	time.Sleep(outcomeTime)
}

// partTime bounds how long a process waits at its end for others to notice
// that it is one.
const partTime = 10 * time.Second

// part takes leave of all peers: after it nobody takes a closed connection for
// a death.
func (w *watch) part() {
	w.parted.Store(true)
	if w.p.mesh == nil {
		return
	}
	w.spread([]byte{byeByte})
	deadline := time.Now().Add(partTime)
	t := time.AfterFunc(partTime, w.changed.Broadcast)
	defer t.Stop()
	w.lock.Lock()
	defer w.lock.Unlock()
	for peer := range w.gone {
		for peer != w.p.rank && !w.gone[peer] && time.Now().Before(deadline) {
			w.changed.Wait()
		}
	}
}

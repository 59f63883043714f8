package bsp

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ckpgen/ckpgen/detector"
	"github.com/ckpgen/ckpgen/launch/control"
)

// Heartbeats are sent every eta; a silence of delta is taken for a death. A
// death on this host is noticed at once by its closed connections, so the
// silence is that of a process that hangs: delta may be generous, as a wrong
// suspicion costs a restart.
const (
	eta   = 250 * time.Millisecond
	delta = 8 * eta
)

// watch is what goes on beside the computation: it obeys the launcher, notices
// what becomes of the peers, and drives the failure detector.
type watch struct {
	p       *process
	leaving atomic.Bool // a goroutine is ending this process
	joined  atomic.Bool // the mesh is there, and the detector if there is one
	done    atomic.Bool // this process has called End: the others may end
	parted  atomic.Bool // this process is ending, and says so: nothing is a failure any more
	began   time.Time   // zero of the detector's clock

	lock    sync.Mutex
	changed *sync.Cond
	node    *detector.Node // nil without a launcher or peers
	gone    []bool         // peers that said goodbye
	closed  []bool         // peers whose connection is closed
	orphans []bool         // peers that have lost the launcher
	claimed claim          // the last epoch that this process claimed
}

// Signals between processes begin with what they are.
const (
	abortByte    byte = iota + 1 // the text follows
	byeByte                      // the sender is about to end
	detectorByte                 // a message of the detector follows
	leaveByte                    // as byeByte, but to make way for the next incarnation
	partByte                     // a process has written its part of a checkpoint: a note of a partReport follows
	verdictByte                  // what came of the checkpoint: a note of an outcome
	orphanByte                   // the sender has lost the launcher and is about to end
)

func abortSignal(text string) []byte {
	const most = 4 << 10
	return append([]byte{abortByte}, text[:min(len(text), most)]...)
}

func newWatch(p *process) *watch {
	w := &watch{p: p, began: time.Now(), gone: make([]bool, p.size), closed: make([]bool, p.size), orphans: make([]bool, p.size)}
	w.changed = sync.NewCond(&w.lock)
	return w
}

// start begins to watch the peers. Without a launcher there is no detector:
// nobody could start what it finds dead.
func (w *watch) start() error {
	if w.p.launcher != nil {
		members := make([]int, w.p.size)
		for i := range members {
			members[i] = i
		}
		n, err := detector.New(detector.Config{Self: w.p.rank, Members: members, Epoch: w.p.job.Epoch, Eta: eta, Delta: delta})
		if err != nil {
			return err
		}
		w.node = n
		go w.tick()
	}
	w.joined.Store(true)
	w.p.mesh.Start(w)
	return nil
}

func (w *watch) tick() {
	for range time.Tick(eta / 2) {
		if w.parted.Load() {
			return
		}
		w.input(func(now time.Duration) { w.node.Tick(now) })
	}
}

// leave reports whether the caller is the one who ends this process.
func (w *watch) leave() bool { return w.leaving.CompareAndSwap(false, true) }

// obey receives what the launcher says.
func (w *watch) obey(c *control.Client) {
	for m := range c.Messages() {
		switch m := m.(type) {
		case control.Checkpoint:
			passOn(false)
		case control.Stop:
			passOn(true)
		case control.Died:
			if m.Rank < 0 || m.Rank >= w.p.size {
				continue
			}
			if !w.joined.Load() && w.p.size > 1 && m.Status != control.ExitStopped {
				// The mesh will never be complete, and without it nobody
				// can be elected: the launcher has to see to it.
				w.standDown("")
			}
			if m.Status == control.ExitStandDown {
				w.follow()
			}
			// It said goodbye to us, or will have. A status of 0 is the end of a program that did not
			// wait for this process, unless this one has called End, too.
			normal := m.Status == control.ExitStopped || m.Status == control.ExitStandDown || m.Status == 0 && w.done.Load()
			w.input(func(now time.Duration) {
				if normal {
					w.node.Finished(now, m.Rank)
				} else {
					w.node.Died(now, m.Rank)
				}
			})
		}
	}
	if w.leave() {
		if w.p.rank == 0 {
			fmt.Fprintln(os.Stderr, "bsp: the launcher is gone; start the same command again to go on from the last checkpoint")
		}
		w.spread([]byte{orphanByte})
		os.Exit(control.ExitLauncherLost)
	}
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
	case byeByte, leaveByte:
		if message[0] == leaveByte {
			w.follow()
		}
		w.lock.Lock()
		w.gone[from] = true
		w.changed.Broadcast()
		w.lock.Unlock()
		w.input(func(now time.Duration) { w.node.Finished(now, from) })
	case orphanByte:
		w.lock.Lock()
		w.orphans[from] = true
		w.lock.Unlock()
	case partByte:
		noted(w.p, w.p.parts, from, message[1:])
	case verdictByte:
		noted(w.p, w.p.verdicts, from, message[1:])
	case detectorByte:
		m, err := detector.ParseMessage(message[1:])
		if err != nil || m.From != from {
			return // as if it were lost, which the detector endures
		}
		w.input(func(now time.Duration) { w.node.Step(now, m) })
	}
}

// spread sends a signal to all peers.
func (w *watch) spread(message []byte) {
	if !w.joined.Load() {
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
	failure := !w.gone[peer] && !w.parted.Load()
	w.changed.Broadcast()
	w.lock.Unlock()
	if failure {
		w.failed(peer, err)
	}
}

// failed is called when a peer is gone that should be there.
func (w *watch) failed(peer int, err error) {
	if w.p.launcher != nil {
		w.lock.Lock()
		orphan := w.orphans[peer]
		w.lock.Unlock()
		// Who has lost the launcher is most often the first to notice that it is gone, which is no
		// time for an election. If only that process has lost it, the launcher tells of its death,
		// or its silence does.
		if !orphan {
			w.input(func(now time.Duration) { w.node.PeerClosed(now, peer) })
		}
		return
	}
	if w.leave() {
		fmt.Fprintf(os.Stderr, "bsp: process %d: the connection to process %d is lost (%v); nobody restarts the job, as it was not started with ckpgen run\n", w.p.rank, peer, err)
		os.Exit(1)
	}
}

// outcomeTime bounds how long a process that can't go on waits to be told what
// becomes of the job: an election takes a few seconds at most, then the
// launcher ends what is left of the incarnation.
const outcomeTime = 60 * time.Second

// reasonTime bounds how long a process that has lost a connection waits for the
// other one of the peer, on which there may be a reason, to close.
const reasonTime = 2 * time.Second

// missed is called by the computation when it can't go on without a peer. It
// returns if nothing has come of that for long.
func (w *watch) missed(peer int, err error) {
	w.lock.Lock()
	w.await(reasonTime, func() bool { return w.closed[peer] })
	w.lock.Unlock()
	w.failed(peer, err)
	time.Sleep(outcomeTime)
}

// await waits, with the lock held, until something is so, at most for d.
func (w *watch) await(d time.Duration, so func() bool) {
	deadline := time.Now().Add(d)
	defer time.AfterFunc(d, w.changed.Broadcast).Stop()
	for !so() && time.Now().Before(deadline) {
		w.changed.Wait()
	}
}

// depart tells the peers that this process is about to end and that this is
// no failure.
func (w *watch) depart(how byte) {
	w.parted.Store(true)
	w.spread([]byte{how})
}

// follow ends this process some time after a peer has made way for the next incarnation. Usually
// the detector does so first: it has been told, or is about to be, what the peer knew. But who told
// the peer may have died before it told this process, which would then wait for the peer for ever,
// as nobody who leaves is taken for dead.
func (w *watch) follow() {
	time.AfterFunc(delta, func() { w.standDown("") })
}

// partTime bounds how long a process waits at its end for the goodbyes of the
// others.
const partTime = 10 * time.Second

// part takes leave of all peers and waits for theirs: after it nobody takes a
// closed connection for a death.
func (w *watch) part() {
	w.depart(byeByte)
	if w.p.mesh == nil {
		return
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	w.await(partTime, func() bool {
		for peer := range w.p.size {
			if peer != w.p.rank && !w.gone[peer] && !w.closed[peer] {
				return false
			}
		}
		return true
	})
}

package detector

import (
	"fmt"
	"time"
)

// advance moves the clock. A node that had no input for more than eta was not
// scheduled: that time does not count, and every deadline begins anew.
func (n *Node) advance(now time.Duration) {
	gap := now - n.last
	if !n.started {
		n.started, gap = true, 0
	}
	n.last = max(n.last, now)
	switch {
	case gap <= 0:
	case gap <= n.eta:
		n.clock += gap
	default:
		n.heard = n.clock
		if n.role == following || n.role == proposing {
			n.deadline = n.clock + n.delta
		}
		n.beat = n.clock - n.eta // the successor has been waiting
	}
}

// Tick tells the time. The driver calls it at least every eta/2.
func (n *Node) Tick(now time.Duration) {
	n.advance(now)
	if n.role == stopped {
		return
	}
	n.expire()
	n.repeat()
}

// expire acts on deadlines that have passed.
func (n *Node) expire() {
	switch n.role {
	case steady:
		if n.watched >= 0 && n.clock-n.heard >= n.delta {
			n.lose(n.watched, silent, fmt.Sprintf("no heartbeat for %v", (n.clock-n.heard).Round(10*time.Millisecond)))
			n.reconsider()
		}
	case waiting:
		if n.clock >= n.deadline {
			n.propose()
		}
	case following:
		if n.clock >= n.deadline {
			n.lose(n.best.by, silent, fmt.Sprintf("no word from this candidate for %v", n.delta))
			n.reconsider()
		}
	case proposing:
		if n.clock >= n.deadline {
			for _, m := range n.members {
				if m != n.self && n.alive(m) && !n.acks[m] {
					n.lose(m, silent, fmt.Sprintf("no answer to a proposal for %v", n.delta))
				}
			}
			n.tally()
		}
	}
}

// repeat sends what is due every eta.
func (n *Node) repeat() {
	if n.clock-n.beat >= n.eta {
		n.beat = n.clock
		if s := n.successor(); s >= 0 {
			n.send(Message{Kind: Heartbeat, To: s})
		}
	}
	if n.clock-n.repeated >= n.eta {
		switch {
		case n.role == proposing || n.role == claiming:
			n.sendProposal()
		case len(n.unsettled) > 0:
			n.sendCommit()
		}
	}
	if n.coordinator == n.self && len(n.strays) > 0 && n.clock-n.probed >= n.delta {
		n.probe()
	}
}

// Step takes a message that arrived. Messages that make no sense are ignored.
func (n *Node) Step(now time.Duration, m Message) {
	n.advance(now)
	if n.role == stopped || m.To != n.self || m.From == n.self || n.lost[m.From] > silent {
		return
	}
	if m.From == n.watched {
		n.heard = n.clock
	}
	switch {
	case m.Kind == Bye:
		n.finish(m.From)
	case m.Kind == Commit:
		n.stepCommit(m)
	case m.At < n.epoch: // its epoch is closed
		n.send(n.commitTo(m.From))
	case m.At > n.epoch: // ours is
		n.send(Message{Kind: Heartbeat, To: m.From})
	case m.Kind == Propose:
		n.stepPropose(m)
	case m.Kind == Ack:
		n.stepAck(m)
	case m.Kind == Nack:
		n.stepNack(m)
	case m.Kind == Confirm && m.Epoch == n.epoch:
		delete(n.unsettled, m.From)
	}
}

// PeerClosed says that the connection to a member broke, without a bye on it.
func (n *Node) PeerClosed(now time.Duration, id int) { n.gone(now, id, closed, "its connection broke") }

// Died says that a member has ended otherwise than normally: its launcher saw it.
func (n *Node) Died(now time.Duration, id int) { n.gone(now, id, died, "it died") }

func (n *Node) gone(now time.Duration, id int, how loss, why string) {
	n.advance(now)
	if how == died {
		delete(n.strays, id)
	}
	if n.role == stopped || id == n.self || !n.voter(id) {
		return
	}
	n.lose(id, how, why)
	n.reconsider()
}

// Finished says that a member has ended normally. That is no failure.
func (n *Node) Finished(now time.Duration, id int) {
	n.advance(now)
	if n.role != stopped && id != n.self {
		n.finish(id)
	}
}

func (n *Node) finish(id int) {
	delete(n.strays, id)
	if !n.voter(id) {
		return
	}
	n.finished[id] = true
	delete(n.acks, id)
	delete(n.unsettled, id)
	n.reconsider()
}

// Leave says that this process ends, normally or to make way. The messages it gives
// are to be sent on each connection before that is closed. The node then does nothing more.
func (n *Node) Leave(now time.Duration) {
	n.advance(now)
	if n.role == stopped {
		return
	}
	for _, m := range n.members {
		if m != n.self && !n.finished[m] && n.lost[m] <= silent {
			n.send(Message{Kind: Bye, To: m})
		}
	}
	n.role = stopped
}

// lose records a loss and tells of the first one.
func (n *Node) lose(id int, how loss, why string) {
	if n.lost[id] == 0 {
		n.tell(Suspected{Rank: id, Why: why})
	}
	n.lost[id] = max(n.lost[id], how)
	delete(n.acks, id)
	delete(n.unsettled, id)
}

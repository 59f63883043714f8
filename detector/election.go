package detector

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// reconsider brings the role in line with who is lost, finished or alive.
func (n *Node) reconsider() {
	if n.watched >= 0 && !n.alive(n.watched) {
		n.watched, n.heard = n.predecessor(), n.clock
	}
	switch n.role {
	case proposing:
		n.tally()
		return
	case claiming, stopped:
		return
	case following:
		if n.alive(n.best.by) {
			return
		}
	}
	if len(n.lostVoters()) == 0 {
		n.role = steady
		n.watched, n.heard = n.predecessor(), n.clock
		return
	}
	turn := n.turn()
	if turn == 0 {
		n.propose()
		return
	}
	at := n.clock + n.delta + time.Duration(turn-1)*n.eta
	if n.role != waiting || at < n.deadline {
		n.role, n.deadline = waiting, at
	}
}

// propose begins phase 1 with this node as the candidate.
func (n *Node) propose() {
	n.role, n.best = proposing, ballot{n.best.round + 1, n.self}
	n.deadline = n.clock + n.delta
	n.acks = map[int]bool{}
	n.sendProposal()
	n.tally()
}

func (n *Node) sendProposal() {
	n.repeated = n.clock
	for _, m := range n.members {
		if m != n.self && n.alive(m) {
			n.send(Message{Kind: Propose, To: m, Round: n.best.round, By: n.best.by})
		}
	}
}

func (n *Node) stepPropose(m Message) {
	b := ballot{m.Round, m.By}
	switch {
	case m.By != m.From || m.Round == 0 || !n.voter(m.From):
	case b == n.best || b.better(n.best):
		if n.role == claiming {
			return // the answer decides; the other repeats itself
		}
		delete(n.lost, m.From) // it was only silent
		n.follow(b)
		n.send(Message{Kind: Ack, To: m.From, Round: b.round, By: b.by})
	default:
		n.send(Message{Kind: Nack, To: m.From, Round: n.best.round, By: n.best.by})
	}
}

func (n *Node) follow(b ballot) {
	n.role, n.best, n.acks = following, b, nil
	n.deadline = n.clock + n.delta
}

func (n *Node) stepAck(m Message) {
	if (n.role == proposing || n.role == claiming) && n.best == (ballot{m.Round, m.By}) && n.voter(m.From) {
		delete(n.lost, m.From)
		n.acks[m.From] = true
		n.tally()
	}
}

func (n *Node) stepNack(m Message) {
	b := ballot{m.Round, m.By}
	if n.role != proposing || !b.better(n.best) {
		return
	}
	if n.alive(b.by) {
		n.follow(b)
		return
	}
	// The better candidate is lost to this node. Give it, and those who follow
	// it, the time to finish before going beyond it.
	n.best, n.acks = b, nil
	n.role, n.deadline = waiting, n.clock+n.delta+time.Duration(n.turn())*n.eta
}

// tally ends phase 1 when everybody has acknowledged or is lost.
func (n *Node) tally() {
	if n.role != proposing {
		return
	}
	voters, certain := 0, true
	for _, m := range n.members {
		if !n.voter(m) {
			continue
		}
		voters++
		switch {
		case m == n.self || n.acks[m]:
		case n.lost[m] == 0:
			return
		case n.lost[m] < died:
			certain = false
		}
	}
	majority := 2*(len(n.acks)+1) > voters
	if !majority && !certain && n.clock < n.deadline {
		return // a majority may be on the other side: let it go first
	}
	n.role = claiming
	n.claim(majority)
}

// claim asks the driver for the lease, unless it is asked already.
func (n *Node) claim(majority bool) {
	if !n.asked {
		n.asked, n.askedAt = true, n.epoch
		n.tell(NeedLease{After: n.epoch, Majority: majority})
	}
}

// Lease answers NeedLease: the number of the epoch that was claimed, or 0 when the claim was
// refused or failed. An epoch that was claimed becomes the committed one even if the node has
// meanwhile followed someone else, because the claim voids what older epochs do from then on.
func (n *Node) Lease(now time.Duration, epoch uint64) {
	n.advance(now)
	if n.role == stopped || !n.asked {
		return
	}
	n.asked = false
	if epoch > n.epoch {
		n.commit(epoch)
		return
	}
	if n.role != claiming {
		return // a newer epoch has come instead
	}
	majority := 2*(len(n.acks)+1) > n.voters()
	if n.askedAt != n.epoch {
		n.claim(majority) // that answer was for an older epoch
		return
	}
	n.refusals++
	switch {
	case majority && n.refusals < maxRefusals:
		n.role, n.deadline = waiting, n.clock+n.eta
	case majority:
		n.stop(fmt.Sprintf("the store refused %d claims of an epoch after %d", n.refusals, n.epoch))
	default:
		n.stop(fmt.Sprintf("only %d of %d processes are left, and the store refused the claim of an epoch after %d", len(n.acks)+1, n.voters(), n.epoch))
	}
}

func (n *Node) voters() int {
	k := 0
	for _, m := range n.members {
		if n.voter(m) {
			k++
		}
	}
	return k
}

// commit begins phase 2 with this node as the coordinator of epoch.
func (n *Node) commit(epoch uint64) {
	var members, dead []int
	for _, m := range n.members {
		switch {
		case m == n.self || n.alive(m):
			members = append(members, m)
		case n.voter(m):
			dead = append(dead, m)
		}
	}
	n.adopt(epoch, members, dead, n.self)
	n.unsettled = map[int]bool{}
	for _, m := range members {
		if m != n.self {
			n.unsettled[m] = true
		}
	}
	n.sendCommit()
	n.probe()
	n.tell(Elected{Epoch: epoch, Rank: n.self})
	n.committed()
}

// probe tells those that were left behind, and may be alive, that they were.
func (n *Node) probe() {
	n.probed = n.clock
	for _, m := range slices.Sorted(maps.Keys(n.strays)) {
		n.send(n.commitTo(m))
	}
}

func (n *Node) commitTo(to int) Message {
	return Message{Kind: Commit, To: to, Epoch: n.epoch, By: n.coordinator, Members: slices.Clone(n.members), Dead: slices.Clone(n.dead)}
}

func (n *Node) sendCommit() {
	n.repeated = n.clock
	for _, m := range n.members {
		if n.unsettled[m] {
			n.send(n.commitTo(m))
		}
	}
}

func (n *Node) stepCommit(m Message) {
	switch {
	case m.Epoch < n.epoch:
		n.send(n.commitTo(m.From))
	case m.Epoch == n.epoch:
		n.send(Message{Kind: Confirm, To: m.From, Epoch: m.Epoch})
	case !slices.Contains(m.Members, n.self):
		n.stop(fmt.Sprintf("epoch %d goes on without this process, which is of epoch %d", m.Epoch, n.epoch))
	default:
		n.adopt(m.Epoch, m.Members, m.Dead, m.By)
		if m.By >= 0 {
			n.send(Message{Kind: Confirm, To: m.By, Epoch: m.Epoch})
		}
		n.committed()
	}
}

// committed tells of the epoch just adopted. Who is lost among its members
// already is a reason for the next one.
func (n *Node) committed() {
	n.tell(Committed{Epoch: n.epoch, Members: slices.Clone(n.members), Dead: slices.Clone(n.dead), Coordinator: n.coordinator})
	if len(n.lostVoters()) > 0 {
		n.reconsider()
	}
}

package detector

import (
	"fmt"
	"slices"
	"time"
)

// Config is what a node starts with.
type Config struct {
	Self    int
	Members []int  // of the committed epoch, Self among them
	Epoch   uint64 // the committed epoch
	Eta     time.Duration
	Delta   time.Duration // at least 3 Eta
}

// role is what a node does at present.
type role uint8

const (
	steady    role = iota // nobody is lost; watches its predecessor
	waiting               // somebody is lost; will propose itself at the deadline
	following             // acknowledged the best ballot; its candidate is lost at the deadline
	proposing             // phase 1; whoever is silent is lost at the deadline
	claiming              // phase 1 is over; the driver claims the epoch
	stopped
)

// String returns the role's name.
func (r role) String() string {
	return [...]string{"steady", "waiting", "following", "proposing", "claiming", "stopped"}[r]
}

// ballot is a proposal. The zero ballot is worse than any.
type ballot struct {
	round uint64
	by    int
}

func (b ballot) better(than ballot) bool {
	return b.round > than.round || b.round == than.round && b.by < than.by
}

// loss is how a member was lost. A greater one is more certain.
type loss uint8

const (
	silent loss = 1 + iota // may be alive
	closed                 // its connection to this node broke
	died                   // its exit status was seen
)

// maxRefusals is the number of refused claims after which a node with a
// majority behind it stops.
const maxRefusals = 3

// Node is the state machine of one process. It is not safe for concurrent use.
type Node struct {
	self       int
	eta, delta time.Duration

	// The committed epoch.
	epoch       uint64
	members     []int // ascending
	dead        []int // of this epoch's commit
	coordinator int   // -1: not known
	finished    map[int]bool
	lost        map[int]loss

	// Time, counted while the node is scheduled; see advance.
	clock     time.Duration
	last      time.Duration // the driver's time at the last input
	started   bool
	beat      time.Duration // of the last heartbeat sent
	watched   int           // the predecessor, or -1
	heard     time.Duration // from watched
	deadline  time.Duration // of the role
	repeated  time.Duration // of the last propose or commit sent
	role      role
	best      ballot
	acks      map[int]bool // in proposing and claiming
	asked     bool         // a claim is under way
	askedAt   uint64       // epoch in which it was asked for
	refusals  int
	unsettled map[int]bool // members that have not confirmed this node's commit
	strays    map[int]bool // former members that may be alive and not know it
	probed    time.Duration

	messages []Message
	events   []Event
}

// New returns a node whose epoch is committed and whose members are all taken
// to be alive.
func New(c Config) (*Node, error) {
	switch {
	case c.Eta <= 0 || c.Delta < 3*c.Eta:
		return nil, fmt.Errorf("detector: delta %v is not at least three times eta %v", c.Delta, c.Eta)
	case !slices.Contains(c.Members, c.Self):
		return nil, fmt.Errorf("detector: process %d is no member of %v", c.Self, c.Members)
	}
	n := &Node{self: c.Self, eta: c.Eta, delta: c.Delta, lost: map[int]loss{}, finished: map[int]bool{}, strays: map[int]bool{}}
	n.adopt(c.Epoch, c.Members, nil, -1)
	return n, nil
}

// adopt makes an epoch the committed one. Members whose connection broke stay
// lost, since nothing will mend it.
func (n *Node) adopt(epoch uint64, members, dead []int, coordinator int) {
	n.epoch, n.coordinator = epoch, coordinator
	n.members, n.dead = slices.Sorted(slices.Values(members)), dead
	for _, m := range dead {
		if n.lost[m] <= silent && !n.finished[m] {
			n.strays[m] = true
		}
	}
	lost := map[int]loss{}
	for _, m := range n.members {
		if n.lost[m] > silent {
			lost[m] = n.lost[m]
		}
	}
	n.lost = lost
	n.role, n.best, n.acks, n.unsettled, n.refusals = steady, ballot{}, nil, nil, 0
	n.watched, n.heard = n.predecessor(), n.clock
	n.beat = n.clock - n.eta // due
}

// Epoch returns the newest epoch that the node committed.
func (n *Node) Epoch() uint64 { return n.epoch }

// Members returns the membership of that epoch, ascending.
func (n *Node) Members() []int { return slices.Clone(n.members) }

// Coordinator returns the coordinator of that epoch, or -1 for the epoch that
// the node started with.
func (n *Node) Coordinator() int { return n.coordinator }

// String describes the state in one line, for transcripts and logs.
func (n *Node) String() string {
	s := fmt.Sprintf("%d %s epoch=%d members=%v", n.self, n.role, n.epoch, n.members)
	if n.role == steady && n.watched >= 0 {
		s += fmt.Sprintf(" watches=%d", n.watched)
	}
	if n.best.round > 0 {
		s += fmt.Sprintf(" best=%d/%d", n.best.round, n.best.by)
	}
	return s
}

// Take returns what is to be sent and what has happened since the last Take, each
// in order. The messages are to be sent before the events are handled.
func (n *Node) Take() ([]Message, []Event) {
	m, e := n.messages, n.events
	n.messages, n.events = nil, nil
	return m, e
}

func (n *Node) send(m Message) {
	m.From, m.At = n.self, n.epoch
	n.messages = append(n.messages, m)
}

func (n *Node) tell(e Event) { n.events = append(n.events, e) }

func (n *Node) stop(why string) {
	n.role = stopped
	n.tell(Stop{why})
}

// voter reports whether m is a member that has not finished.
func (n *Node) voter(m int) bool {
	_, ok := slices.BinarySearch(n.members, m)
	return ok && !n.finished[m]
}

func (n *Node) alive(m int) bool { return n.voter(m) && n.lost[m] == 0 }

func (n *Node) lostVoters() []int {
	var l []int
	for _, m := range n.members {
		if n.lost[m] != 0 && n.voter(m) {
			l = append(l, m)
		}
	}
	return l
}

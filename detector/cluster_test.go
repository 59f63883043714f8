package detector

import (
	"fmt"
	"math/rand"
	"slices"
	"sort"
	"strings"
	"time"
)

const (
	eta   = 100 * time.Millisecond
	delta = 400 * time.Millisecond
	step  = 10 * time.Millisecond // of the simulation
)

// cluster simulates nodes, the network between them, and the store. It checks
// the invariants of the package documentation with everything that happens.
type cluster struct {
	now     time.Duration
	nodes   []*Node // nil: crashed or stopped
	paused  map[int]bool
	wire    []packet
	sent    int // packets so far: breaks ties
	cut     map[[2]int]bool
	claimed uint64 // newest epoch in the store
	refuse  bool   // the store refuses everything
	granted map[uint64]int
	commits map[uint64]Committed
	epochs  map[int]uint64
	leases  []lease
	crash   func(id int) bool               // asked before each output of a node is carried out
	net     func(m Message) []time.Duration // delays of the copies that arrive
	log     func(format string, args ...any)
	quiet   bool     // no messages in the log
	broken  []string // violated invariants
	stops   []int
}

type packet struct {
	due time.Duration
	n   int
	m   Message
}

type lease struct {
	due   time.Duration
	id    int
	epoch uint64
}

func newCluster(size int, epoch uint64) *cluster {
	c := &cluster{
		paused: map[int]bool{}, cut: map[[2]int]bool{}, claimed: epoch,
		granted: map[uint64]int{}, commits: map[uint64]Committed{}, epochs: map[int]uint64{},
		crash: func(int) bool { return false },
		net:   func(Message) []time.Duration { return []time.Duration{step} },
		log:   func(string, ...any) {},
	}
	var members []int
	for i := range size {
		members = append(members, i)
	}
	for i := range size {
		n, err := New(Config{Self: i, Members: members, Epoch: epoch, Eta: eta, Delta: delta})
		if err != nil {
			panic(err)
		}
		c.nodes = append(c.nodes, n)
		c.epochs[i] = epoch
	}
	return c
}

func (c *cluster) violate(format string, args ...any) {
	c.broken = append(c.broken, fmt.Sprintf("at %v: ", c.now)+fmt.Sprintf(format, args...))
}

// up reports whether a node runs: it has neither crashed nor stopped.
func (c *cluster) up(id int) bool { return c.nodes[id] != nil }

func (c *cluster) alive() []int {
	var l []int
	for i := range c.nodes {
		if c.up(i) {
			l = append(l, i)
		}
	}
	return l
}

// kill ends a process. The others see it as how says: "died" (launcher),
// "closed" (connection), or nothing.
func (c *cluster) kill(id int, how string) {
	if !c.up(id) {
		return
	}
	c.nodes[id] = nil
	delete(c.paused, id)
	for i, n := range c.nodes {
		if n == nil || how == "" {
			continue
		}
		if how == "closed" {
			n.PeerClosed(c.now, id)
		} else {
			n.Died(c.now, id)
		}
		c.carry(i)
	}
}

// carry takes a node's output and carries it out.
func (c *cluster) carry(id int) {
	n := c.nodes[id]
	if n == nil {
		return
	}
	messages, events := n.Take()
	for _, m := range messages {
		if c.crash(id) {
			c.log("%v: %d crashes before it sends %v\n", c.now, id, m)
			c.kill(id, "")
			return
		}
		if !c.quiet && m.Kind != Heartbeat {
			c.log("  %v\n", m)
		}
		c.deliver(m)
	}
	for _, e := range events {
		if c.crash(id) {
			c.log("%v: %d crashes before it handles: %v\n", c.now, id, e)
			c.kill(id, "")
			return
		}
		c.log("  %d: %v\n", id, e)
		c.event(id, e)
	}
}

func (c *cluster) deliver(m Message) {
	if c.cut[[2]int{m.From, m.To}] {
		return
	}
	parsed, err := ParseMessage(m.Append(nil))
	if err != nil || fmt.Sprint(parsed) != fmt.Sprint(m) {
		c.violate("message %v comes back as %v, %v", m, parsed, err)
	}
	for _, d := range c.net(m) {
		c.sent++
		c.wire = append(c.wire, packet{c.now + d, c.sent, parsed})
	}
}

func (c *cluster) event(id int, e Event) {
	switch e := e.(type) {
	case NeedLease:
		l := lease{due: c.now + step, id: id}
		if !c.refuse && (e.Majority || c.claimed <= e.After) {
			c.claimed++
			l.epoch = c.claimed
			c.granted[l.epoch] = id
		}
		c.leases = append(c.leases, l)
	case Elected:
		if owner, ok := c.granted[e.Epoch]; !ok || owner != id || e.Rank != id {
			c.violate("I1: %d is coordinator of epoch %d, which %d claimed", id, e.Epoch, owner)
		}
	case Committed:
		if before, ok := c.commits[e.Epoch]; ok {
			if before.Coordinator != e.Coordinator {
				c.violate("I1: epoch %d has coordinators %d and %d", e.Epoch, before.Coordinator, e.Coordinator)
			}
			if !slices.Equal(before.Members, e.Members) {
				c.violate("I2: epoch %d has members %v and %v", e.Epoch, before.Members, e.Members)
			}
		}
		c.commits[e.Epoch] = e
		if e.Epoch <= c.epochs[id] {
			c.violate("I3: %d commits epoch %d after %d", id, e.Epoch, c.epochs[id])
		}
		c.epochs[id] = e.Epoch
		if !slices.Contains(e.Members, e.Coordinator) || !slices.Contains(e.Members, id) {
			c.violate("I4: coordinator or self is missing in %v", e)
		}
		for _, d := range e.Dead {
			if slices.Contains(e.Members, d) {
				c.violate("I4: %d is member and dead", d)
			}
		}
	case Stop:
		c.stops = append(c.stops, id)
		c.kill(id, "")
	}
}

// run lets d pass.
func (c *cluster) run(d time.Duration) {
	for end := c.now + d; c.now < end; {
		c.now += step
		var due []packet
		c.wire = slices.DeleteFunc(c.wire, func(p packet) bool {
			if p.due > c.now || c.paused[p.m.To] {
				return false
			}
			due = append(due, p)
			return true
		})
		sort.Slice(due, func(i, j int) bool {
			return due[i].due < due[j].due || due[i].due == due[j].due && due[i].n < due[j].n
		})
		for _, p := range due {
			if n := c.nodes[p.m.To]; n != nil {
				n.Step(c.now, p.m)
				c.carry(p.m.To)
			}
		}
		var answers []lease
		c.leases = slices.DeleteFunc(c.leases, func(l lease) bool {
			if l.due > c.now || c.paused[l.id] {
				return false
			}
			answers = append(answers, l)
			return true
		})
		for _, l := range answers {
			if n := c.nodes[l.id]; n != nil {
				before := n.Epoch()
				n.Lease(c.now, l.epoch)
				if l.epoch > before && n.Epoch() != l.epoch {
					c.violate("I5: %d was granted epoch %d and is at %d", l.id, l.epoch, n.Epoch())
				}
				c.carry(l.id)
			}
		}
		for i, n := range c.nodes {
			if n != nil && !c.paused[i] && c.now%(eta/2) == time.Duration(i)*step%(eta/2) {
				n.Tick(c.now)
				c.carry(i)
			}
		}
	}
}

// settled returns why the running nodes do not agree, or "".
func (c *cluster) settled() string {
	live := c.alive()
	var epoch uint64
	for _, i := range live {
		n := c.nodes[i]
		if n.role != steady {
			return fmt.Sprintf("%v", n)
		}
		if epoch == 0 {
			epoch = n.Epoch()
		}
		if n.Epoch() != epoch || !slices.Equal(n.Members(), live) {
			return fmt.Sprintf("alive are %v; %v", live, c)
		}
	}
	return ""
}

func (c *cluster) String() string {
	var l []string
	for i, n := range c.nodes {
		if n == nil {
			l = append(l, fmt.Sprintf("%d is gone", i))
		} else {
			l = append(l, n.String())
		}
	}
	return strings.Join(l, "\n")
}

// rough makes the network lose, double, delay and reorder messages.
func (c *cluster) rough(r *rand.Rand, loss float64, late time.Duration) {
	c.net = func(Message) []time.Duration {
		var d []time.Duration
		for r.Float64() >= loss {
			d = append(d, step+time.Duration(r.Int63n(int64(late))))
			if r.Float64() >= 0.1 {
				break
			}
		}
		return d
	}
}

func (c *cluster) calm() { c.net = func(Message) []time.Duration { return []time.Duration{step} } }

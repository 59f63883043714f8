package detector

import "fmt"

// Event is what a node tells its driver: one of the types below, by value.
type Event interface {
	event()
	String() string
}

type (
	// Suspected says that this node takes a member for lost.
	Suspected struct {
		Rank int
		Why  string // such as "its connection broke", for people
	}

	// NeedLease asks the driver to claim an epoch in the store, exclusively,
	// and to call Lease with the outcome. The node goes on in the meantime; it asks
	// again only after that. With a Majority of the membership behind it any
	// epoch greater than After will do. Without, the claim must be refused when
	// an epoch greater than After has been claimed already.
	NeedLease struct {
		After    uint64 // the epoch that this node knows as committed
		Majority bool
	}

	// Elected says that this node is the coordinator of Epoch. Committed follows.
	Elected struct {
		Epoch uint64
		Rank  int // this node
	}

	// Committed says that Epoch is the newest epoch this node knows, and that
	// it is a member.
	Committed struct {
		Epoch       uint64
		Members     []int // ascending
		Dead        []int // ascending: members of the epoch before that are lost
		Coordinator int
	}

	// Stop says that this node must not go on: it is no member of a newer epoch,
	// or it could not be sure that nobody else carries on. It is the last event.
	Stop struct{ Why string }
)

func (Suspected) event() {}
func (NeedLease) event() {}
func (Elected) event()   {}
func (Committed) event() {}
func (Stop) event()      {}

// String returns the event in one line.
func (e Suspected) String() string { return fmt.Sprintf("suspected %d: %s", e.Rank, e.Why) }

// String returns the event in one line.
func (e NeedLease) String() string {
	return fmt.Sprintf("need lease after=%d majority=%v", e.After, e.Majority)
}

// String returns the event in one line.
func (e Elected) String() string { return fmt.Sprintf("elected %d epoch=%d", e.Rank, e.Epoch) }

// String returns the event in one line.
func (e Committed) String() string {
	return fmt.Sprintf("committed epoch=%d coordinator=%d members=%v dead=%v", e.Epoch, e.Coordinator, e.Members, e.Dead)
}

// String returns the event in one line.
func (e Stop) String() string { return "stop: " + e.Why }

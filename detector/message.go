package detector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Kind is the kind of a message. Its values are part of the wire format.
type Kind uint8

// The kinds of messages; the package documentation has a table.
const (
	Heartbeat Kind = 1 + iota
	Propose
	Ack
	Nack
	Commit
	Confirm
	Bye
)

var kinds = [...]string{Heartbeat: "heartbeat", Propose: "propose", Ack: "ack", Nack: "nack", Commit: "commit", Confirm: "confirm", Bye: "bye"}

// String returns the kind in lower case.
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kinds) {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return kinds[k]
}

// Message is what nodes send each other. From and To are members; the driver
// carries it from the one to the other.
type Message struct {
	Kind     Kind
	From, To int
	At       uint64 // newest epoch that the sender committed
	Round    uint64 // of the ballot, in propose, ack, nack
	By       int    // candidate of the ballot; in commit the coordinator of the epoch, or -1 if unknown
	Epoch    uint64 // in commit and confirm
	Members  []int  // in commit, ascending
	Dead     []int  // in commit, ascending: members of the epoch before that are lost
}

// String returns m in one line, as transcripts show it.
func (m Message) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d->%d %s@%d", m.From, m.To, m.Kind, m.At)
	switch m.Kind {
	case Propose, Ack, Nack:
		fmt.Fprintf(&b, " round=%d by=%d", m.Round, m.By)
	case Commit:
		fmt.Fprintf(&b, " epoch=%d by=%d members=%v dead=%v", m.Epoch, m.By, m.Members, m.Dead)
	case Confirm:
		fmt.Fprintf(&b, " epoch=%d", m.Epoch)
	}
	return b.String()
}

// maxID bounds the numbers of processes on the wire.
const maxID = 1 << 20

// Append appends the wire form of m to b: the kind as a byte, then all fields
// in order as unsigned varints (By plus one, the lists with their length first).
func (m Message) Append(b []byte) []byte {
	b = append(b, byte(m.Kind))
	for _, v := range []uint64{uint64(m.From), uint64(m.To), m.At, m.Round, uint64(m.By + 1), m.Epoch} {
		b = binary.AppendUvarint(b, v)
	}
	for _, list := range [][]int{m.Members, m.Dead} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, v := range list {
			b = binary.AppendUvarint(b, uint64(v))
		}
	}
	return b
}

var errMessage = errors.New("malformed detector message")

// ParseMessage reads what Append wrote. It accepts no other bytes, and never
// allocates more than a small multiple of len(b).
func ParseMessage(b []byte) (Message, error) {
	if len(b) == 0 || b[0] == 0 || int(b[0]) >= len(kinds) {
		return Message{}, fmt.Errorf("%w: no such kind", errMessage)
	}
	m := Message{Kind: Kind(b[0])}
	b = b[1:]
	bad := false
	next := func(max uint64) uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > max {
			bad, b = true, nil
			return 0
		}
		b = b[n:]
		return v
	}
	list := func() []int {
		n := next(uint64(len(b)))
		if n == 0 {
			return nil
		}
		l := make([]int, 0, n)
		for range n {
			l = append(l, int(next(maxID)))
			if k := len(l); bad || k > 1 && l[k-1] <= l[k-2] {
				bad = true
				return nil
			}
		}
		return l
	}
	m.From, m.To = int(next(maxID)), int(next(maxID))
	m.At, m.Round = next(1<<63), next(1<<63)
	m.By = int(next(maxID+1)) - 1
	m.Epoch = next(1 << 63)
	m.Members, m.Dead = list(), list()
	if bad || len(b) != 0 {
		return Message{}, fmt.Errorf("%w: %s", errMessage, m.Kind)
	}
	return m, nil
}

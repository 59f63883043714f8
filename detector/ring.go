package detector

import "slices"

// predecessor returns the nearest living member before this node in the ring,
// or -1 when there is no other.
func (n *Node) predecessor() int { return n.neighbour(-1) }

// successor returns the nearest living member after this node in the ring, or
// -1 when there is no other.
func (n *Node) successor() int { return n.neighbour(+1) }

func (n *Node) neighbour(step int) int {
	size := len(n.members)
	at, _ := slices.BinarySearch(n.members, n.self)
	for i := 1; i < size; i++ {
		if m := n.members[((at+i*step)%size+size)%size]; n.alive(m) {
			return m
		}
	}
	return -1
}

// turn returns how many living members come before this node as candidates: 0 for the ring
// successor of a lost member.
func (n *Node) turn() int {
	size := len(n.members)
	at, _ := slices.BinarySearch(n.members, n.self)
	between := 0
	for i := 1; i < size; i++ { // backwards from this node
		m := n.members[(at-i+size)%size]
		switch {
		case n.lost[m] != 0 && n.voter(m):
			return between
		case n.alive(m):
			between++
		}
	}
	return between
}

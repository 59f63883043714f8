package heap

// An addressSet is a set of addresses, most of which are multiples of four that lie close behind
// its start: these are bits. Descriptions of types do, and a map of thousands of them takes a
// process that begins a millisecond.
type addressSet struct {
	start  uintptr
	bits   []uint64
	others map[uintptr]struct{}
}

// closeBy is how far behind the start an address has a bit, in bytes.
const closeBy = 1 << 26

// add adds an address, and reports whether it is a new one.
func (s *addressSet) add(p uintptr) bool {
	at := p - s.start
	if at >= closeBy || at%4 != 0 {
		before := len(s.others)
		if s.others == nil {
			s.others = make(map[uintptr]struct{})
		}
		s.others[p] = struct{}{}
		return len(s.others) > before
	}
	at /= 4
	i, bit := int(at/64), uint64(1)<<(at%64)
	for i >= len(s.bits) {
		s.bits = append(s.bits, make([]uint64, max(len(s.bits), i+1-len(s.bits)))...)
	}
	if s.bits[i]&bit != 0 {
		return false
	}
	s.bits[i] |= bit
	return true
}

package bsp

import (
	"fmt"
	"runtime"
)

// A site is the number of a position in the user's source, in the order of
// first use in this process.
type site uint32

// sites numbers the positions from which the library is called. A position is
// found by one program counter; its file and line are looked up only when
// somebody is to read them.
type sites struct {
	numbers map[uintptr]site
	pcs     []uintptr
}

// caller returns the position that called the exported function which called
// caller.
func (s *sites) caller() site { return s.above(1) }

// above is caller for functions that are skip calls further down.
func (s *sites) above(skip int) site {
	var pc [1]uintptr
	runtime.Callers(skip+3, pc[:])
	n, ok := s.numbers[pc[0]]
	if !ok {
		if s.numbers == nil {
			s.numbers = make(map[uintptr]site)
		}
		n = site(len(s.pcs))
		s.numbers[pc[0]] = n
		s.pcs = append(s.pcs, pc[0])
	}
	return n
}

// position is the file and line of n.
func (s *sites) position(n site) string {
	if int(n) >= len(s.pcs) {
		return "unknown position"
	}
	fr, _ := runtime.CallersFrames(s.pcs[n : n+1]).Next()
	return fmt.Sprintf("%s:%d", fr.File, fr.Line)
}

//go:build unix

package transport

import (
	"net"
	"syscall"
)

// A probe reads what has already arrived on a connection, without waiting.
type probe struct {
	raw  syscall.RawConn
	try  func(fd uintptr) bool
	into *attempt
}

type attempt struct {
	buf []byte
	n   int
}

func newProbe(c net.Conn) probe {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return probe{}
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return probe{}
	}
	into := new(attempt)
	try := func(fd uintptr) bool {
		n, err := syscall.Read(int(fd), into.buf)
		if err != nil {
			n = 0 // nothing yet, or an error that the next real read meets
		}
		into.n = n
		return true
	}
	return probe{raw, try, into}
}

// read appends what has arrived to b, as far as its capacity goes.
func (p probe) read(b []byte) []byte {
	if p.raw == nil || len(b) == cap(b) {
		return b
	}
	p.into.buf, p.into.n = b[len(b):cap(b)], 0
	if err := p.raw.Read(p.try); err != nil {
		return b
	}
	return b[:len(b)+p.into.n]
}

//go:build !unix

package transport

import "net"

// A probe reads what has already arrived on a connection, without waiting. On
// this system it never finds anything: Sync blocks at once.
type probe struct{}

func newProbe(net.Conn) probe { return probe{} }

func (probe) read(b []byte) []byte { return b }

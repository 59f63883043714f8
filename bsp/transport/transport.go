// Package transport connects the processes of a BSP job with each other.
//
// # What a mesh is
//
// A [Mesh] joins every pair of processes by two channels that do not wait for
// each other:
//
//	frames   the data of supersteps: of any length, in order, one stream a
//	         direction and pair. Whoever sends a frame may have to wait for
//	         the receiver to read; whoever reads decides when.
//	signals  short messages of the machinery (heartbeats, election, abort).
//	         They are handed to a callback as they arrive, so they pass while
//	         a large exchange or a long computation is going on.
//
// A transport adds a length to a frame and nothing else: what is inside is the
// business of package bsp. It promises that what arrives is what was sent, in
// the order it was sent, or else that the peer is reported as closed. A frame
// of at most [SmallFrame] bytes does not wait for its receiver, as long as the
// receiver has left no more than [Window] of them unread.
//
// # The handshake
//
// Every connection begins with a hello that names job, epoch, size, rank and
// channel. Who accepts compares it with its own and refuses a stranger with a
// sentence that the other prints: a process of an older incarnation that was
// only stopped, not dead, learns here that its time is over. The process of
// higher rank dials, the one of lower rank accepts; connecting ends after a
// bounded time with an error that names the ranks that are missing.
//
// # Transports
//
//	[Sockets]   unix domain sockets in a directory: one host
//	[Loopback]  TCP over the loopback interface, the addresses in files of a
//	            directory: where there are no unix sockets, or the path of the
//	            directory is too long for their names
//	[Pipes]     queues within one process: for tests
//
// # Bytes on the wire
//
//	hello    "ckpgen mesh 1\n"  channel u8  rank u32  size u32  epoch u64  job u16+bytes
//	answer   refused u8 (0 welcome, 1 no)  sentence u16+bytes
//	frame    length u64  bytes
//	signal   length u32  bytes
//
// All integers are little-endian.
package transport

import (
	"errors"
	"fmt"
)

// SmallFrame is the length in bytes up to which sending a frame does not wait
// for its receiver.
const SmallFrame = 8 << 10

// Window is the number of small frames that may be unread on one stream before
// sending the next one may wait.
const Window = 4

// MaxSignal is the greatest length of a signal in bytes.
const MaxSignal = 64 << 10

// ErrClosed is what the methods of a [Mesh] return after Close.
var ErrClosed = errors.New("transport: the mesh is closed")

// A Member says who a process is.
type Member struct {
	Job   string // distinguishes jobs that share a directory or host
	Rank  int    // 0 to Size-1
	Size  int
	Epoch uint64 // the incarnation of the job
}

// A PeerError is the loss of the connection to a peer: it died, or closed its
// mesh.
type PeerError struct {
	Rank int   // of the peer
	Err  error // what the connection said; io.EOF if it was closed by the peer
}

// Error names the peer and what the connection said.
func (e *PeerError) Error() string {
	return fmt.Sprintf("the connection to process %d is lost: %v", e.Rank, e.Err)
}

// Unwrap returns what the connection said.
func (e *PeerError) Unwrap() error { return e.Err }

// A RefusedError is the answer of a peer that belongs to another incarnation or
// another job.
type RefusedError struct {
	Rank   int // who refused
	Reason string
}

// Error names who refused, and its reason.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("process %d refuses the connection: %s", e.Rank, e.Reason)
}

// Events receives what happens on the signal channels. It is called from
// goroutines of the mesh, for one peer never by two at a time.
type Events interface {
	// Signal delivers a signal. The bytes belong to the receiver.
	Signal(from int, message []byte)
	// Closed reports that a peer is gone. It is called once a peer, and not
	// after this side has closed the mesh. All signals that the peer sent were
	// delivered before, unless the connection was broken.
	Closed(peer int, err error)
}

// A Mesh is the connection of one process with all others of its job. Frames of
// one peer are sent by one goroutine at a time and received by one at a time;
// different peers, and the two directions, are independent.
type Mesh interface {
	// Send sends one frame, the concatenation of parts, to a peer. The parts
	// may be changed as soon as it returns.
	Send(peer int, parts ...[]byte) error

	// Receive waits for the next frame of a peer and returns it. It uses the
	// memory of buf if that is large enough. The frame begins at an address
	// that is a multiple of 8.
	Receive(peer int, buf []byte) ([]byte, error)

	// Ready reports, without waiting, whether Receive would find something. It
	// may always say false, if asking is not possible.
	Ready(peer int) bool

	// Signal sends a short message to a peer. It may be called by any
	// goroutine and waits at most a fraction of a second.
	Signal(peer int, message []byte) error

	// Start begins the delivery of signals and losses to e. Signals that
	// arrived before are delivered then.
	Start(e Events)

	// Close ends all connections. Frames and signals that were sent are still
	// delivered.
	Close() error
}

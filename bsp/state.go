package bsp

import "time"

// state is what the library has between two supersteps. It is saved with the
// program, so there is nothing in it that belongs to a process: no connection,
// no address as a number, no position as a program counter.
type state struct {
	Size      int           // number of processes
	Superstep uint64        // how many have ended
	Elapsed   time.Duration // since Begin, when it was saved
	Saved     uint64        // number of the checkpoint that was decided last

	Regs   []registration // by number, those that can be used first
	Active int            // how many of Regs can be used
	Pushed uint64         // how many registrations there were ever

	TagSize int // of messages sent in this superstep
	NextTag int // of those sent in the next one

	Queue    [][]byte // send sections of the frames, from the next message on
	Queued   int      // messages in Queue
	Bytes    int      // of their payloads
	QueueTag int      // their tag size
}

// registration is one slice that others can put to and get from.
type registration struct {
	Number uint64 // in the sequence of PushRegister calls, from 1
	Name   uint64 // number of the first registration of the same slice: the Reg
	Slice  any    // a []T of the user
	Site   string // where it was registered
	Popped bool   // removed when the superstep ends
}

// keep makes the undelivered messages independent of the buffers in which they
// arrived, so that a checkpoint holds them and nothing else.
func (st *state) keep() {
	for i, q := range st.Queue {
		st.Queue[i] = append([]byte(nil), q...)
	}
}

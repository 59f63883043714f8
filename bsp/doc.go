// Package bsp is a library for bulk synchronous parallel programs whose
// processes survive their death: BSPlib (Hill, McColl, Stefanescu, Goudreau,
// Lang, Rao, Suel, Tsantilas, Bisseling: "BSPlib: The BSP programming library",
// 1998) in Go, with coordinated checkpoints at its barriers.
//
//	bsp.Begin()
//	right := (bsp.PID() + 1) % bsp.NProcs()
//	box := make([]float64, n)
//	reg := bsp.PushRegister(box)
//	bsp.Sync()
//	bsp.Put(right, border, reg, 0)
//	bsp.Sync() // box holds the border of the left neighbour
//	bsp.End()
//
// A program runs as one process when it is started by itself, and as N when
// started by `ckpgen run -n N`. Nothing in it mentions checkpoints.
//
// # Supersteps
//
// A computation is a sequence of supersteps that end with [Sync]. What [Put],
// [Get], [Send], [PushRegister], [PopRegister] and [SetTagSize] ask for in one
// superstep happens between its end and the beginning of the next, in an order
// that is the same for all:
//
//  1. Gets read their sources, on all processes, as they are when the owner
//     has called Sync.
//  2. Gets write their destinations.
//  3. Puts are written, those of process 0 first, those of one process in the
//     order in which they were called. A Put copied its source when it was
//     called. Overlapping Puts thus take effect in some sequential order; which,
//     programs should not rely on.
//  4. The messages of the superstep before, read or not, are gone; those sent in
//     this one can be read.
//  5. Registrations and their removals, in the order in which they were called,
//     and a new tag size take effect.
//
// # Registration
//
// The n-th PushRegister of each process, together, are one registration: it
// gives the processes a common name for a slice of each. Processes must call
// PushRegister and PopRegister in the same sequence with the same element type,
// which Sync verifies; the lengths may differ, nil means that a process offers
// nothing. The name a program has for it is a [Reg], which stands for the local
// slice as the address does in BSPlib: registering the same slice again (the
// same first element) gives an equal Reg, the newest registration is what Put
// and Get through it mean, and PopRegister removes the newest. Registrations
// bear sequence numbers, no addresses, so that they mean the same after a
// restart.
//
// Whether a Put or Get stays within the slice only the owner can know: it
// checks when it carries it out.
//
// # Misuse
//
// A process number that does not exist, an element outside of the registered
// slice, something that is not registered, different sequences of registrations, a call
// outside of Begin and End, End on one process where another calls Sync: they
// end all processes, with one message that names the call, the process that
// made it and the position of the call in the user's source.
//
// # The exchange
//
// Sync is a total exchange: every process sends every other exactly one frame,
// even if there is nothing to say, so receiving all is the barrier. Gets are
// answered by a second frame, only between the pairs that have some: the asker
// knows that it asked, the owner has read it in the frame. A superstep of Puts and
// Sends alone is one exchange.
//
//	process p                          process q
//	  exchange{requests, puts, sends} ->  <- exchange{...}
//	  ... all frames are here: the gets of everybody can be read ...
//	  answers{values}                 ->      (only if q has gets from p)
//	  ... all answers are here: get destinations, then puts, are written ...
//
// A frame is not larger than what was put and sent. Large ones are written by a
// goroutine each while the process reads those of the others, so two processes
// that send each other more than a socket holds don't wait for each other;
// small ones are written directly. Buffers are used again in the next superstep.
//
// The first bytes of a frame (little-endian, as everything that is not the
// user's data):
//
//	 0  magic "bsp1"          4  CRC-32C of bytes 8 to 87
//	 8  kind                  9  decision (ckp.Decision)
//	12  rank of the sender   16  epoch
//	24  superstep            32  sequence number of the checkpoint decided
//	40  tag size from now on
//	48  lengths of the five sections: changes, sites, gets, puts, sends
//
// Sections, padded to 8 bytes:
//
//	change  kind u8, 0, type length u16, site length u32, number u64, type, site
//	site    number u32, length u32, text            a position, told when first used
//	get     registration u64, offset u64, bytes u64, site u32, 0 u32
//	put     the same, then the bytes
//	send    tag length u32, 0 u32, bytes u64, tag, payload
//
// The header is checked; the body is not, as the transports there are do not
// change bytes within a host. Buffers keep the size of the largest superstep.
//
// The user's data are the bytes that they are in memory, so elements must not
// contain pointers (checked once a type) and the processes of a job must be of
// one architecture. Only element.go knows about that encoding.
//
// # Checkpoints
//
// Process 0 alone knows whether a checkpoint is due (the interval has passed, a signal came, the
// launcher asked). Its frame says so, with the number that the checkpoint will have, so all
// processes learn of it in the same Sync and save the same superstep: after the exchange there is
// nothing on the way, and the state of the job is that of its processes. Sync then begins the
// saving and returns; the stack unwinds to the root, package ckp captures it, and, when all
// processes have done so, the computation goes on: what a process does to the world after its own
// capture must not be in that of another. Beside it every process writes its part and tells process
// 0 when that is on stable storage; with the parts of all, process 0 commits the manifest, and
// tells all what came of it. These are signals, which pass whatever the program does, so the commit
// waits for no later Sync; but End waits for the commit. A process that can't save, for whatever
// reason, says so instead of its part: the checkpoint fails for all, loudly, and the computation
// goes on. One that dies before it has reported fails it as well, with its whole incarnation: the
// job goes on from the checkpoint before.
//
// What the library itself has between two supersteps is one struct (state.go)
// that is saved with the program: registrations with the user's slices, the
// messages that can be read, superstep counter, time. Connections, buffers
// and the table of positions are not in it. A restored process connects with
// the processes of its own incarnation, then all verify that they restored the
// same checkpoint.
//
// # Failures
//
// Each process has a second connection to each other, on which a goroutine sends heartbeats, what
// the election of package detector needs, and the reports on checkpoints; it works while the
// program computes or a large exchange is going on. A process that finds a connection closed in
// Sync waits for the outcome of that, a bounded time: either the coordinator of the next epoch is
// elected and all stand down (exit status 76) for the launcher to start the next incarnation, or,
// without a launcher, the process ends with an error. The end of the launcher ends the process.
//
// # Concurrency
//
// As in BSPlib a process calls the library from one goroutine at a time.
package bsp

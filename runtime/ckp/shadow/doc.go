// Package shadow is the leaf that instrumented code calls: the lazy shadow
// stack, and the registry in which each instrumented package leaves what it
// alone can name (its functions, its variables, its closure environments).
//
// # The shadow stack
//
// The InteGrade precompiler (de Camargo, Goldchleger, Kon, Goldman, 2004)
// pushes the address of every local on an auxiliary stack when it comes into
// scope. Here the stack stays empty until a checkpoint is taken. A goroutine is
// in one of three modes:
//
//	running    the program computes; the stack is empty
//	saving     the goroutine unwinds: every activation pushes one typed frame
//	           struct with its live variables and returns to its caller
//	restoring  the goroutine is called again from its root: every activation
//	           takes its frame off the stack and jumps to its resume point
//
// A checkpoint call begins the saving ([Begin], [Join]) and returns. The calls up to the root each
// find [Unwinding] true, [Push] their frame, which is copied with what it refers to on the stack,
// and return; the error among their results, if there is one, is [Unwound] then. The root [Take]s
// the frames, has them written, hands them back with [Restore] and calls the program again. Each
// function finds its frame with [Enter] and jumps to the call it was in, which enters the next
// function down. The innermost call is the checkpoint call itself: there [Arrived] finds the stack
// empty and the goroutine is running again. A fresh process does the same, with frames rebuilt from
// an image.
//
// # What it costs
//
// Busy counts the goroutines that are not running. It is the only thing that
// instrumented code looks at while nothing happens: one load and one branch,
// never taken, at function entry and after each call that can reach a
// checkpoint. All else is behind that branch. (Small functions, and loops, are
// written twice, so that all else is out of the way, too; package
// instrument/rewrite tells how.)
//
// # What instrumented code looks like
//
//	func sum(t *node) (result int) {
//		var left int
//		if shadow.Busy != 0 {
//			if fr := shadow.Enter(&sum_code); fr != nil {
//				fr := fr.(*sum_frame)
//				t, left = fr.t, fr.left
//				switch fr.At {
//				case 1:
//					goto resume1
//				}
//			}
//		}
//	resume1:
//		left = sum(t.left)
//		if shadow.Unwinding() {
//			shadow.Push(&sum_frame{At: 1, t: t})
//			return
//		}
//		...
//
// # Goroutines
//
// A checkpoint is one of the program as a whole, so all of its goroutines stand still
// while it is taken. What is known of one is its record; that of the main
// goroutine is made by [Main], the others' by [Go], of which generated code makes
// every go statement. The root of each is a loop that calls its function, and calls it
// again after each checkpoint.
//
// A stop begins at any goroutine's checkpoint call. From then on every other goroutine joins at the
// next place where it can be: a checkpoint call, a poll, or an operation that blocks; those that
// are in one already are asked when the others have come. It begins to save if all activations down
// to its root were rewritten, unwinds, and its root parks. If not (it is in a callback of a package
// that was not rewritten), it goes on, and tries at the next such place. The goroutine that began
// the stop unwinds as well, and its root is the driver: it waits until all are parked, has them
// captured ([Snapshot]), and lets them go ([Release]). If they have not come after a time it lets
// those go that have; nothing has happened then but that some were delayed. While all goroutines
// wait nobody makes a checkpoint call. Then somebody who is none of them can begin a stop, and
// drive it ([Raise]). Operations that wait are counted, so that nobody need look whether all do
// ([WhenIdle]).
//
// The phases, under one lock with all records:
//
//	open ──Begin──▶ stopping ──Release──▶ releasing ──all let go──▶ open
//
// and off, for ever, when [Off] has told that there are no checkpoints: then each operation below
// is that of the language after one load and one branch. Until it is told they are open, since
// package initialisation may start goroutines. In a process that is to continue a checkpoint these
// are stopped ([Halt]), and give way to those of the image ([Adopt]); or go on if there turns out
// to be none. No stop begins before main has a record ([Begun]): the checkpoint would be one
// without main.
//
// Invariants:
//
//   - A record is running, unwinding (its goroutine is saving) or parked (at its root, with its
//     frames, or not launched). Only its own goroutine makes it unwinding or
//     parked, only the driver lets it go. It becomes unwinding only while the
//     phase is stopping.
//   - moving counts the records that are not parked. A go statement counts the new one
//     before it returns, and one that ends is counted until its last effect has
//     happened; so if moving is 0 nobody is left who could do anything, or start somebody.
//   - A goroutine that comes to its root when the phase is no longer stopping goes
//     on at once: the stop was abandoned while it unwound.
//   - Started while all are to stop, a goroutine is parked, not launched: it begins when
//     the others are let go.
//   - No stop begins while others are being let go; Begin waits for that.
//   - One that has called runtime.Goexit can be stopped in the deferred calls that it makes. It ends then,
//     and when it is let go another goroutine continues it (exits.go).
//   - One that panics keeps its record, and can't be stopped any more. So no checkpoint
//     is without it, and the process ends.
//
// # Operations that block
//
// They are checkpoint functions whose arguments matter: when the call is made again to
// continue a checkpoint, it is the operation itself that begins anew. So each can be
// left at any time before it has had an effect. A send, a receive and a select are one
// select statement together with the receive from a channel that is closed in a stop: exactly
// one of the two happens, so no value is lost or sent twice. There is one such
// channel for this stop and one for the next: whoever could not join waits for the latter.
//
// A select statement with a default would see that somebody has left a channel for a stop. So that
// channel is closed only when nobody runs any more, as far as is known from the counts of
// operations, or it takes long ([Ask]). The counts can be too high; so a goroutine joins the stop
// before such a statement ([Try]).
//
// Operations of package sync can't be interrupted. If one has to wait, a companion, a goroutine of
// ours, makes the call, while its owner waits for it or for a stop. The companion is not stopped:
// it keeps its place in the queue. The owner unwinds without it, and finds it in its record when it
// comes back. Whether the companion holds the lock in the meantime (because somebody unlocked
// before he was parked) is part of the checkpoint, as is which of its two queues the companion of a
// Cond is in. This keeps the fairness of package sync, the edges that the race detector sees, and
// deadlocks that the runtime sees: nothing here runs while the program waits. (Package ckp has
// goroutines that hide deadlocks from the runtime where it watches signals, and finds them itself.)
//
// At the moment of the capture every companion has returned or is blocked in package
// sync. The driver waits until it finds that so at one moment; as nobody else moves, it
// remains so. Locks are saved without those that wait for them. A new process starts companions
// for those before anybody else runs.
//
// # Order
//
// Those who wait at a channel are served in their order, and package sync mostly does so. Each
// operation that has to wait takes a number. Goroutines that were blocked
// are let in first, by these numbers, one after the other: each when the one before is seen in the
// queue of the channel for the next stop, where it gets together with that of the
// operation. Then come the others, then those that have not begun.
//
// # A leaf
//
// Packages of the standard library can be instrumented too, so this package
// imports only unsafe, sync/atomic and runtime: whatever imports it must not be
// imported by it. package ckp plugs in above.
package shadow

// Package ckp is the runtime of programs that ckpgen has instrumented: it
// decides when a checkpoint is due, saves the program and restores it.
//
// # How a program is run
//
// The main function of an instrumented program begins with
//
//	if ckp.Start(main) { return }
//
// [Start] hands it to [Main], which calls it again. Somewhere below, with any stack of instrumented
// functions in between, the program calls a checkpoint function: [Checkpoint], or one of a library
// (marked by the line //ckp:point in its documentation), such as bsp.Sync. Most of the time that
// returns at once. If a checkpoint is due it calls [Begin] and returns; the activations below find
// that their goroutine is saving, push their frames and return as well (package shadow), until the
// root of the goroutine has the control again. All other goroutines come to their roots likewise,
// from where they next call a checkpoint function or would block. The root then
//
//  1. captures the program: the frames of all goroutines, the package variables of instrumented
//     packages, and the state that libraries have registered ([Use]), with all
//     that can be reached from them (package heap). The snapshot shares
//     nothing with the program;
//  2. has it written and committed, by a [Committer]: one process by itself to
//     a store (package store), the processes of a job together;
//  3. hands the frames back and has the program called again, which descends to where it
//     was in each goroutine and goes on.
//
// The program stands still for step 1. Step 2 goes on beside step 3 (behind.go), unless the
// checkpoint is to be the last of the process, or CKP_EXIT_AFTER counts it. Main waits for it
// before it returns; after a panic or os.Exit in between, the checkpoint before is the newest. The
// interval is counted from one capture to the next, but from when all goroutines have been let go
// if that has taken more than half of it.
//
// A process that is to continue a checkpoint does the last step with frames,
// variables and library state rebuilt from the image. It refuses the image of
// another program: fingerprints of all instrumented functions, and names and
// types of all variables, must be those in the image. This is looked at before
// an epoch is claimed, so that a wrong CKP_DIR does no harm to the program that
// owns it; the same program started twice is another matter: the later start wins,
// the earlier one finds itself fenced off at its next commit, and stops.
//
// # Refusals
//
// A checkpoint is refused, and the program goes on without, where it could not
// be continued later: if an activation between the root and the checkpoint function
// was not instrumented, if a goroutine does not come within a second (it computes without
// a checkpoint function, or waits for the network, say), if the program has goroutines that
// were not started by rewritten go statements and are not declared to be external, if something
// reachable can't be saved. Each reason is told once on standard error. It is
// tried again soon, but not so often that the tries cost more than a hundredth of
// the time. A checkpoint that fails, because the disk is full, say, is tried
// again after the interval, at the least a second.
//
// # Deadlocks
//
// When all goroutines wait for each other the runtime of the language ends the process. It can't
// tell while signals are watched, as with CKP_DIR, or a timer runs. There the process is ended
// here, with the same message and status 2, if it is certain (deadlock.go tells when it is not).
//
// # The environment
//
// Without any of these variables nothing is done at all: no file, no signal
// handler, no goroutine; a call of Checkpoint is a load and a branch or two.
//
//	CKP_DIR=dir         where checkpoints lie; resumes from the last committed one if there is one
//	CKP_INTERVAL=60s    least time between checkpoints (60s if not set; 0: at every checkpoint call and poll)
//	CKP_EXIT_AFTER=N    after the Nth committed checkpoint stop with exit status 75
//	CKP_TORTURE=K       at every Kth opportunity: checkpoint to disk, then exec a fresh process that restores it
//	CKP_KEEP=K          committed checkpoints to keep (2 if not set)
//	CKP_EARLY=skip      a checkpoint that is due while the one before is being written: skip, the program goes on
//	                    and it is taken when that is written; wait, the program waits. If it is not set it is
//	                    wait with CKP_INTERVAL=0, and skip otherwise
//	CKP_INCREMENTS=N    images have what has changed in arrays of numbers and the like, from 64 KiB on, since the checkpoint
//	                    before; a checkpoint is made of a whole one and at most N such (series.go; 0 if not set: each image is whole)
//	CKP_COMPRESS=zstd   images are compressed, if the program imports .../runtime/ckp/zstd (none: they are not, as if not set)
//
// An opportunity is a checkpoint call or a poll; with CKP_DIR it is one, too, when all goroutines
// of the program wait (watch.go), if an interval that is not zero has elapsed or a signal asks for
// it.
//
// If there is none for ten intervals, and ten seconds at least, the goroutines that are in the way
// are named on standard error (overdue.go).
//
// SIGTERM: checkpoint at the next opportunity, then exit 75. SIGUSR1: checkpoint and go on.
// (Windows has neither.) If there is no opportunity for two seconds, the goroutines that are in the
// way are named on standard error. A second SIGTERM, half a second after the first or later, ends
// the program by that signal, without a checkpoint. A program that has asked for SIGTERM by package
// os/signal is not notified of the first, or the checkpoint would be one of a program that ends;
// the second is left to it, and no more checkpoints are taken then.
//
// Exit statuses are the program's own, and 2 if a variable above has no sensible value or the
// checkpoints are those of a run with other arguments, 3 if the checkpoint is one of another
// program or has a number that is too large for this machine, 4 if there are checkpoints and none
// is intact, 75 after a checkpoint that was to stop it.
//
// With CKP_TORTURE and without CKP_DIR the checkpoints lie in files without names, which the fresh
// process inherits, so that nothing remains however the program ends (on Windows in a temporary
// directory, which it deletes as soon as it has read them). An exec takes the handlers of signals
// away, and neither a mask of blocked signals nor ignoring them brings a SIGTERM past the start of
// the Go runtime. One that comes in the moments of an exec may end the process by that signal
// instead of with status 75, or be lost. The checkpoint is there in either case, and the same
// command goes on from it.
//
// CKP_DIR is locked while a program runs with it (the file job.lock): the same
// command given twice by mistake ends with status 1, and the first goes on.
//
// A directory belongs to one run of one command. Its file job.json has the arguments, and whether
// the program had ended: whether main has returned, since os.Exit is not noticed. A program that
// had ended goes on from its last checkpoint nevertheless, and says so.
//
// The launcher of a job sets further variables; see environment.go.
//
// # Files and the process
//
// Open files are a part of the checkpoint: see package heap. What the program has written to them
// is put on stable storage before the checkpoint is committed, and cut back to its size at the
// checkpoint when that is continued: after the epoch was claimed, which voids all later
// checkpoints; after everything else has succeeded; and in a job before any of its processes goes
// on, as those that append to one file would cut off what others have written. All of them see that
// file with the same size at the checkpoint, since none goes on before all have captured. A program
// that shares a file with one that is not part of the job must not cut it: leave it out
// (//ckp:transient). A process of an older incarnation that was only stopped, and not killed,
// writes to its files until it finds its epoch closed: that can't be kept from a file as it is from
// the store.
//
// The working directory, the environment variables that the program has set or removed, os.Args,
// os.Stdin, os.Stdout, os.Stderr and time.Local are those of the program at the checkpoint. The
// standard streams themselves belong to the process; but if standard input is a regular file, it
// goes on where the program had read to. So do flags, the default loggers of log and log/slog, and
// the generator of math/rand after a Seed, if the program has them (instrument/library.go has the
// list).
//
// # What is not part of a checkpoint
//
// Variables of other packages of the standard library are those of a fresh process, but for those
// that programs register things in or assign, such as http.DefaultServeMux (instrument/library.go
// has the list). Files that were closed before the checkpoint are as they are, and as durable as
// the program has made them. Objects come back without their finalizers and cleanups, except those
// of open files.
//
// The packages of a process that continues a checkpoint are initialised as always, since that sets
// up what no checkpoint has (flags, image formats, types for encoding/gob). Then the instrumented
// packages get their variables from the checkpoint. What the initialisation prints is not printed
// again (package quiet). Goroutines that it starts are part of checkpoints as any others. In a
// process that continues one those that were started anew are stopped when main is entered, and
// dropped without their deferred calls being made; what they have done before has been done again,
// as all of the initialisation. If one does not come to where it can be stopped within ten seconds,
// the process ends with status 1; the checkpoint remains as it is. No checkpoint is taken before
// main is entered.
package ckp

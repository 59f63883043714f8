package ckp

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
	"github.com/ckpgen/ckpgen/runtime/ckp/variables"
)

// Checkpoint is an opportunity for a checkpoint of a program of one process. It
// returns at once unless one is due. If the process dies later, another one
// that continues the checkpoint returns from this call.
//
//ckp:point
func Checkpoint() {
	// Those that package initialisation has started join before there is a run.
	if Arrived() || shadow.Join(1) {
		return
	}
	if current.Load() == nil {
		tellPlain()
		return
	}
	if d := Due(); d != None {
		// The refusal was told, and the program can do nothing about it.
		_ = begin(d, 2)
	}
}

// Save takes a checkpoint of a program of one process here, without waiting for the interval, if
// checkpoints are turned on. The name is shown by ckpgen inspect. It is a checkpoint as any other:
// a later one takes its place, after as many as are kept. If the one before is being written, the
// program waits for that.
//
//ckp:point
func Save(name string) {
	if Arrived() || shadow.Join(1) {
		return
	}
	r := current.Load()
	if r == nil {
		tellPlain()
		return
	}
	r.name.Store(&name)
	if begin(max(Due(), r.last(SaveAndGoOn)), 2) != nil {
		r.name.Store(nil) // it was told why
	}
}

// toldPlain is set when it is known whether the program was instrumented.
var toldPlain atomic.Bool

// tellPlain tells who asks a program for checkpoints that it takes none, as it was not
// instrumented: no function of it is registered. Packages register while they are initialised,
// when that is not known yet.
func tellPlain() {
	if toldPlain.Load() || initialises() || toldPlain.Swap(true) || slices.ContainsFunc(shadow.Packages(), func(p *shadow.Package) bool { return len(p.Functions) > 0 }) {
		return
	}
	if _, on, err := parseEnvironment(variables.Lookup); (on || err != nil) && !variables.Plain() {
		say("this program was not built with 'ckpgen build': no checkpoints are taken")
	}
}

// initialises reports whether the caller is called by the initialisation of a package.
func initialises() bool {
	pcs := make([]uintptr, 64)
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs)
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var fr runtime.Frame
			if fr, more = frames.Next(); fr.Function == "runtime.doInit1" {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}

// poll is what a poll of instrumented code does when a checkpoint is wanted. In a
// job of several processes a checkpoint is taken where all agree, not here.
func poll() {
	r := current.Load()
	if r == nil {
		return
	}
	if agreed.Load() {
		shadow.Want(false)
		return
	}
	// (One in a bubble is refused it, and told so.)
	if !shadow.Known() && !shadow.InBubble() {
		r.leave()
		return
	}
	r.left.Store(0)
	if d := Due(); d != None && r.beginning.TryLock() {
		_ = r.begin(d, 3)
		r.beginning.Unlock()
	}
}

// How long goroutines that are not part of checkpoints leave these to the others. If none of those
// came, the program is left alone three times as long, as polls take time while a checkpoint is
// wanted, and the next time they have twice as long, up to a limit: one that comes to a poll every
// four seconds would hardly ever come while one is wanted.
const (
	leaving     = time.Second
	mostLeaving = 32 * time.Second
	leftAlone   = 3
	perRefusal  = 100 // see schedule.refused
)

// leave leaves the checkpoint that is due to others. A finalizer, say, or a goroutine that is left
// out, may poll all the time: it would use up the opportunities of those that can take one. If
// nobody else comes to a poll, it is told: all may be done by goroutines which code that is not
// rewritten has started, such as those of a server.
func (r *run) leave() {
	now := time.Now().UnixNano()
	given := leaving << r.leaves.Load()
	if r.left.CompareAndSwap(0, now) || now-r.left.Load() < int64(given) || !r.beginning.TryLock() {
		return
	}
	defer r.beginning.Unlock()
	if given < mostLeaving {
		r.leaves.Add(1)
	}
	_, err := r.otherGoroutines()
	if err == nil {
		where, _ := parseTraces(string(debug.Stack()))[0].where(nil)
		err = aloneError(where)
	}
	r.refuse(err, leftAlone*given/perRefusal)
	r.left.Store(0)
}

// An aloneError tells where a goroutine is that polls, though it is not part of checkpoints, while
// no other does.
type aloneError string

func (e aloneError) Error() string {
	return fmt.Sprintf("for %v no goroutine that is part of checkpoints has come to a poll, and this one is not: %s; do what takes long in goroutines that code which ckpgen rewrites starts", leaving, string(e))
}

// Arrived is the first thing that a checkpoint function calls. It reports
// whether the call is the innermost one of a stack that has been restored: the
// checkpoint is done then, and the function must return.
func Arrived() bool { return shadow.Busy != 0 && shadow.Arrived() }

// Begin begins a checkpoint. It must be called by the checkpoint function
// itself, which must return right afterwards, with or without an error.
//
// An error says why no checkpoint can be taken here; the program goes on. It
// has been told on standard error already, once for each reason. In a job, the
// other processes wait for this one's image: the library must tell them.
func Begin(d Decision) error { return begin(d, 3) }

// begin does the work of Begin for its caller's caller at 2 and so on.
func begin(d Decision, skip int) error {
	r := current.Load()
	if r == nil {
		return errors.New("checkpoints are not turned on: set " + envDir)
	}
	r.beginning.Lock()
	err := r.begin(d, skip+1)
	r.beginning.Unlock()
	return err
}

var errBubble = errors.New("no checkpoint can be taken in a bubble of testing/synctest")

// begin does it for the caller at skip. r.beginning is held: where thousands of goroutines come to
// a poll at once, one looks at the stacks of all, which may take a while and a hundred megabytes,
// and the others go on until they are to join.
func (r *run) begin(d Decision, skip int) error {
	if shadow.InBubble() {
		r.tell(errBubble.Error(), "checkpoint refused: "+errBubble.Error()) // a timer would be one of the bubble
		return errBubble
	}
	began := time.Now()
	if hashesByProcess.Load() {
		r.refuse(errHashesByProcess, 0)
		return errHashesByProcess
	}
	if !shadow.Stopping() {
		if _, err := r.otherGoroutines(); err != nil {
			r.refuse(err, time.Since(began))
			return err
		}
	}
	first, err := shadow.Begin(skip)
	if err != nil {
		r.refuse(err, time.Since(began))
		return err
	}
	if first {
		r.left.Store(0)
		r.decision = d
	}
	return nil
}

// refuse tells why no checkpoint is taken.
func (r *run) refuse(err error, took time.Duration) {
	r.schedule.refused(took)
	about, text := reason(err), "checkpoint refused: "+err.Error()
	r.miss(about, text, r.tell(about, text), false)
}

// reason is the same for refusals that differ only in the way to the function that calls the one
// which is in the way, such as in how deep a recursion is, or in the lines that goroutines are in.
func reason(err error) string {
	var refusal *shadow.Refusal
	var moving *movingError
	switch {
	case errors.As(err, &moving):
		return moving.key
	case errors.As(err, new(aloneError)):
		return "alone"
	case !errors.As(err, &refusal):
		return err.Error()
	}
	caller := ""
	for i, f := range refusal.Path {
		if f == refusal.Function && i > 0 {
			caller = refusal.Path[i-1]
		}
	}
	return fmt.Sprintf("%s: %s:%d", caller, refusal.File, refusal.Line)
}

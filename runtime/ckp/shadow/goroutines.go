package shadow

import (
	"runtime"
	"sync/atomic"
)

// Go starts a goroutine that calls f, as the statement go f() does, and makes it part of
// checkpoints. f must be savable: a function, or the func value of a [Closure].
func Go(f func()) {
	Present(f)
	if phase.Load() == off {
		go Run(f)()
		return
	}
	begin(&record{f: f})
}

// Present returns f, which a go statement calls. If it is nil, the process ends as by the program's
// own statement, which no deferred call can prevent, and before what comes after it.
func Present(f func()) func() {
	if f == nil {
		go f()
	}
	return f
}

// GoWait is the method Go of a sync.WaitGroup: it calls f in a new goroutine and has
// w count it.
func GoWait(w Group, f func()) {
	if phase.Load() == off {
		w.Go(f)
		return
	}
	w.Add(1)
	begin(&record{f: f, group: w})
}

// A record is a goroutine that is part of checkpoints.
type record struct {
	f      func()
	group  Group         // counts it; nil: none does
	early  bool          // a timer of package initialisation starts it
	resume chan struct{} // lets it go on when it is parked

	// Written while all.lock is held, or before the goroutine runs.
	number   uint64 // in the order of the go statements; main is 0
	g        goroutine
	launched bool
	state    state
	frames   []Frame // when parked: to be continued
	exits    bool    // its function has called runtime.Goexit (see exits.go)
	dropped  bool    // it is to end as soon as it is parked

	// Written by the goroutine itself while it runs, by others while it is parked.
	waiting   Waiting
	companion *companion
	deadline  int64        // of a Sleep, by the clock now
	now       func() int64 // nil: it does not sleep

	passed atomic.Bool // since it was let in, a blocking operation has ended
}

// The states of a record.
type state uint8

const (
	running   state = iota
	unwinding       // saving, on the way to its root
	parked          // at its root, or not launched
)

// all is what is known of the goroutines that are part of checkpoints.
var all struct {
	lock    lock
	of      map[goroutine]*record // those that have begun to run
	records map[*record]bool
	main    *record // nil: not begun
	gone    bool    // main has called runtime.Goexit
	adopted bool    // they are those of an image
	over    bool    // main has returned: the process is about to end
	started uint64  // go statements so far
	moving  int     // records that are not parked
	live    int     // records whose goroutines exist
	blocked uint64  // counts operations that had to wait
	events  uint64  // counts those, and the ends of goroutines
	idle    notice  // for whoever wants to know when all wait

	early []func() // undo what package initialisation did

	stop    chan struct{} // closed when those that wait in operations are to join the next stop
	next    chan struct{} // the same for the stop after that
	asked   bool          // they are, in the present one
	arrived chan struct{} // closed when all are parked
	driver  *record       // which began the stop
}

// begin registers a goroutine and launches it, unless all are to stop.
func begin(r *record) {
	if r.apart() {
		return
	}
	all.lock.Lock()
	if r.early && all.adopted {
		all.lock.Unlock()
		return
	}
	all.started++
	r.number = all.started
	enlist(r)
	launch := phase.Load() != stopping
	if launch {
		r.launched = true
		all.live++
		all.moving++
	} else {
		r.state = parked
	}
	all.lock.Unlock()
	if launch {
		go r.run()
	}
}

// enlist adds a record. all.lock is held.
func enlist(r *record) {
	if all.records == nil {
		all.records = make(map[*record]bool)
		all.of = make(map[goroutine]*record)
		all.stop, all.next = make(chan struct{}), make(chan struct{})
	}
	r.resume = make(chan struct{}, 1)
	all.records[r] = true
	if k := r.waiting.Kind; k != 0 {
		count(k, 1)
	}
}

// unmap forgets the goroutine of a record: another one may have its identity from now on. all.lock
// is held.
func unmap(r *record) {
	delete(all.of, r.g)
	askedLast.CompareAndSwap(uintptr(r.g), 0)
}

// delist removes one that has ended. all.lock is held.
func delist(r *record) {
	delete(all.records, r)
	unmap(r)
	r.proceed()
	all.events++
	if r.launched {
		all.live--
	}
	if r.state != parked {
		all.moving--
		settle()
		askWaiting()
	}
	all.idle.tell()
}

// self returns the record of the calling goroutine, or nil if there is none or it is pinned.
func self() *record {
	if pinned() {
		return nil
	}
	all.lock.Lock()
	r := all.of[current()]
	all.lock.Unlock()
	return r
}

// run is the root of a goroutine.
func (r *record) run() {
	all.lock.Lock()
	r.g = current()
	all.of[r.g] = r
	all.lock.Unlock()
	returned := false
	defer func() { r.end(returned) }()
	if r.group != nil {
		defer r.count()
	}
	g := growthOf(r.f)
	if g.grow != nil {
		g.grow()
	}
	at := here()
	r.loop()
	g.vote(here() != at)
	returned = true
}

// loop calls f until it returns by itself, or is dropped.
func (r *record) loop() {
	for {
		if frames := r.frames; len(frames) > 0 {
			r.frames = nil
			Restore(frames)
		}
		call(r.continued())
		frames, saving := Take()
		if !saving {
			return
		}
		r.park(frames)
		if r.dropped {
			return
		}
	}
}

// root is the runtime name of the function that calls the program or the function
// of a goroutine. Nothing below it is saved.
const root = library + "call"

// library is how the runtime names of the functions of this package begin.
const library = "github.com/ckpgen/ckpgen/runtime/ckp/shadow."

// call is where the part of the stack that is saved begins.
//
//go:noinline
func call(f func()) { f() }

// count tells the WaitGroup that the goroutine has ended, as sync.WaitGroup.Go does:
// not if that is by a panic, which must end the process first.
func (r *record) count() {
	if x := recover(); x != nil {
		panic(x)
	}
	if !r.dropped && !(Busy != 0 && Unwinding()) {
		r.group.Done()
	}
}

// end removes the record of a goroutine that has returned or called runtime.Goexit. One
// that panics keeps it: it can't be stopped, so no checkpoint will be without it.
func (r *record) end(returned bool) {
	if !returned && panics() {
		return
	}
	if !returned && r.exited() {
		return
	}
	r.passed.Store(true)
	all.lock.Lock()
	if r == all.main {
		all.main, all.gone = nil, true
	}
	if !r.dropped {
		delist(r)
	}
	all.lock.Unlock()
}

// panics reports whether the deferred call that asks was made by a panic, and
// not by runtime.Goexit.
func panics() bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		fr, more := frames.Next()
		switch fr.Function {
		case "runtime.gopanic":
			return true
		case "runtime.Goexit":
			return false
		}
		if !more {
			return false
		}
	}
}

// Begun makes the main goroutine one of those that checkpoints are taken of, unless it is that of
// an image. None can be begun before, by goroutines that package initialisation has started: it
// would be without main.
func Begun() {
	all.lock.Lock()
	if all.main == nil && !all.gone {
		r := &record{launched: true}
		enlist(r)
		all.live++
		all.moving++
		all.main = r
	}
	all.lock.Unlock()
}

// Main is the root of the main goroutine. It returns when program does.
func Main(program func()) {
	Begun()
	all.lock.Lock()
	r, adopted := all.main, all.adopted
	all.early = nil
	if r != nil {
		r.f, r.g = program, current()
		all.of[r.g] = r
	}
	all.lock.Unlock()
	if adopted {
		resume(r)
	}
	if r == nil {
		runtime.Goexit()
	}
	returned := false
	defer func() {
		if !returned {
			r.end(false)
		}
	}()
	r.loop()
	returned = true
	all.lock.Lock()
	all.over = true
	all.lock.Unlock()
}

// Over reports whether the main goroutine has returned.
func Over() bool {
	all.lock.Lock()
	defer all.lock.Unlock()
	return all.over
}

// Count returns how many goroutines there should be by what is known here, companions
// included.
func Count() int {
	all.lock.Lock()
	defer all.lock.Unlock()
	return all.live + int(companions.Load())
}

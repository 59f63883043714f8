package ckp

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
	"github.com/ckpgen/ckpgen/runtime/ckp/variables"
	"github.com/ckpgen/ckpgen/store"
)

// A run is a process with checkpoints turned on. Except for the schedule and what is told, it is
// touched by one goroutine at a time: main's at the start and at the end, and the one that has
// begun a checkpoint, or the watcher, while all stand still.
type run struct {
	config    configuration
	store     *store.Store // nil: made at the first checkpoint, in a temporary directory
	epoch     store.Epoch
	job       store.Job // as it is recorded
	hadEnded  bool      // the job was recorded to have ended
	base      uint64    // checkpoint that was restored
	seq       uint64    // of the last attempt
	before    forerunners
	section   []byte // the encoded fingerprint
	hash      string // of section
	schedule  schedule
	beginning sync.Mutex   // held while a goroutine begins a checkpoint, or finds that there can be none
	decision  Decision     // of the checkpoint that was begun
	left      atomic.Int64 // since when polls of goroutines that are not part of checkpoints leave one to others, in Unix nanoseconds; 0: they don't
	leaves    atomic.Int32 // how often nobody else came then; see leave
	durable   durable
	name      atomic.Pointer[string] // of the checkpoint that Save has begun
	captures  uint64                 // that were begun
	note      string                 // the name of the checkpoint that is taken; empty: none
	files     []string               // that the program had open when it was captured
	series    *series                // nil: each image is whole
	behind    behind                 // what writes a checkpoint while the program goes on
	events    atomic.Uint64          // at the last checkpoint: see shadow.Idle
	external  bool                   // goroutines that are not part of the checkpoint were found
	unlock    func()                 // frees the lock of the directory; nil if it is not taken
	signals   chan os.Signal         // nil: they are not watched
	settled   chan chan bool         // see settleSignals

	committed atomic.Uint64 // checkpoints, for CKP_EXIT_AFTER

	saving atomic.Bool // a checkpoint is being captured or, while the program waits for it, written
	lost   atomic.Bool // a goroutine has gone astray

	tellMu  sync.Mutex
	told    map[string]bool // reasons
	missed  miss            // the last
	setback setback
	late    *time.Timer // for what was asked for last; see expect
	failed  string      // the reason why the last checkpoint could not be written; empty if it was
}

// current is nil in a process without checkpoints. Main sets it before the
// program starts.
var current atomic.Pointer[run]

var started atomic.Bool

// Start is the first thing that the main function of an instrumented program calls,
// with itself. The first time it runs the program by [Main] and returns true: main
// must return. When Main calls main, it returns false.
func Start(main func()) bool {
	if started.Swap(true) {
		return false
	}
	Main(main)
	return true
}

// Main runs an instrumented program. It returns when the program does.
func Main(program func()) {
	config, on, err := parseEnvironment(variables.Lookup)
	var before forerunners
	if on && err == nil && shadow.Continues() {
		before.halt() // while nobody hears them: what they do, others have done
		before.wait(patience)
	}
	shadow.Initialised()
	if mark := shadow.Mark(); mark != "" {
		heap.Unmark(mark)
	}
	if !config.claimed && config.rank == 0 && baton == "" && testBinary == nil { // the first process; of tests and jobs, the command tells
		if s := variables.Unknown(variables.Environ()); s != "" {
			say(s)
		}
	}
	if err != nil {
		quit(exitUsage, err)
	}
	variables.Take()
	if !on {
		shadow.Off()
		program()
		return
	}
	if err := testBinary.allowed(startArgs); err != nil {
		quit(exitUsage, err)
	}
	startEnv = environ()
	r := &run{
		config:   config,
		before:   before,
		schedule: schedule{interval: config.interval, torture: config.torture},
	}
	r.committed.Store(config.committed)
	if config.increments > 0 {
		r.series = newSeries(config.increments)
	}
	if config.dir != "" {
		// Before anything that takes time: a signal that comes while a
		// checkpoint is read asks for the next one.
		r.schedule.asks = make(chan struct{}, 1)
		r.watchSignals()
	}
	shadow.SetWaiter(waiter{})
	r.identify()
	if err := r.start(); err != nil {
		quit(statusOf(err), err)
	}
	r.before.release()
	shadow.Begun() // the goroutines of package initialisation may take checkpoints from here on
	current.Store(r)
	if r.signals != nil {
		shadow.HideSignals(beenNotified)
	}
	r.follow()
	r.schedule.start()
	shadow.SetDriver(r.drive)
	shadow.SetAstray(r.astray)
	if r.schedule.asks != nil {
		go r.watch()
	}
	shadow.Main(program)
	r.behind.wait()
	r.recordEnd()
	current.Store(nil)
	r.unwatchSignals()
}

// tell writes a line to standard error, unless one with the same reason has been
// written, and reports whether it has.
func (r *run) tell(reason, line string) bool {
	r.tellMu.Lock()
	defer r.tellMu.Unlock()
	if r.told[reason] {
		return false
	}
	if r.told == nil {
		r.told = make(map[string]bool)
	}
	if len(r.told) >= 1000 {
		return false
	}
	r.told[reason] = true
	say(line)
	return true
}

// forget lets a reason be told again.
func (r *run) forget(reason string) {
	r.tellMu.Lock()
	defer r.tellMu.Unlock()
	delete(r.told, reason)
}

func say(line string) { fmt.Fprintln(startStderr, "ckpgen:", line) }

func quit(status int, err error) {
	say(err.Error())
	os.Exit(status)
}

// statusOf returns the exit status for an error at the start.
func statusOf(err error) int {
	var other *otherProgramError
	var none *store.NoIntactError
	var large *tooLargeError
	var damaged *damagedError
	var job *store.OtherJobError
	switch {
	case errors.As(err, &job):
		return exitUsage
	case errors.As(err, &other), errors.As(err, &large):
		return exitOtherProgram
	case errors.As(err, &none), errors.As(err, &damaged):
		return exitNoIntact
	}
	return 1
}

// owner tells people whose epoch it is.
func owner() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("process %d on %s", os.Getpid(), host)
}

func since(t time.Time) time.Duration { return time.Since(t).Round(time.Millisecond) }

package ckp

import (
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"

	"github.com/ckpgen/ckpgen/heap"
)

// signals is what the program has asked for of package os/signal. It is nil if there is nothing to
// tell.
type signals struct {
	Notified []notified
	Ignored  []int // by the program, and not by whoever has started the process
	Been     bool  // the program has been seen to be notified
}

// notified is a channel that signals are sent to.
type notified struct {
	Channel chan<- os.Signal
	Signals []os.Signal
}

// handlers goes over the channels that are notified of signals. It is nil if the program asks for
// none.
var handlers func(visit func(c chan<- os.Signal, signals []os.Signal))

// first has signals looked at before the program is notified, which it is not of those that take
// returns true for. It is nil if the program asks for none.
var first func(take func(os.Signal) bool)

// Signals has what the program asks for of package os/signal saved, by a function that goes over
// the channels which are notified of signals; before has signals looked at before these are. It is
// called during initialisation, by programs that were rewritten.
func Signals(visitor func(visit func(c chan<- os.Signal, signals []os.Signal)), before func(take func(os.Signal) bool)) {
	handlers, first = visitor, before
}

// handOn notifies the program of a signal that was kept from it, and reports whether it has asked
// for it.
func handOn(s os.Signal) bool {
	asked := false
	for _, n := range ofProgram() {
		if slices.Contains(n.Signals, s) {
			asked = true
			select {
			case n.Channel <- s:
			default:
			}
		}
	}
	return asked
}

// startIgnored are the signals that the process was started without.
var startIgnored = ignored()

func ignored() []int {
	var list []int
	for n := 1; n < 65; n++ {
		if signal.Ignored(syscall.Signal(n)) {
			list = append(list, n)
		}
	}
	return list
}

// ofProgram are the channels that are notified and that are not this package's own.
func ofProgram() []notified {
	if handlers == nil {
		return nil
	}
	var own chan<- os.Signal
	if r := current.Load(); r != nil {
		own = r.signals
	}
	var list []notified
	handlers(func(c chan<- os.Signal, signals []os.Signal) {
		if c != own {
			list = append(list, notified{c, signals})
		}
	})
	return list
}

// wasNotified is set when the program has been seen to be notified. Package os/signal starts a
// goroutine then, which remains when nobody is any more.
var wasNotified atomic.Bool

// beenNotified reports whether the program has been seen to be notified of signals, in this process
// or one before.
func beenNotified() bool {
	if !wasNotified.Load() && len(ofProgram()) > 0 {
		wasNotified.Store(true)
	}
	return wasNotified.Load()
}

// note returns what is to be saved now; s is what the process before this one has left.
func (s *signals) note() *signals {
	// An external goroutine that waits for signals is not there in the next process, where nobody
	// would take notice of them.
	next := &signals{Been: beenNotified(), Notified: slices.DeleteFunc(ofProgram(), func(n notified) bool { return heap.Awaited(n.Channel) })}
	for _, n := range ignored() {
		if s != nil && slices.Contains(s.Ignored, n) || !slices.Contains(startIgnored, n) {
			next.Ignored = append(next.Ignored, n)
		}
	}
	if len(next.Notified)+len(next.Ignored) == 0 && !next.Been {
		return nil
	}
	return next
}

// apply asks for the signals in this process. What its initialisation has asked for gives way to
// that.
func (s *signals) apply() {
	for _, n := range ofProgram() {
		signal.Stop(n.Channel)
	}
	wasNotified.Store(s != nil && s.Been)
	if s == nil {
		return
	}
	for _, n := range s.Ignored {
		signal.Ignore(syscall.Signal(n))
	}
	for _, n := range s.Notified {
		signal.Notify(n.Channel, n.Signals...)
	}
}

package shadow

import (
	"sync/atomic"

	identity "github.com/ckpgen/ckpgen/runtime/ckp/shadow/goroutine"
)

// A companion is a goroutine that makes a call of package sync, which can't be
// interrupted, while its owner waits for the end of it or for a stop. It is not stopped: it stays
// in its queue, and the owner finds it again when it goes on.
type companion struct {
	done      chan struct{} // closed when the call has returned
	over      atomic.Bool   // the same
	number    atomic.Uint64 // in the runtime's stack traces; 0: not begun
	signalled bool          // waits for the lock of a Cond; set by the driver
	panicked  any
}

// companions is the number of those that exist.
var companions atomic.Int64

// accompany starts a companion.
func accompany(call func()) *companion {
	c := &companion{done: make(chan struct{})}
	companions.Add(1)
	go func() {
		c.number.Store(identity.Number())
		defer c.end()
		call()
	}()
	return c
}

func (c *companion) end() {
	c.panicked = recover()
	c.over.Store(true)
	companions.Add(-1)
	close(c.done)
}

// A Companion is a goroutine that waits in package sync, in the place of another one.
type Companion struct {
	c      *companion
	object any
	Kind   Kind
}

// Companions returns those of parked goroutines which wait. It is called by the
// driver.
func Companions() []Companion {
	all.lock.Lock()
	defer all.lock.Unlock()
	var list []Companion
	for r := range all.records {
		if c := r.companion; r.state == parked && c != nil && !c.over.Load() {
			list = append(list, Companion{c, r.waiting.Object, r.waiting.Kind})
		}
	}
	return list
}

// Over reports whether it waits no longer.
func (c Companion) Over() bool { return c.c.over.Load() }

// Number returns the number of the goroutine in the runtime's stack traces, 0 if it has
// not begun to run.
func (c Companion) Number() uint64 { return c.c.number.Load() }

// Object returns what it waits for.
func (c Companion) Object() any { return c.object }

// Signalled reports what SetSignalled said.
func (c Companion) Signalled() bool { return c.c.signalled }

// SetSignalled says whether it waits, in a Cond, for the lock only.
func (c Companion) SetSignalled(yes bool) { c.c.signalled = yes }

// A Waiter is what package ckp knows of package sync, which may not be imported here.
type Waiter interface {
	// Cond calls the Wait of a Cond which a goroutine was blocked in when the image
	// was written: its lock is not held. It calls queued when its place in the queue is taken.
	// If it was signalled already it only locks the lock.
	Cond(c any, signalled bool, queued func())
	// Blocked reports whether the goroutine with a number is blocked.
	Blocked(number uint64) bool
	// Pause lets other threads run for some microseconds.
	Pause()
}

// SetWaiter sets what stops and restores need of it.
func SetWaiter(w Waiter) { waiter.Store(&w) }

var waiter atomic.Pointer[Waiter]

// patience is for how many companions it is made sure that they queue up
// in their order. It takes time, and package sync promises no order.
const patience = 100

// awaitAgain starts the companions that goroutines had when the image was written, in the
// order in which those had blocked, before anybody else runs.
func awaitAgain() {
	all.lock.Lock()
	var list []*record
	for r := range all.records {
		if r.waiting.Object != nil && !r.waiting.Done {
			list = append(list, r)
		}
	}
	all.lock.Unlock()
	inOrder(list)
	for i, r := range list {
		w := *waiter.Load()
		waiting := r.waiting
		if waiting.Kind == CondWaiting {
			queued := make(chan struct{})
			r.companion = accompany(func() { w.Cond(waiting.Object, waiting.Signalled, func() { close(queued) }) })
			<-queued
			continue
		}
		c := accompany(func() { perform(waiting.Kind, waiting.Object) })
		r.companion = c
		await(1<<10, func() bool {
			n := c.number.Load()
			return c.over.Load() || n != 0 && (i >= patience || w.Blocked(n))
		})
	}
}

package ckp

import (
	"sync"
	"time"
)

// waiter does for package shadow what needs package sync.
type waiter struct{}

func (waiter) Cond(c any, signalled bool, queued func()) {
	cond := c.(*sync.Cond)
	lock := cond.L
	if signalled {
		queued() // the next one may change cond.L now
		lock.Lock()
		return
	}
	cond.L = &absentLock{cond, lock, queued}
	cond.Wait()
}

func (waiter) Blocked(number uint64) bool {
	return blockedInSync[goroutineStates(allStacks())[number]]
}

func (waiter) Pause() { time.Sleep(50 * time.Microsecond) }

// An absentLock is the lock of a Cond while a goroutine takes its place in the queue
// again. It is not held, so there is nothing to unlock.
type absentLock struct {
	cond   *sync.Cond
	lock   sync.Locker
	queued func()
}

// Unlock is called when the place is taken, and nobody else runs.
func (a *absentLock) Unlock() {
	a.cond.L = a.lock
	a.queued()
}

// Lock is never called.
func (a *absentLock) Lock() { a.lock.Lock() }

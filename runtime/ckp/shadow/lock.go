package shadow

import (
	"runtime"
	"sync/atomic"
)

// A lock guards the few instructions for which records and stacks are looked at; package sync may
// be instrumented itself and can't be used here. Whoever finds it held tries again a few times, and
// is put to sleep then: where thousands of goroutines want it, and the thread of the one that has
// it does not run, they would keep the processors busy and it from running.
//
// It is the mutex of Drepper's "Futexes are tricky", with a channel for the futex.
type lock struct {
	state atomic.Int32
	freed atomic.Pointer[chan struct{}] // has a token if it was freed while somebody may have slept
}

// The states of a lock.
const (
	free   int32 = iota
	held         // nobody sleeps
	wanted       // held, and somebody may sleep
)

func (l *lock) Lock() {
	for range 4 {
		if l.state.CompareAndSwap(free, held) {
			return
		}
		runtime.Gosched()
	}
	freed := l.prepare()
	for l.state.Swap(wanted) != free {
		<-*freed
	}
}

// prepare returns the channel for those who sleep.
func (l *lock) prepare() *chan struct{} {
	if freed := l.freed.Load(); freed != nil {
		return freed
	}
	ch := make(chan struct{}, 1)
	l.freed.CompareAndSwap(nil, &ch)
	return l.freed.Load()
}

func (l *lock) Unlock() {
	if l.state.Swap(free) == wanted {
		select {
		case *l.freed.Load() <- struct{}{}:
		default:
		}
	}
}

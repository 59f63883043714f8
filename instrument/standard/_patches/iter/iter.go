package iter

import (
	"internal/race"
	"runtime"
	"unsafe"
)

// Added:

// off reports whether there are no checkpoints.
//
//ckp:off
func off() bool { return true }

// A pull is an iterator that runs in a goroutine of its own. A coroutine of the runtime does
// the same faster, but can't be saved.
type pull struct {
	name           string // of the function
	resume, paused chan struct{}
	started        bool
	done           bool
	yieldNext      bool
	seqDone        bool // to detect Goexit
	goexit         bool
	racer          int
	panicValue     any
}

func newPull(name string) *pull {
	// One value at most is in either, so nobody waits to send.
	return &pull{name: name, resume: make(chan struct{}, 1), paused: make(chan struct{}, 1)}
}

// enter lets the iterator run until it yields or has ended.
func (p *pull) enter(run func()) {
	if p.started {
		p.resume <- struct{}{}
	} else {
		p.started = true
		go run()
	}
	<-p.paused
}

// leave is what the iterator calls to yield. It returns when the iterator is to go on.
func (p *pull) leave() {
	p.paused <- struct{}{}
	<-p.resume
}

// end is deferred by the iterator.
func (p *pull) end() {
	if v := recover(); v != nil {
		p.panicValue = v
	} else if !p.seqDone {
		p.goexit = true
	}
	p.done = true
	close(p.paused)
}

// ended passes on how the iterator has ended, if it has.
func (p *pull) ended() {
	if p.goexit {
		runtime.Goexit()
	}
	if p.panicValue != nil {
		panic(p.panicValue)
	}
}

// pullSaved is Pull in a program with checkpoints.
func pullSaved[V any](name string, seq Seq[V]) (next func() (V, bool), stop func()) {
	p := newPull(name)
	var v V
	var ok bool
	yield := func(v1 V) bool {
		if p.done {
			return false
		}
		if !p.yieldNext {
			panic(p.name + ": yield called again before next")
		}
		p.yieldNext = false
		v, ok = v1, true
		p.leave()
		return !p.done
	}
	run := func() {
		defer p.end()
		seq(yield)
		var v0 V
		v, ok = v0, false
		p.seqDone = true
	}
	next = func() (v1 V, ok1 bool) {
		race.Write(unsafe.Pointer(&p.racer)) // detect races
		if p.done {
			return
		}
		if p.yieldNext {
			panic(p.name + ": next called again before yield")
		}
		p.yieldNext = true
		p.enter(run)
		p.ended()
		return v, ok
	}
	stop = func() {
		race.Write(unsafe.Pointer(&p.racer)) // detect races
		if p.done {
			return
		}
		p.done = true
		if p.started {
			p.enter(run)
			p.ended()
		}
	}
	return next, stop
}

// A pair is what an iterator yields that yields two values.
type pair[K, V any] struct {
	k K
	v V
}

// pull2Saved is Pull2 in a program with checkpoints.
func pull2Saved[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	one, stop := pullSaved("iter.Pull2", func(yield func(pair[K, V]) bool) {
		seq(func(k K, v V) bool { return yield(pair[K, V]{k, v}) })
	})
	next = func() (K, V, bool) {
		p, ok := one()
		return p.k, p.v, ok
	}
	return next, stop
}

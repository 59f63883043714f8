package shadow

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// enter begins a blocking operation. again says that it is the innermost call of
// a stack that has just been restored. saving says that the goroutine has joined a stop
// before it did anything.
func enter() (again, saving bool) {
	if Busy == 0 && phase.Load() != stopping {
		return false, false // as a rule
	}
	return arrive()
}

// arrive is enter where one of both may hold.
func arrive() (again, saving bool) {
	if Arrived() {
		return true, false
	}
	return false, Join(0)
}

// block notes that an operation has to wait. It returns the record of the calling goroutine and the
// channel that wakes it for the next stop. The record is nil if the goroutine is not part of
// checkpoints, or is saving: then it is in the runtime's own code, which calls functions of the
// standard library that may have been rewritten, such as those of sync.Once, and what it had waited
// for itself must remain.
func block(k Kind, again bool) (*record, <-chan struct{}) {
	all.lock.Lock()
	defer all.lock.Unlock()
	r := all.of[current()]
	if r == nil || r.state != running {
		return nil, nil
	}
	if !again || r.waiting.Kind != k {
		all.blocked++
		all.events++
		r.passed.Store(true) // whatever it was blocked in before
		r.proceed()
		r.waiting = Waiting{Kind: k, Order: all.blocked}
		count(k, 1)
		askWaiting()
	}
	all.idle.tell()
	return r, all.stop
}

// undisturbed returns the channel for a goroutine that could not join the present stop,
// and goes on waiting: it is woken for the one after that.
func (r *record) undisturbed() <-chan struct{} {
	all.lock.Lock()
	defer all.lock.Unlock()
	if phase.Load() == stopping {
		return all.next
	}
	return all.stop
}

// passed notes that an operation that was entered again has ended at once.
func passed() {
	if r := self(); r != nil {
		r.proceed()
		r.passed.Store(true)
	}
}

// settled waits until a goroutine that was let in is blocked again, so that the next one
// queues up behind it, or has passed. A goroutine that is blocked waits for the next
// stop, too; so it is enough to look at the end of that queue.
//
// That a select has found something to do at once is seen only when the goroutine comes to
// its next operation. The order is a matter of fairness, so the wait is bounded. If the goroutine
// takes long, its thread may wait for a processor, and is given ours.
func (r *record) settled(k Kind, stop chan struct{}, before unsafe.Pointer) {
	pauses := 1 << 13
	switch {
	case !queuesKnown():
		pauses = 0
	case k == Selecting:
		pauses = 1 << 6
	}
	await(pauses, func() bool { return lastWaiting(stop) != before || r.passed.Load() })
}

// await waits until something is so, but not for ever.
func await(pauses int, is func() bool) {
	const spins = 1 << 8
	for i := range spins + pauses {
		switch {
		case is():
			return
		case i < spins:
			runtime.Gosched()
		default:
			(*waiter.Load()).Pause()
		}
	}
}

// queue is the runtime's hchan as far as it is looked at here.
type queue struct {
	_     [2]uint // count, capacity
	_     unsafe.Pointer
	_     uint16
	_     uint32
	_     [2]unsafe.Pointer // timer, type
	_     [2]uint
	first unsafe.Pointer
	last  unsafe.Pointer
}

// lastWaiting returns what tells the last of those that wait for ch from others. nil:
// nobody waits, or the runtime keeps channels in a way that is not known.
func lastWaiting(ch chan struct{}) unsafe.Pointer {
	if !queuesKnown() {
		return nil
	}
	q := *(**queue)(unsafe.Pointer(&ch))
	return atomic.LoadPointer(&q.last)
}

var queues atomic.Int32 // 1: known, 2: not

// queuesKnown tests the layout on a channel at which a goroutine comes to wait.
func queuesKnown() bool {
	if k := queues.Load(); k != 0 {
		return k == 1
	}
	ch, done := make(chan struct{}), make(chan struct{})
	q := *(**queue)(unsafe.Pointer(&ch))
	known := q.first == nil && q.last == nil
	go func() {
		<-ch
		close(done)
	}()
	await(1<<13, func() bool { return atomic.LoadPointer(&q.last) != nil })
	known = known && atomic.LoadPointer(&q.last) != nil && atomic.LoadPointer(&q.first) == atomic.LoadPointer(&q.last)
	close(ch)
	<-done
	if known {
		queues.Store(1)
	} else {
		queues.Store(2)
	}
	return known
}

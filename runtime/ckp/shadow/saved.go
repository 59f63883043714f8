package shadow

// A Saved is a goroutine in an image.
type Saved struct {
	Number  uint64 // in the order of the go statements; main is 0
	F       func() // nil for main
	Group   Group  // the WaitGroup that counts it, if it was started by its method Go
	Frames  []Frame
	Waiting Waiting
	Exits   bool // it makes its deferred calls after runtime.Goexit
	Ended   bool // main has called runtime.Goexit, and is gone
}

// Waiting is the operation that a goroutine is blocked in. The zero value: none.
type Waiting struct {
	Kind      Kind
	Order     uint64 // those that blocked earlier have a lower one
	Object    any    // the lock, WaitGroup or Cond
	Done      bool   // of an operation with an object: it needs only to return
	Signalled bool   // of a Cond: it waits for the lock
	Remaining int64  // of a Sleep, in nanoseconds
}

// A Kind is a kind of operation that blocks.
type Kind uint8

// The kinds.
const (
	_ Kind = iota
	Sending
	Receiving
	Selecting
	Locking
	RLocking
	GroupWaiting
	CondWaiting
	Sleeping
)

// String returns what the runtime calls it in a stack trace.
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return "unknown operation"
}

var kinds = [...]string{"", "chan send", "chan receive", "select", "sync.Mutex.Lock", "sync.RWMutex.RLock", "sync.WaitGroup.Wait", "sync.Cond.Wait", "sleep"}

// Snapshot returns all goroutines, the main one first. All of them are parked.
func Snapshot() []Saved {
	all.lock.Lock()
	defer all.lock.Unlock()
	list := make([]*record, 0, len(all.records))
	for r := range all.records {
		if r != all.main {
			list = append(list, r)
		}
	}
	sort(list, func(a, b *record) bool { return a.number < b.number })
	saved := make([]Saved, 0, 1+len(list))
	if all.main != nil {
		m := all.main.saved()
		m.F = nil
		saved = append(saved, m)
	} else {
		saved = append(saved, Saved{Ended: true})
	}
	for _, r := range list {
		saved = append(saved, r.saved())
	}
	return saved
}

func (r *record) saved() Saved {
	for _, fr := range r.frames {
		if w, ok := fr.(Walker); ok {
			w.Settle(nil)
		}
	}
	s := Saved{Number: r.number, F: r.f, Group: r.group, Frames: r.frames, Waiting: r.waiting, Exits: r.exits}
	if c := r.companion; c != nil {
		s.Waiting.Done = c.over.Load()
		s.Waiting.Signalled = c.signalled
	}
	if r.now != nil {
		s.Waiting.Remaining = max(r.deadline-r.now(), 1)
	}
	return s
}

// Adopt puts the goroutines of an image in the place of those of the process: [Halt]
// has stopped them. They begin to run when [Main] is called.
func Adopt(list []Saved) error {
	if len(list) == 0 {
		return errNone
	}
	all.lock.Lock()
	defer all.lock.Unlock()
	for r := range all.records {
		delist(r)
		r.dropped = true
		if r.launched {
			r.resume <- struct{}{}
		}
	}
	for _, undo := range all.early {
		undo()
	}
	all.early = nil
	want(byStop, false)
	phase.Store(stopping) // until Main
	all.stop, all.next, all.arrived, all.asked = make(chan struct{}), make(chan struct{}), nil, false
	all.moving, all.adopted = 0, true
	for i, s := range list {
		all.started = max(all.started, s.Number)
		all.blocked = max(all.blocked, s.Waiting.Order)
		if s.Ended {
			all.gone = true
			continue
		}
		r := &record{number: s.Number, f: s.F, group: s.Group, frames: s.Frames, waiting: s.Waiting, exits: s.Exits, state: parked}
		enlist(r)
		if i == 0 {
			r.launched = true
			all.live++
			all.main = r
		}
	}
	return nil
}

// Adopted reports whether the goroutines are those of an image.
func Adopted() bool {
	all.lock.Lock()
	defer all.lock.Unlock()
	return all.adopted
}

// BeforeMain remembers how to undo what was just done, if that was done by package initialisation:
// a process that continues a checkpoint does so. It reports whether it was.
func BeforeMain(undo func()) bool {
	all.lock.Lock()
	defer all.lock.Unlock()
	if all.main != nil || all.gone {
		return false
	}
	all.early = append(all.early, undo)
	return true
}

// resume lets the goroutines of an image go; main is the record of the calling one,
// or nil.
func resume(main *record) {
	all.lock.Lock() // the timers are set: one may have fired
	alone := main != nil && len(all.records) == 1 && main.waiting.Kind == 0
	if alone {
		main.state = running
		all.moving = 1
		phase.Store(open)
	}
	all.lock.Unlock()
	if alone {
		return
	}
	go func() {
		awaitAgain()
		Release()
	}()
	if main != nil {
		<-main.resume
	}
}

// inOrder sorts records into the order in which they are let go: first those that were
// blocked. Those that have not begun have the highest numbers.
func inOrder(list []*record) {
	sort(list, func(a, b *record) bool {
		x, y := a.waiting.Order, b.waiting.Order
		switch {
		case x == y:
			return a.number < b.number
		case x == 0 || y == 0:
			return y == 0
		}
		return x < y
	})
}

// sort is a heap sort: package sort may be instrumented itself.
func sort(list []*record, less func(a, b *record) bool) {
	down := func(i, n int) {
		for {
			c := 2*i + 1
			if c >= n {
				return
			}
			if c+1 < n && less(list[c], list[c+1]) {
				c++
			}
			if !less(list[i], list[c]) {
				return
			}
			list[i], list[c] = list[c], list[i]
			i = c
		}
	}
	for i := len(list)/2 - 1; i >= 0; i-- {
		down(i, len(list))
	}
	for n := len(list) - 1; n > 0; n-- {
		list[0], list[n] = list[n], list[0]
		down(0, n)
	}
}

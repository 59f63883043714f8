package shadow

// A Locker is a *sync.Mutex, or a *sync.RWMutex that is locked for writing.
type Locker interface {
	Lock()
	TryLock() bool
}

// An RLocker is a *sync.RWMutex that is locked for reading.
type RLocker interface {
	RLock()
	TryRLock() bool
}

// A Group is a *sync.WaitGroup.
type Group interface {
	Add(delta int)
	Done()
	Go(f func())
	Wait()
}

// A Cond is a *sync.Cond.
type Cond interface {
	Wait()
	Signal()
	Broadcast()
}

// Lock calls l.Lock(). It is a checkpoint function: the goroutine can be stopped while it
// waits. When the call is made again, l must be what it was.
//
//ckp:point
func Lock(l Locker) {
	if phase.Load() == off {
		l.Lock()
		return
	}
	if again, saving := enter(); !saving && (again || !l.TryLock()) {
		wait(Locking, l, again)
	}
}

// LockAny calls l.Lock(), of a type of package sync behind a sync.Locker. It is a
// checkpoint function, as [Lock] is.
//
//ckp:point
func LockAny(l interface {
	Lock()
	Unlock()
}) {
	if phase.Load() == off {
		l.Lock()
		return
	}
	again, saving := enter()
	if saving {
		return
	}
	if tries, ok := l.(Locker); ok && !again && tries.TryLock() {
		return
	}
	wait(Locking, l, again)
}

// RLock calls l.RLock(). It is a checkpoint function, as [Lock] is.
//
//ckp:point
func RLock(l RLocker) {
	if phase.Load() == off {
		l.RLock()
		return
	}
	if again, saving := enter(); !saving && (again || !l.TryRLock()) {
		wait(RLocking, l, again)
	}
}

// Wait calls w.Wait(). It is a checkpoint function, as [Lock] is.
//
//ckp:point
func Wait(w Group) {
	if phase.Load() == off {
		w.Wait()
		return
	}
	if again, saving := enter(); !saving {
		wait(GroupWaiting, w, again)
	}
}

// CondWait calls c.Wait(). It is a checkpoint function, as [Lock] is.
//
//ckp:point
func CondWait(c Cond) {
	if phase.Load() == off {
		c.Wait()
		return
	}
	if again, saving := enter(); !saving {
		wait(CondWaiting, c, again)
	}
}

// wait waits for what a companion does in the place of the calling goroutine.
func wait(k Kind, object any, again bool) {
	r, stop := block(k, again)
	if r == nil {
		perform(k, object)
		return
	}
	if r.waiting.Done {
		passed()
		return
	}
	c := r.companion
	if c == nil {
		r.waiting.Object = object
		c = accompany(func() { perform(k, object) })
		r.companion = c
	}
	for {
		select {
		case <-c.done:
			r.companion = nil
			r.proceed()
			r.passed.Store(true)
			if c.panicked != nil {
				panic(c.panicked)
			}
			return
		case <-stop:
			if r.join(0, true) {
				return
			}
			stop = r.undisturbed()
		}
	}
}

// perform makes the call itself.
func perform(k Kind, object any) {
	switch k {
	case Locking:
		object.(interface{ Lock() }).Lock()
	case RLocking:
		object.(RLocker).RLock()
	case GroupWaiting:
		object.(Group).Wait()
	case CondWaiting:
		object.(Cond).Wait()
	}
}

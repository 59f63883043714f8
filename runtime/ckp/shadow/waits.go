package shadow

// Lock calls l.Lock(), of a *sync.Mutex or the like. It is a checkpoint function: the goroutine can be
// stopped while it waits. When the call is made again, l must be what it was.
//
//ckp:point
func Lock(l interface {
	Lock()
	TryLock() bool
}) {
	l.Lock()
}

// RLock calls l.RLock(), of a *sync.RWMutex. It is a checkpoint function, as [Lock] is.
//
//ckp:point
func RLock(l interface {
	RLock()
	TryRLock() bool
}) {
	l.RLock()
}

// Wait calls w.Wait(), of a *sync.WaitGroup. It is a checkpoint function, as [Lock] is.
//
//ckp:point
func Wait(w interface {
	Add(int)
	Wait()
}) {
	w.Wait()
}

// CondWait calls c.Wait(), of a *sync.Cond. It is a checkpoint function, as [Lock] is.
//
//ckp:point
func CondWait(c interface {
	Wait()
	Signal()
}) {
	c.Wait()
}

package shadow

// Go starts a goroutine that calls f, as the statement go f() does, and makes it part of
// checkpoints. f must be savable: a function, or the func value of a [Closure].
func Go(f func()) {
	go f()
}

// GoWait is the method Go of a sync.WaitGroup: it calls f in a new goroutine and has
// w count it.
func GoWait(w interface {
	Add(int)
	Done()
}, f func()) {
	w.Add(1)
	go func() {
		defer w.Done()
		f()
	}()
}

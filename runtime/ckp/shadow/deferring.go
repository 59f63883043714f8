package shadow

// deferring has, for the body of a loop over a function, what defers a call of the function around the
// loop. It belongs to an activation of that function, so it is no part of the body's environment.
var deferring struct {
	lock lock
	of   map[any]func(any) bool
}

// Deferring says that each defers calls for the loop with the given environment, until
// the result is called.
func Deferring(loop any, each func(record any) bool) (end func()) {
	deferring.lock.Lock()
	if deferring.of == nil {
		deferring.of = make(map[any]func(any) bool)
	}
	deferring.of[loop] = each
	deferring.lock.Unlock()
	return func() {
		deferring.lock.Lock()
		delete(deferring.of, loop)
		deferring.lock.Unlock()
	}
}

// Defer defers the call that is in a record, for the loop with the given environment.
func Defer(loop, record any) {
	deferring.lock.Lock()
	each := deferring.of[loop]
	deferring.lock.Unlock()
	each(record)
}

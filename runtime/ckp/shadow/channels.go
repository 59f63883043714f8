package shadow

// Send sends v on ch, as the statement ch <- v does. It is a checkpoint function: the
// goroutine can be stopped while it waits. When the call is made again to
// continue a checkpoint, ch and v must be what they were.
//
//ckp:point
func Send[T any](ch chan<- T, v T) {
	if phase.Load() == off {
		ch <- v
		return
	}
	send(ch, v)
}

func send[T any](ch chan<- T, v T) {
	again, saving := enter()
	if saving {
		return
	}
	select {
	case ch <- v:
		if again {
			passed()
		}
		return
	default:
	}
	r, stop := block(Sending, again)
	if r == nil {
		ch <- v
		return
	}
	for {
		select {
		case ch <- v:
			r.proceed()
			return
		case <-stop:
			if r.join(0, true) {
				return
			}
			stop = r.undisturbed()
		}
	}
}

// Receive receives a value from ch, as the expression <-ch does. It is a checkpoint
// function: the goroutine can be stopped while it waits, and what is returned then
// means nothing. When the call is made again, ch must be what it was.
//
//ckp:point
func Receive[T any](ch <-chan T) T {
	if phase.Load() == off {
		return <-ch
	}
	v, _ := receive(ch)
	return v
}

// Receive2 is [Receive] with the second result: false if ch is closed and empty.
//
//ckp:point
func Receive2[T any](ch <-chan T) (v T, ok bool) {
	if phase.Load() == off {
		v, ok = <-ch
		return v, ok
	}
	return receive(ch)
}

func receive[T any](ch <-chan T) (v T, ok bool) {
	again, saving := enter()
	if saving {
		return v, false
	}
	select {
	case v, ok = <-ch:
		if again {
			passed()
		}
		return v, ok
	default:
	}
	r, stop := block(Receiving, again)
	if r == nil {
		v, ok = <-ch
		return v, ok
	}
	for {
		select {
		case v, ok = <-ch:
			r.proceed()
			return v, ok
		case <-stop:
			if r.join(0, true) {
				return v, false
			}
			stop = r.undisturbed()
		}
	}
}

// Blocking is called before a select statement without default, and returns the
// channel for one more clause of it. The operands of the select are
// live variables then: Blocking is a checkpoint function, and the select follows it.
//
//	resume1:
//		stop = shadow.Blocking()
//	test1:
//		if shadow.Unwinding() {
//			shadow.Push(&f_frame{At: 1, ch: ch, v: v})
//			return
//		}
//		select {
//		case ch <- v:
//		case <-stop:
//			if shadow.Interrupted() {
//				goto test1
//			}
//			goto resume1
//		}
//
// Without checkpoints it returns nil. The channel is good for one execution of the select:
// it must not be kept, nor be part of the frame.
//
//ckp:point
func Blocking() <-chan struct{} {
	if phase.Load() == off {
		return nil
	}
	again := Arrived()
	r, stop := block(Selecting, again)
	if r == nil {
		return nil
	}
	if !again && phase.Load() == stopping {
		if r.join(0, false) {
			return nil
		}
		return r.undisturbed()
	}
	return stop
}

// Interrupted is called in the clause of a select that received from the channel of
// [Blocking]. If the goroutine can be stopped here it is saving afterwards, and the
// result is true. If not, [Blocking] must be called again, and the select is executed
// again.
func Interrupted() bool {
	r := self()
	return r != nil && r.join(0, true)
}

// Try is called before a select statement with a default, where [Quiet] denies.
// Those that wait at its channels have left them when a stop has begun, or are about to. So the
// goroutine joins the stop, and looks for them when they are back.
//
//ckp:point
//go:noinline
func Try() {
	if !Arrived() {
		Join(0)
	}
}

package blocking

import (
	"reflect"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// most is how many cases reflect.Select takes, less one.
const most = 1<<16 - 1

// Select is reflect.Select. It is a checkpoint function: the goroutine can be stopped while it
// waits, and what is returned then means nothing. When the call is made again to
// continue a checkpoint, the cases must be what they were.
//
//ckp:point
func Select(cases []reflect.SelectCase) (chosen int, v reflect.Value, ok bool) {
	if shadow.IsOff() || len(cases) > most {
		return reflect.Select(cases)
	}
	more := append(make([]reflect.SelectCase, 0, len(cases)+1), cases...)
	for _, c := range cases {
		if c.Dir == reflect.SelectDefault { // it never waits, but finds those that do
			shadow.Communicate(shadow.Selecting, func() bool {
				chosen, v, ok = reflect.Select(cases)
				return true
			}, nil)
			return chosen, v, ok
		}
	}
	made := func(last reflect.SelectCase) bool {
		chosen, v, ok = reflect.Select(append(more, last))
		return chosen < len(cases)
	}
	shadow.Communicate(shadow.Selecting, func() bool {
		return made(reflect.SelectCase{Dir: reflect.SelectDefault})
	}, func(stop <-chan struct{}) bool {
		return made(receiveFrom(stop))
	})
	return chosen, v, ok
}

// Send is v.Send(x). It is a checkpoint function, as [Select] is.
//
//ckp:point
func Send(v, x reflect.Value) {
	if shadow.IsOff() || !isOpen(v) || !x.IsValid() || !x.CanInterface() {
		v.Send(x)
		return
	}
	shadow.Communicate(shadow.Sending, func() bool {
		return v.TrySend(x)
	}, func(stop <-chan struct{}) bool {
		chosen, _, _ := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: v, Send: x}, receiveFrom(stop)})
		return chosen == 0
	})
}

// Recv is v.Recv(). It is a checkpoint function, as [Select] is.
//
//ckp:point
func Recv(v reflect.Value) (x reflect.Value, ok bool) {
	if shadow.IsOff() || !isOpen(v) {
		return v.Recv()
	}
	shadow.Communicate(shadow.Receiving, func() bool {
		x, ok = v.TryRecv()
		return x.IsValid()
	}, func(stop <-chan struct{}) bool {
		chosen := 0
		chosen, x, ok = reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: v}, receiveFrom(stop)})
		return chosen == 0
	})
	return x, ok
}

// isOpen reports whether v is a channel that is not an unexported field's. The methods of another
// value tell what it is when they panic.
func isOpen(v reflect.Value) bool { return v.Kind() == reflect.Chan && v.CanInterface() }

func receiveFrom(stop <-chan struct{}) reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(stop)}
}

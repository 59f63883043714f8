package shadow

import "unsafe"

// Calls are some of the deferred calls of an activation of a function that has each of them at most
// once, by bits.
type Calls uint32

// A Deferral is the record of a deferred call: a pointer to a generated struct that begins with an
// [After].
type Deferral interface{ begins() After }

// After says which call was deferred before another one of the same activation; nil if none was.
type After struct{ Before Deferral }

func (a *After) begins() After { return *a }

// after returns what a record begins with. It is no method: to the compiler what has a method of an
// interface called is on the heap, and a record is on the stack of its function if nothing else
// keeps it from that.
func after(d Deferral) *After {
	return (*After)((*[2]unsafe.Pointer)(unsafe.Pointer(&d))[1])
}

// Defers makes d come after the deferred calls so far, and returns it.
func Defers(d, before Deferral) Deferral {
	after(d).Before = before
	return d
}

// Deferrals returns the deferred calls up to the one that a frame had as the last, in the order in
// which they were deferred. These records are on the heap. So that the compiler does not take that
// for what becomes of all records of the function, it does not see where they come from.
func Deferrals(restored Deferral) []Deferral {
	last := unseen(restored)
	list := make([]Deferral, length(last))
	for i := len(list) - 1; i >= 0; i-- {
		list[i] = last
		last = after(last).Before
	}
	return list
}

// unseen returns its argument. While the address of that is a number, nothing may be called: see
// [Push].
//
//go:noinline
//go:nocheckptr
func unseen(d Deferral) Deferral {
	address := uintptr(unsafe.Pointer(&d))
	return **(**Deferral)(unsafe.Pointer(&address))
}

func length(d Deferral) int {
	n := 0
	for ; d != nil; d = after(d).Before {
		n++
	}
	return n
}

// deferring has, for the body of a loop over a function, what defers a call of the function around
// the loop. It belongs to an activation of that function, so it is no part of the body's
// environment.
var deferring struct {
	lock lock
	of   map[any]func(Deferral) bool
}

// Deferring says that each defers calls for the loop with the given environment, until
// the result is called.
func Deferring(loop any, each func(record Deferral) bool) (end func()) {
	deferring.lock.Lock()
	if deferring.of == nil {
		deferring.of = make(map[any]func(Deferral) bool)
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
func Defer(loop any, record Deferral) {
	deferring.lock.Lock()
	each := deferring.of[loop]
	deferring.lock.Unlock()
	each(record)
}

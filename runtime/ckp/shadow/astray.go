package shadow

import "sync/atomic"

// SetAstray sets what is called where a goroutine that is to go on from a checkpoint does not come
// to where the checkpoint has it, with what is wrong. To go on would be to compute with wrong values,
// and from a panic the program might recover: f must not return. For what f calls, the goroutine is
// running.
func SetAstray(f func(fault string)) { whenAstray.Store(&f) }

var whenAstray atomic.Pointer[func(fault string)]

// astray calls f of [SetAstray]. Without one it panics.
func astray(fault string) {
	if f := whenAstray.Load(); f != nil {
		remove()
		(*f)(fault)
	}
	panic("shadow: " + fault)
}

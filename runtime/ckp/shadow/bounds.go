package shadow

import "math/bits"

// AtLeast tells the compiler that a counter is not below a number. Generated code says so where a
// loop goes on with what was in a frame, of which the compiler knows nothing, so that it tests no
// index by that counter in each iteration. Where an int has 32 bits, a counter can come to the end
// of its range, and then it may be.
func AtLeast(counter, least int) {
	if bits.UintSize == 64 && counter < least {
		panic("ckpgen: a counter is below where its loop begins")
	}
}

// Same tells the compiler that a length is what something was made with, as AtLeast does.
func Same(length, made int) {
	if length != made {
		panic("ckpgen: a length is not the one that something was made with")
	}
}

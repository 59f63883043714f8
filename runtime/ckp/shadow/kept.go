package shadow

// kept is assigned in code that is never executed; the compiler can't know that.
//
//lint:ignore U1000 nobody reads it
var kept any

// Kept returns its argument. To the compiler that is kept for ever, so that what it leads to is on
// the heap. Generated code calls it for what does not tell what it leads to: see [Lift].
func Kept[A any](a A) A {
	if Busy < 0 {
		kept = a
	}
	return a
}

// Called tells the compiler that a func value is called by code that it does not know. Otherwise it
// takes what a literal returns to be seen by nobody, if all that is done with it is to find out its
// code, and leaves on the stack what the literal returns of the variables that it has captured. It
// does that only for what makes use of a result.
func Called(f func() any) {
	if Busy < 0 {
		kept = f()
	}
}

// KeptError is [Kept] for an error.
func KeptError(err error) error {
	KeepError(err)
	return err
}

// KeepError tells the compiler that what a variable leads to is kept, as [Kept] does.
func KeepError(err error) {
	if Busy < 0 {
		kept = err
	}
}

// Kept2 is [Kept] for the results of a call.
func Kept2[A, B any](a A, b B) (A, B) {
	if Busy < 0 {
		kept = [...]any{a, b}
	}
	return a, b
}

// Kept3 is [Kept] for the results of a call.
func Kept3[A, B, C any](a A, b B, c C) (A, B, C) {
	if Busy < 0 {
		kept = [...]any{a, b, c}
	}
	return a, b, c
}

// Kept4 is [Kept] for the results of a call.
func Kept4[A, B, C, D any](a A, b B, c C, d D) (A, B, C, D) {
	if Busy < 0 {
		kept = [...]any{a, b, c, d}
	}
	return a, b, c, d
}

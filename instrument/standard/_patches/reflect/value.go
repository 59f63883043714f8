package reflect

import (
	"internal/abi"
	"unsafe"
)

// Added:

// settled returns the function or method that v is as a Value that remains the same when variables
// change: v may be one, and have another function when a process goes on that called this one.
func settled(v Value) Value {
	switch {
	case v.flag&flagIndir == 0:
	case v.flag&flagMethod == 0:
		return Value{v.typ_, *(*unsafe.Pointer)(v.ptr), v.flag &^ (flagIndir | flagAddr)}
	case v.typ().Kind() == abi.Interface:
		receiver := unsafe_New(v.typ())
		typedmemmove(v.typ(), receiver, v.ptr)
		return Value{v.typ_, receiver, v.flag &^ flagAddr}
	}
	return v
}

// given returns arguments as a list that is not nil. A process that goes on has none to give.
func given(in []Value) []Value {
	if in == nil {
		return []Value{}
	}
	return in
}

// zeroArguments returns arguments for a function that does not look at them.
func zeroArguments(typ Type, op string) []Value {
	n := typ.NumIn()
	if op == "Call" && typ.IsVariadic() {
		n--
	}
	in := make([]Value, n)
	for i := range in {
		in[i] = Zero(typ.In(i))
	}
	return in
}

// callMade calls what MakeFunc has made a function of. It does not tell that f has returned if it
// has only come back because a checkpoint is taken. Its caller is not rewritten, and shall call what
// it is rewritten as: with the directive there is no other.
//
//go:noinline
func callMade(f func([]Value) []Value, in []Value) (out []Value, returned bool) {
	return f(in), true
}

// zeroResults returns what a function returns when a checkpoint is taken: nobody looks at it.
func zeroResults(typ *funcType) []Value {
	out := make([]Value, 0, typ.NumOut())
	for _, t := range typ.OutSlice() {
		out = append(out, Zero(toRType(t)))
	}
	return out
}

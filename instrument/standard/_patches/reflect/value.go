package reflect

import (
	"internal/abi"
	"unsafe"
)

// Added:

// settled returns the function or method that v is as a Value that remains the same when variables
// change: v may be one, and have another function when a process goes on that called this one. Such
// a process has no arguments to give, which a list that is nil says. So what is called with its
// receiver as an argument becomes the method of it: the compiler's code between, which the methods
// of embedded fields have, looks at the receiver each time.
func settled(v Value, in []Value) (Value, []Value) {
	if i := methodCalled(v, in); i >= 0 {
		v, in = in[0].Method(i), in[1:]
	}
	if in == nil {
		in = []Value{}
	}
	switch {
	case v.flag&flagIndir == 0:
	case v.flag&flagMethod == 0:
		return Value{v.typ_, *(*unsafe.Pointer)(v.ptr), v.flag &^ (flagIndir | flagAddr)}, in
	case v.typ().Kind() == abi.Interface:
		receiver := unsafe_New(v.typ())
		typedmemmove(v.typ(), receiver, v.ptr)
		return Value{v.typ_, receiver, v.flag &^ flagAddr}, in
	}
	return v, in
}

// methodCalled returns the number of the method of the first argument that the function v is, as
// methods of a Type return it, or -1.
func methodCalled(v Value, in []Value) int {
	if v.flag&(flagMethod|flagRO) != 0 || len(in) == 0 || in[0].flag&flagRO != 0 {
		return -1
	}
	if k := in[0].Kind(); k != Pointer && k != Struct {
		return -1
	}
	receiver := in[0].typ()
	if t := (*funcType)(unsafe.Pointer(v.typ())); t.NumIn() == 0 || t.In(0) != receiver {
		return -1
	}
	fn := (*unsafe.Pointer)(v.ptr)
	if v.flag&flagIndir != 0 {
		fn = (*unsafe.Pointer)(*fn)
	}
	if fn == nil {
		return -1
	}
	for i, m := range receiver.ExportedMethods() {
		if textOffFor(receiver, m.Tfn) == *fn {
			return i
		}
	}
	return -1
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

package ckp

import (
	"math"
	"reflect"
	"sync"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

func init() {
	shadow.SetLift(func(stack func() (low, high uintptr)) shadow.Lift { return heap.NewLift(stack, firsts(), hiding()) })
	shadow.SetIdentical(func(x, y any) bool { return identical(reflect.ValueOf(x), reflect.ValueOf(y)) })
	shadow.SetZeros(canHaveZeros, func(x any) bool { return hasZero(reflect.ValueOf(x)) })
}

// identical reports whether two values are the same to any program, also where == is false or not
// defined: numbers by their bits, references by what they lead to, functions by their code.
func identical(x, y reflect.Value) bool {
	if !x.IsValid() || !y.IsValid() {
		return x.IsValid() == y.IsValid()
	}
	if x.Type() != y.Type() {
		return false
	}
	switch x.Kind() {
	case reflect.Float32, reflect.Float64:
		return sameBits(x.Float(), y.Float())
	case reflect.Complex64, reflect.Complex128:
		v, w := x.Complex(), y.Complex()
		return sameBits(real(v), real(w)) && sameBits(imag(v), imag(w))
	case reflect.Interface:
		return identical(x.Elem(), y.Elem())
	case reflect.Array:
		for i := range x.Len() {
			if !identical(x.Index(i), y.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range x.NumField() {
			if !identical(x.Field(i), y.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		return x.Pointer() == y.Pointer() && x.Len() == y.Len() && x.Cap() == y.Cap()
	case reflect.Map, reflect.Func:
		return x.Pointer() == y.Pointer()
	}
	return x.Equal(y)
}

// zeroTypes holds what canHaveZeros knows: reflect.Type to bool.
var zeroTypes sync.Map

// canHaveZeros reports whether there can be floating-point zeros, which have a sign that == does
// not see, in values of the type that a pointer is to.
func canHaveZeros(pointer any) bool {
	t := reflect.TypeOf(pointer)
	if known, ok := zeroTypes.Load(t); ok {
		return known.(bool)
	}
	can := mayHaveZeros(t.Elem())
	zeroTypes.Store(t, can)
	return can
}

func mayHaveZeros(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128, reflect.Interface:
		return true
	case reflect.Array:
		return mayHaveZeros(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if mayHaveZeros(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// hasZero reports whether there is a floating-point zero in a key.
func hasZero(x reflect.Value) bool {
	switch x.Kind() {
	case reflect.Float32, reflect.Float64:
		return x.Float() == 0
	case reflect.Complex64, reflect.Complex128:
		return real(x.Complex()) == 0 || imag(x.Complex()) == 0
	case reflect.Interface:
		return hasZero(x.Elem())
	case reflect.Array:
		for i := range x.Len() {
			if hasZero(x.Index(i)) {
				return true
			}
		}
	case reflect.Struct:
		for i := range x.NumField() {
			if hasZero(x.Field(i)) {
				return true
			}
		}
	}
	return false
}

func sameBits(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }

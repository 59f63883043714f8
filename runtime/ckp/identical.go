package ckp

import (
	"math"
	"reflect"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

func init() {
	shadow.SetLift(func(stack func() (low, high uintptr)) shadow.Lift { return heap.NewLift(stack, firsts()) })
	shadow.SetIdentical(func(x, y any) bool { return identical(reflect.ValueOf(x), reflect.ValueOf(y)) })
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

func sameBits(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }

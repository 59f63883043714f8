package heap

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// equalOf returns the function by which the runtime compares values of a type. It is not inlined,
// as the linker fails where the compiler reads it from the description of a type that it knows.
//
//go:noinline
func equalOf(typ reflect.Type) func(a, b unsafe.Pointer) bool {
	// The first words of the description of any type.
	type head struct {
		size, pointers uintptr
		hash           uint32
		_              [4]uint8
		equal          func(a, b unsafe.Pointer) bool
	}
	return (*head)(descriptor(typ)).equal
}

// TestRuntimeEqual saves functions by which the runtime compares values: those of values that it
// compares bit by bit have the size behind their code.
func TestRuntimeEqual(t *testing.T) {
	type point struct{ X, Y, Z int }
	type named struct {
		Name string
		N    int
	}
	type equals struct {
		Int, Bytes, Point, Named, Again func(a, b unsafe.Pointer) bool
	}
	v := &equals{equalOf(reflect.TypeFor[int]()), equalOf(reflect.TypeFor[[100]byte]()), equalOf(reflect.TypeFor[point]()), equalOf(reflect.TypeFor[named]()), equalOf(reflect.TypeFor[point]())}
	for range 2 { // what was rebuilt is saved again
		v = again(t, v)
		compare(t, v.Int, 1, 2)
		compare(t, v.Bytes, [100]byte{}, [100]byte{99: 1})
		compare(t, v.Point, point{1, 2, 3}, point{1, 2, 4})
		compare(t, v.Named, named{"a", 1}, named{"a", 2})
		equal(t, *(*unsafe.Pointer)(unsafe.Pointer(&v.Point)), *(*unsafe.Pointer)(unsafe.Pointer(&v.Again)))
	}
}

func compare[T any](t *testing.T, same func(a, b unsafe.Pointer) bool, a, b T) {
	t.Helper()
	c := a
	check(t, same(unsafe.Pointer(&a), unsafe.Pointer(&c)), a, "is not equal to itself")
	check(t, !same(unsafe.Pointer(&a), unsafe.Pointer(&b)), a, "equals", b)
}

// TestRuntimeEqualOfOtherWords rebuilds such a function from an image of a machine on which words
// have another size, and so the values may have.
func TestRuntimeEqualOfOtherWords(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[[3]int](), reflect.TypeFor[int]()} {
		f := equalOf(typ)
		im := through(t, []Root{{"f", &f}}, []Root{{"f", &f}})
		im.funcs[0].code = strings.Replace(im.funcs[0].code, fmt.Sprint(strconv.IntSize, ")"), "16)", 1)
		err := im.Rebuild([]Root{{"f", &f}}, Options{})
		var changed *TypeChangedError
		check(t, errors.As(err, &changed) && changed.Was == "of words of 16 bits", err)
	}
}

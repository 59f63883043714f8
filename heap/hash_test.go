package heap

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// TestRuntimeHash captures functions by which the runtime hashes keys of maps: what a program has
// hashed by them is not found again in another process.
func TestRuntimeHash(t *testing.T) {
	type key struct {
		name string
		n    int
	}
	for _, m := range []any{map[string]int{}, map[uint32]int{}, map[[3]int]int{}, map[key]int{{"one", 1}: 1}, map[any]int{}} {
		// The first words of the description of a map type: the description of any type, keys,
		// elements, groups, hasher.
		type mapType struct {
			size, pointers uintptr
			hash           uint32
			_              [4]uint8
			_              unsafe.Pointer
			_              unsafe.Pointer
			_              [2]int32
			_              [3]unsafe.Pointer
			hasher         func(unsafe.Pointer, uintptr) uintptr
		}
		v := struct {
			hasher func(unsafe.Pointer, uintptr) uintptr
		}{(*mapType)(descriptor(reflect.TypeOf(m))).hasher}
		_, err := Capture([]Root{{"v", &v}}, Options{})
		var unsupported *UnsupportedError
		check(t, errors.As(err, &unsupported), err)
		equal(t, "v.hasher", unsupported.Path)
		check(t, strings.Contains(unsupported.Why, "hash function of Go's runtime"), err)
	}
}

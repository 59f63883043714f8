package ckp

import (
	"reflect"
	"unsafe"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// A hasher hashes a key to which a pointer leads.
type hasher = func(key unsafe.Pointer, seed uintptr) uintptr

// A mapType is what the description of a map type begins with (abi.MapType).
type mapType struct {
	description // of the map type itself
	key         *description
	elem, group unsafe.Pointer
	hasher      hasher
}

// A description is of any type (abi.Type).
type description struct {
	_ [2]uintptr
	_ uint64
	_ [2]uintptr
	_ uint64
}

// mapHasher returns what a program gets that reads the hasher of a map type at this address: a
// function that returns the same in all processes, as nilinterhash does. It is called by packages
// that may be initialised before this one.
//
//go:linkname mapHasher
func mapHasher(at unsafe.Pointer) hasher {
	f := *(*hasher)(at)
	if !heap.IsRuntimeHash(f) { // one that package reflect has made calls those of the runtime
		return f
	}
	var v any
	*(*unsafe.Pointer)(unsafe.Pointer(&v)) = unsafe.Pointer((*mapType)(unsafe.Add(at, -int(unsafe.Offsetof(mapType{}.hasher)))))
	t := reflect.TypeOf(v)
	if t.Kind() != reflect.Map {
		return f
	}
	text, word, wide, short := shadow.Hashers()
	switch t.Key().Kind() { // the most frequent
	case reflect.String:
		return text
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		return word
	case reflect.Int64, reflect.Uint64:
		return wide
	case reflect.Int32, reflect.Uint32:
		return short
	}
	return (&keyHash{t.Key()}).hash
}

// A keyHash hashes keys of a type.
type keyHash struct{ key reflect.Type }

func (k *keyHash) hash(p unsafe.Pointer, seed uintptr) uintptr {
	v := reflect.NewAt(k.key, p).Elem().Interface()
	return nilinterhash(unsafe.Pointer(&v), seed)
}

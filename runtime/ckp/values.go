package ckp

import (
	"errors"
	"hash/maphash"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Functions of Go's runtime that hash values of any type, which packages get at by go:linkname, are
// these in programs that ckpgen has built: package shadow has those that hash memory, and tells
// why. They hash by package hash/maphash as ckpgen build puts it into programs, which knows how to
// hash pointers, with a seed that is the same in each process.

// valueSeed returns what values are hashed from. Packages hash before this one is initialised.
func valueSeed() (s maphash.Seed) {
	*(*uint64)(unsafe.Pointer(&s)) = 1
	return s
}

// hashesByProcess is set if the program has hashed values by hash/maphash as it is in the standard
// library, so that another process would find none of them where they are.
var hashesByProcess atomic.Bool

var errHashesByProcess = errors.New("the program hashes values by functions of Go's runtime (runtime.nilinterhash, runtime.typehash, those of map types), which is something else in a process that goes on; build it with 'ckpgen build', or hash with package hash/maphash")

// nilinterhash hashes the value in the interface that p points to.
//
//go:linkname nilinterhash
func nilinterhash(p unsafe.Pointer, seed uintptr) uintptr {
	v := *(*any)(p)
	if v == nil {
		return seed
	}
	if _, stable := any(maphash.Seed{}).(stableHashes); !stable {
		hashesByProcess.Store(true)
	}
	if s, ok := v.(string); ok {
		return uintptr(maphash.String(valueSeed(), s)) + 31*seed // the same takes a third of the time
	}
	return uintptr(maphash.Comparable(valueSeed(), v)) + 31*seed
}

// typehash hashes the value of a type that p points to. The type is what the first word of an
// interface is.
//
//go:linkname typehash
func typehash(t, p unsafe.Pointer, seed uintptr) uintptr {
	var v any
	*(*unsafe.Pointer)(unsafe.Pointer(&v)) = t
	at := reflect.TypeOf(v)
	v = reflect.NewAt(at, p).Elem().Interface()
	return nilinterhash(unsafe.Pointer(&v), seed)
}

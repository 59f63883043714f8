package heap

import (
	"reflect"
	"sync"
	"unsafe"
)

// A description is what the runtime's descriptions of types begin with, as in package internal/abi.
type description struct {
	size, pointers    uintptr
	hash              uint32
	flags             uint8
	align, fieldAlign uint8
	kind              uint8
	_                 [2]unsafe.Pointer // equality, data for the collector
	_                 [2]int32          // name, pointer to this type
}

// descriptor returns the runtime's description of a type.
func descriptor(rt reflect.Type) unsafe.Pointer {
	return (*words)(unsafe.Pointer(&rt)).data
}

// described returns the type that a description is of.
func described(p unsafe.Pointer) reflect.Type {
	rt := typeOfByte
	(*words)(unsafe.Pointer(&rt)).data = p
	return rt
}

// A fieldDescription is that of a field. The name begins with a byte of flags.
type fieldDescription struct {
	name   *byte
	typ    unsafe.Pointer
	offset uintptr
}

// fieldsOf returns the fields of a struct type as they are in its description. Package reflect
// makes a [reflect.StructField] of each, which takes a program that has thousands of types
// milliseconds.
func fieldsOf(rt reflect.Type) []fieldDescription {
	return (*struct {
		description
		pkg    unsafe.Pointer
		fields []fieldDescription
	})(descriptor(rt)).fields
}

var descriptions = sync.OnceValue(func() map[unsafe.Pointer]bool {
	set := make(map[unsafe.Pointer]bool)
	for _, t := range linkedTypes() {
		set[descriptor(t)] = true
	}
	return set
})

// isDescriptor reports whether x is the address of the description of a type. Programs
// get at it as the first word of an interface, and compare it.
func isDescriptor(x unsafe.Pointer) bool {
	base, _, _ := findObject(uintptr(x), 0, 0)
	if base == 0 {
		return descriptions()[x]
	}
	return base == uintptr(x) && describesMade(x, maxDepth)
}

// A madeDescription is the description of a pointer or slice type.
type madeDescription struct {
	description
	elem unsafe.Pointer
}

// describesMade reports whether the allocation at x is the description of a pointer or slice type
// that package reflect has made, as the binary has none. It is if reflect, asked for the type,
// answers with it: there is one for each.
func describesMade(x unsafe.Pointer, depth int) bool {
	if base, size := extent(uintptr(x)); base != uintptr(x) || size < unsafe.Sizeof(madeDescription{}) || depth == 0 {
		return false
	}
	d, word := (*madeDescription)(x), unsafe.Sizeof(x)
	make, size := reflect.PointerTo, word
	switch reflect.Kind(d.kind & kindMask) {
	case reflect.Pointer:
	case reflect.Slice:
		make, size = reflect.SliceOf, 3*word
	default:
		return false
	}
	if d.size != size || d.pointers != word || uintptr(d.align) != word || uintptr(d.fieldAlign) != word {
		return false
	}
	base, _, _ := findObject(uintptr(d.elem), 0, 0)
	if base == 0 && descriptions()[d.elem] || base != 0 && base == uintptr(d.elem) && describesMade(d.elem, depth-1) {
		return descriptor(make(described(d.elem))) == x
	}
	return false
}

const (
	kindMask  = 1<<5 - 1
	flagNamed = 1 << 2
)

// isNamed reports whether a type has a name. Package reflect looks for the name in the text of the
// type.
func isNamed(rt reflect.Type) bool { return (*description)(descriptor(rt)).flags&flagNamed != 0 }

package ckp

import (
	"reflect"
	"unsafe"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// locations are the structs whose addresses the program makes numbers of, while a checkpoint is taken or continued.
var locations []heap.Location

// numberedTypes returns their types.
func numberedTypes() []reflect.Type {
	var list []reflect.Type
	for _, p := range shadow.Packages() {
		for _, t := range p.Numbered {
			list = append(list, reflect.TypeOf(t).Elem())
		}
	}
	return list
}

// numberOf returns the number that stands for an address.
func numberOf(p unsafe.Pointer) uint64 { return uint64(shadow.Number(p)) }

// renumber gives the structs of a checkpoint the numbers that they had. It returns one that is too large for this machine,
// or 0.
func renumber() (tooLarge uint64) {
	of := make(map[uintptr]uintptr, len(locations))
	for _, l := range locations {
		if l.Number > uint64(^uintptr(0)) {
			return l.Number
		}
		of[reflect.ValueOf(l.Pointer).Pointer()] = uintptr(l.Number)
	}
	locations = nil
	shadow.Renumber(of)
	return 0
}

package ckp

import (
	"hash/maphash"
	"reflect"
	"unsafe"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// stableHashes is package hash/maphash as ckpgen build puts it into programs, which hashes the
// numbers of addresses (see package build).
type stableHashes interface {
	AddressesByCkpgen() map[uintptr]reflect.Type
	NumberedByCkpgen(hashed map[uintptr]reflect.Type, numbers map[uintptr]uintptr)
}

// hashes is that; nil if the package is as in the standard library.
var hashes, _ = any(maphash.Seed{}).(stableHashes)

// hashed returns the pointers and channels that the program has hashed.
func hashed() map[uintptr]reflect.Type {
	if hashes == nil {
		return nil
	}
	return hashes.AddressesByCkpgen()
}

// locations are what the program makes numbers of the addresses of, while a checkpoint is taken or
// continued.
var locations []heap.Location

// addresses are the numbers that the program makes pointers of, while a checkpoint is taken or
// continued.
var addresses []heap.Address

// setAddresses has the numbers of a checkpoint lead to where they led. It reports whether those of
// types are the same in this binary.
func setAddresses() bool {
	defer func() { addresses = nil }()
	for _, a := range addresses {
		if a.Types != 0 && a.Types != heap.TypePlaces() {
			return false
		}
		a.Set()
	}
	return true
}

// numberedTypes returns their types.
func numberedTypes() []reflect.Type {
	var list []reflect.Type
	for _, p := range shadow.Packages() {
		list = append(list, pointedTypes(p.Numbered)...)
	}
	return list
}

// numberOf returns the number that stands for an address.
func numberOf(p unsafe.Pointer) uint64 { return uint64(shadow.Number(p)) }

// renumber gives the objects of a checkpoint the numbers that they had. It returns one that is too
// large for this machine, or 0.
func renumber() (tooLarge uint64) {
	of := make(map[uintptr]uintptr, len(locations))
	seen := make(map[uintptr]reflect.Type, len(locations))
	for _, l := range locations {
		if l.Number > uint64(^uintptr(0)) {
			return l.Number
		}
		v := reflect.ValueOf(l.Pointer)
		of[v.Pointer()] = uintptr(l.Number)
		seen[v.Pointer()] = v.Type()
	}
	locations = nil
	if moved := shadow.Renumber(of); hashes != nil {
		hashes.NumberedByCkpgen(seen, moved)
	}
	return 0
}

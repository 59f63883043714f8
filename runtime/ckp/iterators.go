package ckp

import (
	"reflect"
	"unsafe"

	"github.com/ckpgen/ckpgen/heap"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// Walks over maps have the iterators of package reflect, which package shadow can't import.
func init() {
	if heap.SameLayout(reflect.TypeFor[shadow.MapIterator](), reflect.TypeFor[reflect.MapIter]()) {
		next := (*reflect.MapIter).Next
		shadow.SetIterators(func(m any, it *shadow.MapIterator) {
			(*reflect.MapIter)(unsafe.Pointer(it)).Reset(reflect.ValueOf(m))
		}, *(*func(*shadow.MapIterator) bool)(unsafe.Pointer(&next)))
	}
}

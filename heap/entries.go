package heap

import (
	"reflect"
	"sync"
	"unsafe"
)

// A mapIter is a reflect.MapIter, as far as it is looked at here: where the entry is that it has
// come to. Whether that is so is tested before it is relied on.
type mapIter struct {
	m         reflect.Value
	key, elem unsafe.Pointer
}

func entryOf(it *reflect.MapIter) *mapIter { return (*mapIter)(unsafe.Pointer(it)) }

// mapItersKnown tests the layout, by its description and on a map.
var mapItersKnown = sync.OnceValue(func() bool {
	inner, ok := reflect.TypeFor[reflect.MapIter]().FieldByName("hiter")
	if !ok || inner.Type.Kind() != reflect.Struct {
		return false
	}
	for name, at := range map[string]uintptr{"key": unsafe.Offsetof(mapIter{}.key), "elem": unsafe.Offsetof(mapIter{}.elem)} {
		f, ok := inner.Type.FieldByName(name)
		if !ok || f.Type.Kind() != reflect.UnsafePointer || inner.Offset+f.Offset != at {
			return false
		}
	}
	m := make(map[uint16]uint32)
	for i := range 100 {
		m[uint16(7*i)] = uint32(11 * i)
	}
	for it := reflect.ValueOf(m).MapRange(); it.Next(); {
		if e := entryOf(it); *(*uint16)(e.key) != uint16(it.Key().Uint()) || *(*uint32)(e.elem) != uint32(it.Value().Uint()) {
			return false
		}
	}
	return true
})

// typedMove copies a value of a type, with the barriers that the garbage collector wants.
//
//go:linkname typedMove reflect.typedmemmove
func typedMove(typ, dst, src unsafe.Pointer)

// mapAssign is what reflect.Value.SetMapIndex comes down to.
//
//go:linkname mapAssign reflect.mapassign
func mapAssign(typ, m, key, elem unsafe.Pointer)

// entries copies keys and values of a map into two arrays. It reports whether there were as many as
// the map tells, and whether a key has changed, as far as keys are looked for.
func entries(m reflect.Value, key, elem *plan, keys, vals reflect.Value) (complete, changed bool) {
	n, i := m.Len(), 0
	it := m.MapRange()
	if !mapItersKnown() {
		for ; it.Next(); i++ {
			if i == n {
				return false, false
			}
			keys.Index(i).SetIterKey(it)
			vals.Index(i).SetIterValue(it)
		}
		return i == n, false
	}
	toKey, toVal := keys.UnsafePointer(), vals.UnsafePointer()
	keyType, elemType := descriptor(key.rt), descriptor(elem.rt)
	at := entryOf(it)
	lookedFor := keysLookedFor(key)
	for ; it.Next(); i++ {
		if i == n {
			return false, false
		}
		typedMove(keyType, unsafe.Add(toKey, uintptr(i)*key.native), at.key)
		typedMove(elemType, unsafe.Add(toVal, uintptr(i)*elem.native), at.elem)
		if i < lookedFor && mapAccess(descriptor(m.Type()), m.UnsafePointer(), at.key) != at.elem {
			k := keys.Index(i)
			changed = changed || k.Equal(k) // and so no NaN
		}
	}
	return i == n, changed
}

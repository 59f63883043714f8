package load

import "go/types"

// HasUnsafePointer reports whether a value of a type is an unsafe.Pointer, or has one in it.
func HasUnsafePointer(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return HasUnsafePointer(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if HasUnsafePointer(f.Type()) {
				return true
			}
		}
	}
	return false
}

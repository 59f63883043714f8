package bsp

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// bytesOf is how elements travel: as the bytes they are in memory. It is the
// only place that says so.
func bytesOf[T any](s []T) []byte {
	var zero T
	if len(s) == 0 || unsafe.Sizeof(zero) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// elementsOf is the inverse of bytesOf, without copying. b holds whole
// elements and begins at a multiple of 8.
func elementsOf[T any](b []byte) []T {
	size := sizeOf[T]()
	if size == 0 || len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/size)
}

func sizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

// plainTypes remembers the types that were found free of pointers.
var plainTypes sync.Map // reflect.Type -> nil

// plain returns why values of type T can't be sent to another process, or "".
func plain[T any]() string {
	t := reflect.TypeFor[T]()
	if _, ok := plainTypes.Load(t); ok {
		return ""
	}
	if where, kind := pointerIn(t); kind != "" {
		return fmt.Sprintf("elements of type %v can't be sent to another process: %v%s is a %s", t, t, where, kind)
	}
	plainTypes.Store(t, nil)
	return ""
}

// pointerIn finds the first part of t that refers to memory: the path to it and
// what it is.
func pointerIn(t reflect.Type) (path, kind string) {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return "", ""
	case reflect.Array:
		path, kind = pointerIn(t.Elem())
		return "[i]" + path, kind
	case reflect.Struct:
		for f := range t.Fields() {
			if path, kind := pointerIn(f.Type); kind != "" {
				return "." + f.Name + path, kind
			}
		}
		return "", ""
	case reflect.Pointer, reflect.UnsafePointer:
		return "", "pointer"
	}
	return "", t.Kind().String()
}

// view is what the library needs of a registered slice.
type view struct {
	bytes []byte
	size  int // of an element
	typ   reflect.Type
	base  unsafe.Pointer // nil if there is no element
}

// viewOf looks at a slice of any element type.
func viewOf(slice any) view {
	v := reflect.ValueOf(slice)
	w := view{typ: v.Type().Elem()}
	w.size = int(w.typ.Size())
	if n := v.Len() * w.size; n > 0 {
		w.base = v.UnsafePointer()
		w.bytes = unsafe.Slice((*byte)(w.base), n)
	}
	return w
}

package heap

//lint:file-ignore SA1019 programs use these types

import (
	"errors"
	"reflect"
	"testing"
	"unsafe"
)

// A header is a view of a slice or string; alone it is a number that means nothing elsewhere.
func TestHeaders(t *testing.T) {
	type vars struct {
		list    []float64
		header  *reflect.SliceHeader
		text    *string
		letters *reflect.StringHeader
	}
	v := &vars{list: []float64{1, 2, 3}, text: new(string)}
	*v.text = "letters"
	v.header = (*reflect.SliceHeader)(unsafe.Pointer(&v.list))
	v.letters = (*reflect.StringHeader)(unsafe.Pointer(v.text))
	w := again(t, v)
	equal(t, v.list, w.list)
	equal(t, unsafe.Pointer(&w.list), unsafe.Pointer(w.header))
	equal(t, unsafe.Pointer(w.text), unsafe.Pointer(w.letters))
	equal(t, "letters", *w.text)

	alone := struct{ header *reflect.SliceHeader }{(*reflect.SliceHeader)(unsafe.Pointer(&[3]uintptr{uintptr(unsafe.Pointer(&v.list[0])), 1, 1}))}
	_, err := Capture([]Root{{"alone", &alone}}, Options{})
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported))
}

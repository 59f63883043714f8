package heap

import (
	"errors"
	"reflect"
	"testing"
	"unsafe"
)

type headPart struct{ info *int }

type headWhole struct {
	headPart
	text string
	next *headWhole
	rest [3]*int
}

type headLarge struct {
	headPart
	rest [100]*int
}

// TestHeads captures beginnings of structs, of which the program makes the whole structs again.
func TestHeads(t *testing.T) {
	opt := Options{Heads: []reflect.Type{reflect.TypeFor[headPart]()}}
	refused := func(v any) string {
		_, err := Capture([]Root{{"v", v}}, opt)
		var unsupported *UnsupportedError
		if err != nil {
			check(t, errors.As(err, &unsupported), err)
			return unsupported.Path
		}
		return ""
	}
	for range 600 { // also where an allocation is the first of a page
		var v struct {
			part  any
			other *string
			whole *headWhole
		}
		alone := &headPart{new(int)}
		v.part = alone
		equal(t, "", refused(&v))
		w := &headWhole{text: "whole"}
		v.part = (*headPart)(unsafe.Pointer(w))
		equal(t, "v.part", refused(&v))
		v.other = &w.text
		check(t, refused(&v) != "")
		v.whole = w
		equal(t, "", refused(&v))
		v.part = (*headPart)(unsafe.Pointer(new(headLarge)))
		equal(t, "v.part", refused(&v))
	}
}

package heap

import (
	"errors"
	"strings"
	"testing"
	"unsafe"
)

// TestFault captures a pointer to memory that is not there, which package unsafe can make.
func TestFault(t *testing.T) {
	type holder struct{ p *[100]byte }
	address := ^uintptr(4095)
	h := &holder{}
	*(*uintptr)(unsafe.Pointer(&h.p)) = address
	_, err := Capture([]Root{{"h", &h}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "that can't be read"), err)
	h.p = nil
	_, err = Capture([]Root{{"h", &h}}, Options{})
	check(t, err == nil, err)
}

// TestFaultPath captures pointers to memory that is not there, which are found by the path to them.
// Some processors tell nothing of the address.
func TestFaultPath(t *testing.T) {
	type node struct {
		text string
		next *node
	}
	type holder struct {
		list   []*node
		any    any
		number *int
		array  *[10]int64
		m      map[string]int
	}
	for _, address := range []uintptr{1 << 12, ^uintptr(4095), ^uintptr(0) / 3 << 1 &^ 7} {
		for path, at := range map[string]func(h *holder) unsafe.Pointer{
			"h.list[1].next": func(h *holder) unsafe.Pointer { return unsafe.Pointer(&h.list[1].next) },
			"h.list[1].text": func(h *holder) unsafe.Pointer { return unsafe.Pointer(&h.list[1].text) },
			"h.any":          func(h *holder) unsafe.Pointer { return unsafe.Pointer(&h.any) },
			"h.number":       func(h *holder) unsafe.Pointer { return unsafe.Pointer(&h.number) },
			"h.array":        func(h *holder) unsafe.Pointer { return unsafe.Pointer(&h.array) },
			"h.m":            func(h *holder) unsafe.Pointer { return unsafe.Pointer(&h.m) },
		} {
			h := &holder{list: []*node{{}, {text: "text"}}, any: 5, number: new(int), array: new([10]int64), m: map[string]int{"a": 1}}
			*(*uintptr)(at(h)) = address
			_, err := Capture([]Root{{"h", h}}, Options{})
			*(*uintptr)(at(h)) = 0
			var unsupported *UnsupportedError
			check(t, errors.As(err, &unsupported) && unsupported.Path == path && strings.Contains(unsupported.Why, "can't be read"), path, err)
		}
	}
}

// TestTwoUses captures memory that is used by two types, and is told both ways to it.
func TestTwoUses(t *testing.T) {
	type pair struct{ a uintptr }
	type holder struct {
		first  *[3]float64
		second []*pair
	}
	h := &holder{first: new([3]float64)}
	h.second = append(h.second, nil, (*pair)(unsafe.Pointer(&h.first[1])))
	_, err := Capture([]Root{{"h", h}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "h.second[1] (") && strings.Contains(err.Error(), "float64, by h.first;"), err)
}

// TestNotABool saves values that are no bools, with what leads to them.
func TestNotABool(t *testing.T) {
	type flags struct {
		name string
		set  *bool
		all  []bool
	}
	for path, spoil := range map[string]func(*flags) *bool{
		"f.set": func(f *flags) *bool { return f.set },
		"f.all": func(f *flags) *bool { return &f.all[3] },
	} {
		f := &flags{"some", new(bool), make([]bool, 5)}
		*(*byte)(unsafe.Pointer(spoil(f))) = 22
		_, err := Capture([]Root{{"f", f}}, Options{})
		var unsupported *UnsupportedError
		check(t, errors.As(err, &unsupported) && unsupported.Path == path && strings.HasPrefix(unsupported.Why, "a bool is 22"), path, err)
	}
}

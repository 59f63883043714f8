package heap

import (
	"testing"
	"unsafe"
)

func TestScanned(t *testing.T) {
	type mixed struct {
		numbers [3]uintptr
		_       *mixed
	}
	large := make([]mixed, 5000)
	for _, tt := range []struct {
		name string
		x    unsafe.Pointer
		want bool
	}{
		{"a struct with a reference", unsafe.Pointer(&new(mixed).numbers), true},
		{"the last of many", unsafe.Pointer(&large[len(large)-1].numbers), true},
		{"a string", unsafe.Pointer(new(string)), true},
		{"numbers", unsafe.Pointer(new([4]byte)), false},
		{"words", unsafe.Pointer(new([2]uintptr)), false},
		{"many numbers", unsafe.Pointer(&make([]uint32, 1<<20)[77]), false},
		{"a variable", unsafe.Pointer(&findable), false},
	} {
		if got := isScanned(tt.x); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

var findable *int

package heap

import (
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

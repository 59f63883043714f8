package heap

import (
	"runtime"
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

// TestCode captures what the runtime tells about code, which is nothing but addresses.
func TestCode(t *testing.T) {
	pcs := make([]uintptr, 10)
	n := runtime.Callers(0, pcs)
	frames := runtime.CallersFrames(pcs[:n])
	f := runtime.FuncForPC(pcs[0])
	for _, v := range []any{&frames, &f} {
		_, err := Capture([]Root{{"code", v}}, Options{})
		check(t, err != nil && strings.Contains(err.Error(), "belongs to the runtime"), err)
	}
}

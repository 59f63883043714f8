//go:build cgo

package heap

import (
	"runtime/cgo"
	"strings"
	"testing"
	"unsafe"
)

// TestNotInHeap captures a pointer of a type that tells that it leads to no memory of Go's. A
// new process could not allocate what it leads to.
func TestNotInHeap(t *testing.T) {
	type incomplete struct{ _ cgo.Incomplete }
	var p *incomplete
	b := *again(t, &p)
	check(t, b == nil)
	p = (*incomplete)(unsafe.Pointer(new(int)))
	_, err := Capture([]Root{{"p", &p}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "not in Go's heap"), err)
}

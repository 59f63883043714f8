package heap

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"testing"
	"unsafe"
)

// TestFresh takes new memory in large pages, if the system has these.
func TestFresh(t *testing.T) {
	const size = 24 << 20
	src := bytes.Repeat([]byte("0123456"), size/7)
	debug.FreeOSMemory()
	var f freshMemory
	dst := f.clone(src)
	check(t, bytes.Equal(src, dst))
	check(t, f.asked <= f.taken+2*largePage)
	small := room[uint32](&f, 3, 1<<20)
	check(t, len(small) == 3 && cap(small) == 1<<20 && allZero(unsafe.Slice((*byte)(unsafe.Pointer(&small[0])), 4096)))
	if !hasLargePages() || f.refusals > 0 {
		t.Log("there are no large pages")
		return
	}
	if pace.slow == 0 {
		check(t, f.asked >= size/2)
	}
	pace.slow, pace.pause = 0, 0
	// All of a large page is there after one byte of it was taken.
	more := unzeroed(4 * largePage)
	f.taken += 4 * largePage
	at := (uintptr(unsafe.Pointer(&more[0])) + largePage) >> largeBits << largeBits
	f.took(address(at), 1)
	check(t, !mostlyMissing(at))
}

// TestFreshGraph captures and rebuilds a graph that is large enough for large pages, while garbage is collected.
func TestFreshGraph(t *testing.T) {
	type node struct {
		left, right *node
		n           int
		name        string
	}
	all := make([]*node, 150_000)
	for i := range all {
		all[i] = &node{n: i, name: fmt.Sprint("node ", i)}
		if i > 0 {
			all[i].left, all[i].right = all[i/2], all[i*7/8]
		}
	}
	debug.FreeOSMemory()
	defer collecting()()
	w := *again(t, &all)
	churn()
	for i, n := range w {
		check(t, n.n == i && n.name == fmt.Sprint("node ", i))
		check(t, i == 0 || n.left == w[i/2] && n.right == w[i*7/8])
	}
}

// Slots is a machine with slots that are numbers, in which it stores addresses, and from which it loads pointers, as goccy/go-json encodes; it converts no number to a pointer.
package main

import (
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

const word = unsafe.Sizeof(uintptr(0))

type node struct {
	n    int
	next *node
}

func store(base unsafe.Pointer, slot uintptr, p unsafe.Pointer) {
	*(*uintptr)(unsafe.Add(base, slot*word)) = uintptr(p)
}

func storeNumber(base unsafe.Pointer, slot, n uintptr) {
	*(*uintptr)(unsafe.Add(base, slot*word)) = n
}

func load(base unsafe.Pointer, slot uintptr) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Add(base, slot*word))
}

func loadNumber(base unsafe.Pointer, slot uintptr) uintptr {
	return *(*uintptr)(unsafe.Add(base, slot*word))
}

type machine struct{ slots []uintptr }

func (m *machine) base() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(m.slots)) }

func (m *machine) run(nodes []*node, round int) int {
	base := m.base()
	for i := range nodes {
		store(base, uintptr(2*i), unsafe.Pointer(nodes[(i*3+round)%len(nodes)]))
		storeNumber(base, uintptr(2*i+1), uintptr(i))
	}
	ckp.Checkpoint()
	sum := 0
	for i := range nodes {
		at := (*node)(load(base, uintptr(2*i)))
		sum = (sum*3 + at.n + at.next.n*int(loadNumber(base, uintptr(2*i+1)))) % 1_000_003
		ckp.Checkpoint()
		at.n++
	}
	return sum
}

func main() {
	nodes := make([]*node, 8)
	for i := range nodes {
		nodes[i] = &node{n: i}
	}
	for i, n := range nodes {
		n.next = nodes[(i+5)%len(nodes)]
	}
	m := &machine{slots: make([]uintptr, 2*len(nodes))}
	for round := range 4 {
		fmt.Println(m.run(nodes, round))
	}
}

// Package shelf keeps what it has behind unsafe pointers in lists, and in fields that other packages could use but do not.
package shelf

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A Shelf is a table of chains, which grows.
type Shelf struct {
	chains []unsafe.Pointer  // *item
	recent [3]unsafe.Pointer // *item
	titles [9]unsafe.Pointer // *string
	Index  unsafe.Pointer    // *map[string]int
	n      int
}

type item struct {
	key   string
	value int
	Next  unsafe.Pointer // *item
}

func New() *Shelf { return &Shelf{chains: make([]unsafe.Pointer, 2)} }

func at(key string, n int) int {
	h := 0
	for _, c := range key {
		h = h*31 + int(c)
	}
	ckp.Checkpoint()
	return h % n
}

// Put adds an item.
func (s *Shelf) Put(key string, value int) {
	if s.n == 2*len(s.chains) {
		s.grow()
	}
	i := at(key, len(s.chains))
	x := &item{key: key, value: value}
	x.Next = s.chains[i]
	for !atomic.CompareAndSwapPointer(&s.chains[i], x.Next, unsafe.Pointer(x)) {
		x.Next = atomic.LoadPointer(&s.chains[i])
	}
	s.n++
	copy(s.recent[1:], s.recent[:])
	s.recent[0] = unsafe.Pointer(x)
	title := fmt.Sprint("title of ", key)
	p := unsafe.Pointer(&title)
	ckp.Checkpoint()
	set(s, p)
	m := map[string]int{}
	if old := (*map[string]int)(atomic.LoadPointer(&s.Index)); old != nil {
		for k, v := range *old {
			m[k] = v
		}
	}
	m[key] = value
	atomic.StorePointer(&s.Index, unsafe.Pointer(&m))
	ckp.Checkpoint()
}

func (s *Shelf) grow() {
	chains := s.chains
	s.chains = make([]unsafe.Pointer, 2*len(chains))
	for _, first := range chains {
		for x := (*item)(first); x != nil; {
			next := (*item)(x.Next)
			i := at(x.key, len(s.chains))
			x.Next = s.chains[i]
			s.chains[i] = unsafe.Pointer(x)
			x = next
		}
	}
}

func set(s *Shelf, p unsafe.Pointer) {
	ckp.Checkpoint()
	s.titles[s.n%len(s.titles)] = p
}

// String tells all that is on the shelf.
func (s *Shelf) String() string {
	text := ""
	for i := range s.chains {
		ckp.Checkpoint()
		for x := (*item)(s.chains[i]); x != nil; x = (*item)(x.Next) {
			text += fmt.Sprint(i, ":", x.key, "=", x.value, " ")
		}
	}
	for _, p := range s.recent {
		if p != nil {
			text += (*item)(p).key + " "
		}
	}
	for _, p := range s.titles {
		if p != nil {
			text += *(*string)(p) + ", "
		}
	}
	return text + fmt.Sprint(*(*map[string]int)(s.Index))
}

package main

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/unsafes/tables"
)

// A bin is one for all kinds of entries.
type bin struct {
	entries [3]unsafe.Pointer // *entry[K, V]
	last    unsafe.Pointer    // *V
	next    unsafe.Pointer    // *bin
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

type bins[K comparable, V any] struct {
	list []bin
	hash func(K) int
}

func (b *bins[K, V]) at(k K) *bin {
	ckp.Checkpoint()
	return (*bin)(unsafe.Add(unsafe.Pointer(&b.list[0]), uintptr(b.hash(k)%len(b.list))*unsafe.Sizeof(bin{})))
}

func (b *bins[K, V]) put(k K, v V) {
	x := b.at(k)
	e := new(entry[K, V])
	e.key, e.value = k, v
	atomic.StorePointer(&x.last, unsafe.Pointer(&v))
	for {
		for i := range x.entries {
			if x.entries[i] == nil {
				x.entries[i] = unsafe.Pointer(e)
				return
			}
		}
		if x.next == nil {
			x.next = unsafe.Pointer(new(bin))
		}
		x = (*bin)(x.next)
	}
}

func (b *bins[A, B]) get(k A) (B, B) {
	for x := b.at(k); x != nil; x = (*bin)(atomic.LoadPointer(&x.next)) {
		for i := range x.entries {
			p := atomic.LoadPointer((*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(&x.entries[0]), uintptr(i)*unsafe.Sizeof(x.entries[0]))))
			if p == nil {
				break
			}
			if e := (*entry[A, B])(p); e.key == k {
				return e.value, *(*B)(b.at(k).last)
			}
		}
	}
	return *new(B), *new(B)
}

func among() {
	numbers := bins[string, pair[int, any]]{list: make([]bin, 3), hash: func(s string) int { return len(s) }}
	texts := bins[int, text]{list: make([]bin, 4), hash: func(n int) int { return n }}
	for i := range 12 {
		numbers.put(fmt.Sprint("number", i*i), pair[int, any]{i, -i})
		texts.put(i+1, text{fmt.Sprint("text", i), &node{v: i}})
	}
	for i := range 12 {
		n, last := numbers.get(fmt.Sprint("number", i*i))
		t, end := texts.get(i + 1)
		fmt.Print(n, last, t.s, t.n.v, end.s, end.n.v, "; ")
	}
	fmt.Println()
	ended()
	owned()
}

// The entries of these tables could be those of each other, by what is in them.
func owned() {
	numbers, texts := tables.New[[2]int](), tables.New[text]()
	nested := tables.New[tables.Table[text]]()
	for i := range 12 {
		numbers.Put(i, &[2]int{i, -i})
		texts.Put(i*3, &text{"text", &node{v: i}})
		if i%5 == 0 {
			nested.Put(i, tables.New[text]())
		}
	}
	nested.Each(func(key int, t *tables.Table[text]) {
		for i := range key {
			t.Put(i, &text{fmt.Sprint("nested ", i), nil})
		}
	})
	n := 0
	numbers.Each(func(key int, v *[2]int) { n += key*v[0] - v[1] })
	texts.Each(func(key int, v *text) { n += key * len(v.s) * v.n.v })
	nested.Each(func(_ int, t *tables.Table[text]) { t.Each(func(key int, v *text) { n += key * len(v.s) }) })
	fmt.Println(n)
}

// A line ends with a pointer that leads to no value that anybody has put there.
type line[T any] struct {
	values bin
	end    unsafe.Pointer // *T
}

func newLine[T any]() *line[T] {
	var none T
	return &line[T]{end: unsafe.Pointer(&none)}
}

func (l *line[T]) fill(values ...*T) {
	for i, v := range values {
		l.values.entries[i] = unsafe.Pointer(v)
		ckp.Checkpoint()
	}
	atomic.StorePointer(&l.values.entries[len(values)], l.end)
}

func (l *line[T]) all(do func(*T)) {
	for i := range l.values.entries {
		p := atomic.LoadPointer(&l.values.entries[i])
		ckp.Checkpoint()
		if p == l.end {
			return
		}
		do((*T)(p))
	}
}

func ended() {
	l := newLine[text]()
	l.fill(&text{"one", &node{v: 1}}, &text{"two", &node{v: 2}})
	l.all(func(t *text) { fmt.Print(t.s, t.n.v, "; ") })
	fmt.Println()
}

type text struct {
	s string
	n *node
}

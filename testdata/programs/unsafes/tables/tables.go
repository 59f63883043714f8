// Package tables has tables whose buckets are not generic, and hold entries of which nothing but the table tells the types.
package tables

import (
	"sync/atomic"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A Table maps numbers to what pointers lead to.
type Table[V any] struct{ buckets atomic.Pointer[buckets[V]] }

type buckets[V any] struct {
	list []padded
	n    int
}

type padded struct {
	_ [16]byte
	bucket
}

type bucket struct {
	entries [3]unsafe.Pointer // *entry[V]
	next    unsafe.Pointer    // *padded
}

type entry[V any] struct {
	key   int
	value *V
}

func New[V any]() *Table[V] {
	t := new(Table[V])
	t.buckets.Store(&buckets[V]{list: make([]padded, 2)})
	return t
}

func (t *Table[V]) Put(key int, value *V) {
	all := t.buckets.Load()
	if all.n > 4*len(all.list) {
		all = grown(all)
		t.buckets.Store(all)
	}
	add(all, &entry[V]{key, value})
	all.n++
}

func grown[V any](from *buckets[V]) *buckets[V] {
	to := &buckets[V]{list: make([]padded, 2*len(from.list)), n: from.n}
	from.each(func(e *entry[V]) { add(to, e) })
	return to
}

func add[V any](to *buckets[V], e *entry[V]) {
	ckp.Checkpoint()
	for b := &to.list[e.key%len(to.list)]; ; b = (*padded)(atomic.LoadPointer(&b.next)) {
		for i := range b.entries {
			if atomic.CompareAndSwapPointer(&b.entries[i], nil, unsafe.Pointer(e)) {
				return
			}
		}
		if b.next == nil {
			atomic.StorePointer(&b.next, unsafe.Pointer(new(padded)))
		}
	}
}

func (all *buckets[V]) each(f func(*entry[V])) {
	for i := range all.list {
		for b := &all.list[i]; b != nil; b = (*padded)(atomic.LoadPointer(&b.next)) {
			for i := range b.entries {
				if e := (*entry[V])(atomic.LoadPointer(&b.entries[i])); e != nil {
					f(e)
				}
			}
		}
	}
}

// Each calls a function with all keys and values.
func (t *Table[V]) Each(f func(int, *V)) {
	t.buckets.Load().each(func(e *entry[V]) {
		f(e.key, e.value)
		ckp.Checkpoint()
	})
}

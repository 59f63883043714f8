package main

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A place is an atomic.Pointer.
type place[T any] struct{ p unsafe.Pointer }

func (x *place[E]) load() *E { return (*E)(atomic.LoadPointer(&x.p)) }

func (x *place[E]) store(v *E) { atomic.StorePointer(&x.p, unsafe.Pointer(v)) }

func (x *place[E]) swap(v *E) *E {
	old := atomic.SwapPointer(&x.p, unsafe.Pointer(v))
	ckp.Checkpoint()
	return (*E)(old)
}

type link[V any, K comparable] struct {
	key   K
	value place[V]
	next  place[link[V, K]]
}

// A chain has all that it holds behind unsafe pointers.
type chain[K comparable, V any] struct {
	first place[link[V, K]]
	index unsafe.Pointer   // *map[K]V
	pairs []unsafe.Pointer // *pair[K, V]
}

type pair[A, B any] struct {
	a A
	b B
}

func (c *chain[K, V]) put(k K, v V) {
	l := &link[V, K]{key: k}
	l.value.store(&v)
	l.next.store(c.first.load())
	ckp.Checkpoint()
	c.first.store(l)
	if c.index == nil {
		c.index = unsafe.Pointer(&map[K]V{})
	}
	(*(*map[K]V)(c.index))[k] = v
	c.pairs = append(c.pairs, unsafe.Pointer(&pair[K, V]{k, v}))
}

func (c *chain[A, B]) each(f func(A, B, B)) {
	for l := c.first.load(); l != nil; l = l.next.load() {
		ckp.Checkpoint()
		f(l.key, *l.value.swap(nil), (*(*map[A]B)(c.index))[l.key])
	}
	for i, p := range c.pairs {
		c.pairs[i] = nil
		ckp.Checkpoint()
		f((*pair[A, B])(p).a, (*pair[A, B])(p).b, *new(B))
	}
}

func chained[K comparable, V any](values map[K]V, keys ...K) {
	var c chain[K, V]
	for _, k := range keys {
		c.put(k, values[k])
	}
	c.each(func(k K, v, w V) { fmt.Print(k, " ", v, " ", w, ", ") })
	fmt.Println()
}

func generic() {
	chained(map[string]int{"a": 1, "b": 2}, "a", "b")
	chained(map[int]node{3: {v: 4}, 5: {v: 6}}, 3, 5)
	chained(map[pair[int8, string]][]string{{1, "x"}: {"y", "z"}}, pair[int8, string]{1, "x"})
	chained(map[float64]any{1.5: pair[bool, any]{true, "held"}}, 1.5)
}

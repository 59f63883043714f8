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

// A queue is read and written by functions that get the addresses of its pointers.
type queue[T any] struct {
	head, tail unsafe.Pointer // *job[T]
	n          int
}

type job[T any] struct {
	work T
	next unsafe.Pointer // *job[T]
}

func load[E any](p *unsafe.Pointer) *E {
	ckp.Checkpoint()
	return (*E)(atomic.LoadPointer(p))
}

func swapped[E any](p *unsafe.Pointer, old, new *E) bool {
	ckp.Checkpoint()
	return atomic.CompareAndSwapPointer(p, unsafe.Pointer(old), unsafe.Pointer(new))
}

func queued[E any]() *queue[E] {
	first := unsafe.Pointer(new(job[E]))
	return &queue[E]{head: first, tail: first}
}

func (q *queue[E]) put(work E) {
	j := &job[E]{work: work}
	for {
		last := load[job[E]](&q.tail)
		if swapped(&last.next, nil, j) && swapped(&q.tail, last, j) {
			q.n++
			return
		}
	}
}

func (q *queue[T]) take() (work T, ok bool) {
	for {
		first := load[job[T]](&q.head)
		next := load[job[T]](&first.next)
		if next == nil {
			return work, false
		}
		if swapped(&q.head, first, next) {
			q.n--
			return next.work, true
		}
	}
}

// This one is of a certain type, and uses the same functions.
type shelved struct{ last unsafe.Pointer } // *string

func (s *shelved) put(text string) string {
	old := load[string](&s.last)
	swapped(&s.last, old, &text)
	if old == nil {
		return ""
	}
	return *old
}

func inTurn[T any](work ...T) {
	q := queued[T]()
	for _, w := range work {
		q.put(w)
	}
	for {
		w, ok := q.take()
		if !ok {
			break
		}
		fmt.Print(w, " ")
	}
	fmt.Println(q.n)
}

// last returns what was put last, without the queue.
func (q *queue[T]) last() (work T) {
	var p, next unsafe.Pointer
	for p = q.head; p != nil; p = next {
		if next = atomic.LoadPointer(&(*job[T])(p).next); next == nil {
			break
		}
	}
	q.head, q.tail = nil, nil
	ckp.Checkpoint()
	return (*job[T])(p).work
}

// A chunk is known by its beginning, as the code that allocates it is one for all that it can hold.
type chunk[T any] struct {
	chunkHead
	items [80]T
}

type chunkHead struct {
	n    int
	next *chunkHead
}

type chunks[T any] struct{ last *chunkHead }

func (c *chunks[T]) add(v T) {
	if c.last == nil || c.last.n == 80 {
		ck := &chunk[T]{chunkHead: chunkHead{next: c.last}}
		c.last = (*chunkHead)(unsafe.Pointer(ck))
	}
	(*chunk[T])(unsafe.Pointer(c.last)).items[c.last.n] = v
	c.last.n++
}

func chunked[T any](f func(int) T, show func(T) string) {
	var c chunks[T]
	for i := range 90 {
		c.add(f(i))
	}
	ckp.Checkpoint()
	for h := c.last; h != nil; h = h.next {
		fmt.Print(h.n, " ", show((*chunk[T])(unsafe.Pointer(h)).items[h.n-1]), ", ")
	}
	fmt.Println()
}

func generic() {
	begun()
	chunked(func(i int) *node { return &node{v: i} }, func(n *node) string { return fmt.Sprint(n.v) })
	chunked(func(i int) string { return fmt.Sprint("text", i) }, func(s string) string { return s })
	q := queued[string]()
	q.put("first")
	q.put("last")
	fmt.Println(q.last())
	inTurn(1, 2, 3)
	inTurn([]string{"a"}, nil, []string{"b", "c"})
	var s shelved
	fmt.Println(s.put("x") + s.put("y") + s.put("z"))
	chained(map[string]int{"a": 1, "b": 2}, "a", "b")
	chained(map[int]node{3: {v: 4}, 5: {v: 6}}, 3, 5)
	chained(map[pair[int8, string]][]string{{1, "x"}: {"y", "z"}}, pair[int8, string]{1, "x"})
	chained(map[float64]any{1.5: pair[bool, any]{true, "held"}}, 1.5)
}

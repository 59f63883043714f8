package main

// Structures: trees, lists and tables with pointers, and functions of any type.

import (
	"fmt"
	"strconv"
)

func triePage() any {
	t := &trie{}
	x := rng(3)
	for i := 0; i < 9000; i++ {
		b := make([]byte, 3+x.next()%6)
		for j := range b {
			b[j] = 'a' + byte(x.next()%26)
		}
		t.insert(string(b))
	}
	return t.count("a") + t.count("qu") + t.count("")
}

func lruPage() any {
	c := newLRU(500)
	x := rng(9)
	hits := 0
	for i := 0; i < 120000; i++ {
		k := int(x.next() % 900)
		if _, ok := c.get(k); ok {
			hits++
		} else {
			c.put(k, i)
		}
	}
	return hits
}

type trie struct {
	kids map[byte]*trie
	n    int
}

func (t *trie) insert(s string) {
	for i := 0; i < len(s); i++ {
		t.n++
		if t.kids == nil {
			t.kids = map[byte]*trie{}
		}
		k := t.kids[s[i]]
		if k == nil {
			k = &trie{}
			t.kids[s[i]] = k
		}
		t = k
	}
	t.n++
}

func (t *trie) count(p string) int {
	for i := 0; i < len(p); i++ {
		t = t.kids[p[i]]
		if t == nil {
			return 0
		}
	}
	return t.n
}

type entry struct {
	k, v       int
	prev, next *entry
}

type lru struct {
	cap        int
	m          map[int]*entry
	head, tail *entry
}

func newLRU(n int) *lru {
	l := &lru{cap: n, m: map[int]*entry{}, head: &entry{}, tail: &entry{}}
	l.head.next, l.tail.prev = l.tail, l.head
	return l
}

func (l *lru) unlink(e *entry) { e.prev.next, e.next.prev = e.next, e.prev }

func (l *lru) front(e *entry) {
	e.next, e.prev = l.head.next, l.head
	e.next.prev = e
	l.head.next = e
}

func (l *lru) get(k int) (int, bool) {
	e := l.m[k]
	if e == nil {
		return 0, false
	}
	l.unlink(e)
	l.front(e)
	return e.v, true
}

func (l *lru) put(k, v int) {
	if len(l.m) == l.cap {
		e := l.tail.prev
		l.unlink(e)
		delete(l.m, e.k)
	}
	e := &entry{k: k, v: v}
	l.m[k] = e
	l.front(e)
}

func treapPage() any {
	t := &tree[int, string]{less: func(a, b int) bool { return a < b }}
	r := rng(8)
	for i := 0; i < 15000; i++ {
		t.set(int(r.next()%20000), strconv.Itoa(i))
	}
	n := 0
	t.each(func(k int, v string) bool { n += k%7 + len(v); return true })
	return n
}

func skiplistPage() any {
	s := newSkip()
	r := rng(6)
	for i := 0; i < 9000; i++ {
		s.insert(int(r.next()%50000), r)
	}
	n := 0
	for i := 0; i < 9000; i++ {
		if s.has(int(r.next() % 50000)) {
			n++
		}
	}
	return n
}

func hashmapPage() any {
	h := newHash()
	r := rng(2)
	for i := 0; i < 60000; i++ {
		h.add(fmt.Sprint(r.next()%5000), 1)
	}
	return h.n
}

func shapesPage() any {
	var list []shape
	for i := 0; i < 2000; i++ {
		switch i % 3 {
		case 0:
			list = append(list, square{float64(i)})
		case 1:
			list = append(list, &circle{float64(i)})
		default:
			list = append(list, group{list[i-1], list[i-2]})
		}
	}
	s := 0.0
	for r := 0; r < 30; r++ {
		for _, x := range list {
			s += x.area()
		}
	}
	return s
}

func genericsPage() any {
	xs := make([]int, 3000)
	for i := range xs {
		xs[i] = i * 7 % 1000
	}
	s := 0
	for r := 0; r < 20; r++ {
		s += reduce(filter(mapTo(xs, func(x int) int { return x*x + r }), func(x int) bool { return x%3 == 0 }), 0, func(a, b int) int { return a ^ b })
	}
	return s
}

type tnode[K, V any] struct {
	k           K
	v           V
	prio        uint64
	left, right *tnode[K, V]
}

type tree[K, V any] struct {
	root *tnode[K, V]
	less func(a, b K) bool
	seed uint64
}

func (t *tree[K, V]) set(k K, v V) { t.root = t.insert(t.root, k, v) }

func (t *tree[K, V]) insert(n *tnode[K, V], k K, v V) *tnode[K, V] {
	if n == nil {
		t.seed = t.seed*6364136223846793005 + 1442695040888963407
		return &tnode[K, V]{k: k, v: v, prio: t.seed >> 20}
	}
	switch {
	case t.less(k, n.k):
		n.left = t.insert(n.left, k, v)
		if n.left.prio > n.prio {
			l := n.left
			n.left, l.right = l.right, n
			return l
		}
	case t.less(n.k, k):
		n.right = t.insert(n.right, k, v)
		if n.right.prio > n.prio {
			r := n.right
			n.right, r.left = r.left, n
			return r
		}
	default:
		n.v = v
	}
	return n
}

func (t *tree[K, V]) each(f func(K, V) bool) { t.root.each(f) }

func (n *tnode[K, V]) each(f func(K, V) bool) bool {
	return n == nil || n.left.each(f) && f(n.k, n.v) && n.right.each(f)
}

type snode struct {
	k    int
	next []*snode
}

type skip struct{ head *snode }

func newSkip() *skip { return &skip{&snode{next: make([]*snode, 12)}} }

func (s *skip) insert(k int, r *rngState) {
	var up [12]*snode
	n := s.head
	for l := 11; l >= 0; l-- {
		for n.next[l] != nil && n.next[l].k < k {
			n = n.next[l]
		}
		up[l] = n
	}
	h := 1
	for h < 12 && r.next()&3 == 0 {
		h++
	}
	m := &snode{k, make([]*snode, h)}
	for l := range m.next {
		m.next[l], up[l].next[l] = up[l].next[l], m
	}
}

func (s *skip) has(k int) bool {
	n := s.head
	for l := 11; l >= 0; l-- {
		for n.next[l] != nil && n.next[l].k < k {
			n = n.next[l]
		}
	}
	n = n.next[0]
	return n != nil && n.k == k
}

type hent struct {
	k    string
	v    int
	next *hent
}

type hash struct {
	b []*hent
	n int
}

func newHash() *hash { return &hash{b: make([]*hent, 8)} }

func (h *hash) add(k string, v int) {
	i := h.index(k)
	for e := h.b[i]; e != nil; e = e.next {
		if e.k == k {
			e.v += v
			return
		}
	}
	h.b[i] = &hent{k, v, h.b[i]}
	h.n++
	if h.n > 2*len(h.b) {
		old := h.b
		h.b = make([]*hent, 2*len(old))
		for _, e := range old {
			for e != nil {
				n := e.next
				i := h.index(e.k)
				e.next = h.b[i]
				h.b[i] = e
				e = n
			}
		}
	}
}

func (h *hash) index(k string) int {
	x := uint32(2166136261)
	for i := 0; i < len(k); i++ {
		x = (x ^ uint32(k[i])) * 16777619
	}
	return int(x) & (len(h.b) - 1)
}

type shape interface{ area() float64 }

type square struct{ s float64 }

type circle struct{ r float64 }

type group []shape

func (s square) area() float64 { return s.s * s.s }

func (c *circle) area() float64 { return 3 * c.r * c.r }

func (g group) area() float64 {
	t := 0.0
	for _, x := range g {
		if _, ok := x.(group); !ok {
			t += x.area()
		}
	}
	return t
}

func mapTo[T, U any](l []T, f func(T) U) []U {
	var out []U
	for _, x := range l {
		out = append(out, f(x))
	}
	return out
}

func filter[T any](l []T, f func(T) bool) []T {
	var out []T
	for _, x := range l {
		if f(x) {
			out = append(out, x)
		}
	}
	return out
}

func reduce[T, U any](l []T, a U, f func(U, T) U) U {
	for _, x := range l {
		a = f(a, x)
	}
	return a
}

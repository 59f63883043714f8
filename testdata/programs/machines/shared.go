package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// pointers share and overlap.
type pointers struct {
	base   []int
	tail   []int
	middle []int
	third  *int
	text   string
	word   string
	tree   *node[string, uintptr]
	list   *node[int, uint]
	last   **node[int, uint]
	matrix [][]float64
	flat   []float64
	bytes  []byte
}

// A node is generic.
type node[K cmp.Ordered, V any] struct {
	left, right *node[K, V]
	flag        bool
	key         K
	value       V
	up          *node[K, V]
}

func (n *node[K, V]) insert(k K, v V) *node[K, V] {
	if n == nil {
		return &node[K, V]{key: k, value: v}
	}
	switch c := cmp.Compare(pt(k), n.key); {
	case c < 0:
		n.left = n.left.insert(k, v)
		n.left.up = n
	case c > 0:
		n.right = n.right.insert(k, v)
		n.right.up = n
	default:
		n.value, n.flag = v, true
	}
	return n
}

func (n *node[K, V]) all(yield func(K, V) bool) bool {
	return n == nil || n.left.all(yield) && yield(n.key, n.value) && n.right.all(yield)
}

func newPointers() *pointers {
	p := &pointers{base: make([]int, 12, 20), text: "überall gibt es Wörter", flat: make([]float64, 12), bytes: []byte("0123456789")}
	p.tail, p.middle, p.third = p.base[6:], p.base[3:9:15], &p.base[2]
	p.word = p.text[3:10]
	p.last = &p.list
	for i := range 4 {
		p.matrix = append(p.matrix, p.flat[3*i:3*i+3])
	}
	return p
}

func (p *pointers) step(n int) {
	p.tail[0] += 1 << 20
	p.middle[4] -= n
	*p.third = p.tail[0] + n
	p.tree = p.tree.insert(p.text[n:n+1], uintptr(n))
	p.tree = p.tree.insert(strings.ToUpper(p.word[:n+1]), uintptr(n)<<8)
	*p.last = &node[int, uint]{key: n, value: ^uint(0) >> (8*wordSize - 8)}
	p.last = &(*p.last).right
	for i, row := range p.matrix {
		row[n%3] += float64(i) / 7
	}
	p.base = append(p.base, pt(n)) // within the capacity
	copy(p.bytes[n:], p.bytes[n+1:])
}

func (p *pointers) end() string {
	var b strings.Builder
	for k, v := range func(yield func(string, uintptr) bool) { p.tree.all(yield) } {
		fmt.Fprint(&b, k, "=", pt(v), " ")
	}
	for n := p.list; n != nil; n = n.right {
		fmt.Fprint(&b, n.key, n.value, " ")
	}
	return fmt.Sprint(p.base, cap(p.base), p.tail, p.middle, cap(p.middle), *p.third, &p.base[2] == p.third, p.word, p.flat, string(p.bytes), &p.flat[3] == &p.matrix[1][0], " ", b.String())
}

// closures share variables.
type closures struct {
	count, total func(int) int
	undo         []func()
	compose      func(string) string
	record       func() []int64
}

func counter() (count, total func(int) int) {
	var n, sum int
	var wide int64 = 1 << 40
	count = func(by int) int { n += pt(by); sum += n; wide += int64(n); return n }
	total = func(by int) int { return sum*by + int(wide>>40) }
	return
}

func chained[T any](fs ...func(T) T) func(T) T {
	return func(x T) T {
		for _, f := range fs {
			x = f(pt(x))
		}
		return x
	}
}

func newClosures() *closures {
	c := &closures{}
	c.count, c.total = counter()
	suffix := "!"
	c.compose = chained(strings.ToUpper, func(s string) string { suffix += "?"; return s + suffix }, strings.TrimSpace)
	var log []int64
	c.record = func() []int64 { log = append(log, int64(len(log))<<34); return log }
	return c
}

func (c *closures) step(n int) {
	before := c.count(n)
	c.undo = append(c.undo, func() { c.count(-before) })
	c.compose("step")
	c.record()
}

func (c *closures) end() string {
	for _, f := range slices.Backward(c.undo) {
		f()
	}
	return fmt.Sprint(c.count(1), c.total(2), c.compose(" done "), c.record())
}

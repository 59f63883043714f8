// Pointers has addresses of locals, of fields and of elements alive across
// checkpoints, shared between frames, closures and globals.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type vec struct{ x, y, z int }

type body struct {
	pos, vel vec
	trail    [4]vec
	tail     *vec
	self     *body
}

var (
	global  = [8]int{1, 2, 3}
	cursor  = &global[2]
	current *body
	window  = global[2:5:6]
)

func (v *vec) add(w vec) { ckp.Checkpoint(); v.x += w.x; v.y += w.y; v.z += w.z }

func swap(a, b *int) { *a, *b = *b, *a; ckp.Checkpoint() }

func fill(p *[3]int, s []int) {
	for i := range p {
		p[i] = i + s[i]
		ckp.Checkpoint()
	}
}

func deep(n int, acc *int) *int {
	local := n
	if n == 0 {
		ckp.Checkpoint()
		return acc
	}
	*acc += local
	p := deep(n-1, &local)
	*acc += *p
	return acc
}

func results() (n int, p *int) {
	p = &n
	ckp.Checkpoint()
	*p = 42
	ckp.Checkpoint()
	return n + 1, p
}

func params(n int, s struct{ a int }) (func() int, *int) {
	q := &n
	ckp.Checkpoint()
	*q += s.a
	return func() int { n++; ckp.Checkpoint(); return n }, q
}

func main() {
	x, y := 1, 2
	swap(&x, &y)
	fmt.Println(x, y)
	b := &body{pos: vec{1, 2, 3}}
	b.self, b.tail, current = b, &b.trail[2], b
	b.pos.add(vec{1, 1, 1})
	b.trail[2].add(vec{5, 5, 5})
	ckp.Checkpoint()
	fmt.Println(*b.tail, b.self == b, current == b, b.pos)
	var arr [3]int
	fill(&arr, arr[:])
	fmt.Println(arr)
	acc := 5
	fmt.Println(*deep(6, &acc), acc)
	*cursor = 99
	window[0]++
	window = append(window, 7)
	ckp.Checkpoint()
	*cursor++
	fmt.Println(global, len(window), cap(window), &window[0] == cursor)
	n, p := results()
	fmt.Println(n, *p)
	f, q := params(3, struct{ a int }{4})
	fmt.Println(f(), *q, f(), *q)
	var ps []*int
	for i := range 3 {
		v := i * i
		ps = append(ps, &v)
		ckp.Checkpoint()
		v++
	}
	fmt.Println(*ps[0], *ps[1], *ps[2])
	s := make([]int, 2, 10)
	t := s[1:4]
	ckp.Checkpoint()
	t[0], t[2] = 5, 6
	fmt.Println(s[:4], len(t), cap(t))
	type local struct {
		v    vec
		next *local
	}
	const limit = 3
	var head *local
	for i := range limit {
		head = &local{vec{x: i}, head}
		ckp.Checkpoint()
	}
	for l := head; l != nil; l = l.next {
		fmt.Printf("%T %v\n", l, l.v)
	}
}

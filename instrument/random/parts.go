package random

import "fmt"

// parts emits variables that lead to each other, and to parts of each other: by pointers, slices,
// func values, maps and values behind interfaces. The functions that are called with them keep
// nothing, so that the compiler can have all of it on the stack.
func (g *generator) parts() {
	id := g.fresh()
	names := []string{fmt.Sprint("x", id), fmt.Sprint("y", id), fmt.Sprint("z", id)}
	number := func() string { return g.expr(g.int(), g.free(2)) }
	for _, name := range names {
		g.emit("%s := place{n: %d, a: [4]int{%d, 1}}\n_ = %s.n", name, g.n(9), g.n(9), name)
	}
	for range 3 + g.n(5) {
		k := g.n(3)
		v, w, u := names[k], names[(k+1+g.n(2))%3], names[g.n(3)]
		i, j := g.n(3), 1+g.n(3)
		switch g.n(11) {
		case 0:
			g.emit("%s.n += through(&%s.n, %s.a[%d:], func(k int) int {\n%s.a[%d] += pt(k)\nreturn %s.n + %s\n})", v, w, u, i, w, j, u, number())
		case 1:
			g.emit("%s.next = &%s", v, w)
		case 2:
			g.emit("%s.s = %s.a[%d:%d]", v, w, min(i, j), max(i, j))
		case 3:
			g.emit("%s.v = %s", v, pick(g, []string{w + ".a", "&" + w + ".a", "&" + w, "[3]*place{1: &" + w + "}", "*&" + w, w + ".n", "map[int]*int{1: &" + w + ".n}"}))
		case 4:
			g.emit("%s.m = map[int]*place{pt(%d): &%s, %d: &%s}\n%s.m[%d].n += pt(%d)", v, i, w, i+1, v, v, i+1, g.n(9))
		case 5:
			g.emit("%s.f = func(k int) int {\n%s.n += pt(k) & 7\nreturn %s.n + %s.a[%d]\n}", v, w, u, w, j)
		case 6:
			g.emit("%s.n += descend(%d, &%s, func(p *place) int {\np.a[%d] += %s.n & 3\nreturn pt(p.n) + %s.a[0]\n})", v, 1+g.n(4), w, j, u, v)
		case 7:
			g.emit("{\nvar b [%d]byte\n%s.t = string(append(b[:%d], %s.t...)) + pt(\"t\")\nb[0] = 'u'\n%s.n += len(%s.t[:min(len(%s.t), 30)])\n}", 4+g.n(40), v, g.n(4), w, v, v, w)
		case 8:
			g.emit("func() {\ndefer func() { %s.n += pt(%s.a[%d]) }()\nq := &%s.a[%d]\n*q += through(q, %s.s, %s.call)\n}()", v, w, i, w, j, u, v)
		case 9:
			g.emit("for p := range %s.all {\nif p.n += pt(1); p == &%s {\n%s\n}\n}", v, w, pick(g, []string{"break", "continue", w + ".n--"}))
		default:
			g.emit("{\nlist := [...]place{%s, {n: pt(%d)}, %s}\np := &list[%d]\np.next = &list[0]\n%s.n += p.sum(2) + through(&list[1].n, list[0].a[:], p.call)\n}", w, g.n(9), u, g.n(3), v)
		}
		g.statements(1)
		g.emit("fmt.Println(\"parts %d\", %s.sum(3), %s.next == &%s, pt(len(%s.s)), %s.a, %s.a)", id, v, v, w, v, w, u)
	}
}

// places are the type of these variables and the functions that they are handed to.
const places = `
// A place leads to others.
type place struct {
	n    int
	a    [4]int
	next *place
	s    []int
	f    func(int) int
	v    any
	m    map[int]*place
	t    string
}

func (p *place) call(k int) int {
	if k++; p.f != nil && k&3 != 0 {
		step()
		return p.f(pt(k & 15)) & 0xff
	}
	return p.n
}

func (p *place) all(yield func(*place) bool) {
	for k := 0; p != nil && k < 3 && yield(p); k++ {
		p = p.next
	}
}

func (p *place) sum(depth int) (n int) {
	step()
	n = p.n + p.a[0] + p.a[3]<<1 + len(p.t)
	for i := range p.s {
		n += p.s[i] * pt(i+1)
	}
	switch v := p.v.(type) {
	case [4]int:
		n += v[pt(1)]
	case *[4]int:
		v[2] += pt(1)
		n += v[1]
	case *place:
		v.n++
		n += v.a[pt(2)]
	case [3]*place:
		n += v[1].n
	case place:
		n += v.n - v.a[pt(0)]
	case map[int]*int:
		*v[1] += pt(len(v))
	}
	if depth == 0 {
		return n & 0xffff
	}
	here := place{n: n & 0xff, next: p}
	if p.next != nil {
		n += p.next.sum(depth-1) + here.next.n
	}
	for k := range 5 {
		if q := p.m[k]; q != nil {
			n += through(&q.n, here.a[:], p.call)
		}
	}
	return (n + here.a[0]) & 0xffff
}

func through(n *int, list []int, f func(int) int) int {
	*n += pt(1)
	if len(list) > 0 {
		list[0] += f(*n & 15)
		return *n + pt(list[0])
	}
	return f(pt(2)) - *n
}

func descend(depth int, up *place, f func(*place) int) int {
	here := place{n: depth, next: up}
	n := f(&here) + f(up)
	if depth > 0 {
		n += descend(depth-1, &here, func(p *place) int { return f(p) ^ pt(here.n) })
	}
	return n&0xffff + here.a[1]
}
`

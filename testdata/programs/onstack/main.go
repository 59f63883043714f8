// Onstack has in its frames what refers to the stacks of activations: variables, parts of them, arrays that slices share, environments of
// func values, boxes behind interfaces, small maps, texts. A checkpoint moves it to the heap, and it must be shared there as it was.
package main

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

type point struct {
	x, y int
	name string
	next *point
}

// Parts of variables, in activations above that of the variable, with and without the whole.

func add(to *int, n int) int {
	*to += pt(n)
	return pt(*to)
}

func onParts(n int) string {
	p := point{x: n, name: strings.Repeat("p", n)}
	s := add(&p.x, 1) + add(&p.y, 2)
	p.next = &p
	s += add(&p.next.next.x, 3)
	return fmt.Sprint(s, p.x, p.y, p.name, p.next == &p)
}

func last(parts []int) int {
	q := &parts[len(parts)-1]
	*q += pt(1)
	return add(q, 10)
}

func onArrays() string {
	var a [6]int
	left, right := a[:4], a[2:]
	left[3] = pt(7)
	right[0] = pt(8)
	n := last(left[:3]) + last(right)
	b := [3]point{{x: 1}, {x: 2}, {x: 3}}
	m := &b[1]
	m.next = &b[2]
	m.next.x += pt(5)
	return fmt.Sprint(a, n, right[1], m.x, b[2].x, m.next == &b[2], cap(left[1:2]))
}

// A chain of activations, each with a variable that leads to that of its caller.

func chain(up *point, n int) int {
	if n == 0 {
		s := 0
		for p := up; p != nil; p = p.next {
			s = s*3 + pt(p.x)
			p.x++
		}
		return s
	}
	here := point{x: n, next: up}
	s := chain(&here, n-1)
	return s + here.x*pt(2)
}

// Func values whose environments are on the stack, and share variables there.

func times(n int, f func(int)) {
	for i := range n {
		f(pt(i))
	}
}

func onFuncs() string {
	count, names := 0, []string{}
	step := func(i int) { count += i; names = append(names, fmt.Sprint(i)) }
	times(3, step)
	times(2, func(i int) {
		times(2, func(k int) { step(pt(i) + k) })
		count *= 2
	})
	p := point{x: 4}
	times(2, p.move)
	return fmt.Sprint(count, names, p.x)
}

func (p *point) move(by int) { p.x += pt(by) + 1 }

// Values behind interfaces.

func text(v any) string {
	pt(0)
	switch v := v.(type) {
	case point:
		return fmt.Sprint("point", v.x, pt(v.y))
	case *point:
		v.x++
		return fmt.Sprint("*point", v.x, pt(v.y))
	case [2]string:
		return v[0] + pt(v[1])
	case map[string]int:
		v["t"]++
		return fmt.Sprint(pt(len(v)), v["t"])
	case func(int) int:
		return fmt.Sprint(pt(v(2)))
	case interface{ move(int) }:
		v.move(1)
	}
	return ""
}

type mover struct{ *point }

func onInterfaces(n int) string {
	p := point{x: n, y: 2}
	m := map[string]int{"t": n}
	s := text(p) + text(&p) + text([2]string{"a", fmt.Sprint(n)}) + text(m) + text(func(k int) int { return k*n + p.x }) + text(mover{&p}) + text(struct{ m mover }{mover{&p}})
	return s + fmt.Sprint(p.x, m)
}

// Maps.

func onMaps(n int) string {
	p, q := point{x: 1}, point{x: 2}
	by := map[*point]string{&p: "p", &q: strings.Repeat("q", n)}
	pt(0)
	by[&q] += by[&p]
	nan := map[float64]*point{math.NaN(): &p, 1: &q}
	for _, to := range nan {
		to.x += pt(n)
	}
	empty := map[string]*point{}
	pt(0)
	empty["x"] = &q
	return fmt.Sprint(by[&p], by[&q], len(nan), p.x, q.x, empty["x"] == &q, len(by))
}

// Texts, and what package unsafe makes of them.

func onTexts(n int) string {
	var buf [24]byte
	b := buf[:0]
	b = append(b, "text"...)
	b = append(b, byte('0'+n))
	s := string(b)
	view := unsafe.String(&buf[0], pt(len(b)))
	same := s == view
	buf[0] = 'T'
	var w strings.Builder
	w.WriteString(s)
	pt(0)
	w.WriteString(view)
	return w.String() + fmt.Sprint(same, pt(cap(b)))
}

func onUnsafe(n int) string {
	p := point{x: n, y: 3}
	at := unsafe.Pointer(&p)
	pt(0)
	(*point)(at).y += pt(1)
	i := n
	number := &i
	again := unsafe.Pointer(number)
	y := (*int)(unsafe.Add(at, unsafe.Offsetof(p.y)))
	*y += pt(2)
	*number += pt(1)
	return fmt.Sprint(p.x, p.y, *(*int)(again), y == &p.y, i)
}

func onReflect(n int) string {
	p := point{x: n, name: "r"}
	v := reflect.ValueOf(&p).Elem()
	box := reflect.ValueOf([3]int{n, 2, 3})
	pt(0)
	return fmt.Sprint(v.Field(0).Int(), v.Field(2), box.Index(pt(0)), v.NumField())
}

func onAtomics(n int) string {
	p := point{x: n}
	var at atomic.Pointer[point]
	at.Store(&p)
	pt(0)
	at.Load().x += pt(1)
	var none [0]point
	zero := none[:]
	var unit struct{}
	u := &unit
	pt(0)
	return fmt.Sprint(p.x, at.Load() == &p, zero != nil, u != nil)
}

// Func values of code that is not rewritten.

func onContexts(n int) string {
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), point{}, n))
	defer cancel()
	pt(0)
	v := ctx.Value(point{}).(int)
	cancel()
	return fmt.Sprint(v, ctx.Err(), pt(1))
}

// Literals that are called where they stand, with what they capture behind the func value.

func onLiterals(n int) string {
	m, p, list := map[int]string{n: "n"}, point{x: n}, []int{n, 2}
	m[5] = "five"
	return fmt.Sprint("literal", func() string {
		p.y += pt(len(m))
		m[pt(7)] = "seven"
		return fmt.Sprint(len(m), m[5], list[pt(1)], p.x, func() int { return len(m) + pt(p.y) }())
	}(), len(m), p.y)
}

// What operands allocate, and the activation that is called shares with those that it calls.

func fill(m map[string][]int, l []int, to *point, n int) int {
	l[n%len(l)] += pt(n)
	to.x += l[0]
	m[fmt.Sprint(n)] = l
	if n > 0 {
		return fill(m, l, to, n-1) + to.x
	}
	clear(l[1:])
	return len(m[fmt.Sprint(pt(n))]) + l[0]
}

func mark(text []byte, n int) string {
	text[n] = 'x'
	if n > 0 {
		return mark(text, pt(n-1))
	}
	return string(text[:pt(4)])
}

func added(to *string) int {
	*to += "added"
	return pt(1)
}

func onOperands(n int) (s string) {
	for i := range n + 1 {
		s += fmt.Sprint(mark([]byte(s[:i]+"text"), n), mark([]byte(s+"longer"), added(&s)), " ")
		s += fmt.Sprint(fill(make(map[string][]int), make([]int, 3, 5), new(point), i+pt(n)), " ", fill(make(map[string][]int), make([]int, pt(2)), new(point), i), " ")
	}
	return s
}

func main() {
	for n := range 3 {
		fmt.Println(onOperands(n))
		fmt.Println(onLiterals(n))
		fmt.Println(onParts(n), onArrays())
		fmt.Println(chain(nil, 5*n), chain(&point{x: n}, 2))
		fmt.Println(onFuncs())
		fmt.Println(onInterfaces(n))
		fmt.Println(onMaps(n))
		fmt.Println(onTexts(n), onUnsafe(n), onReflect(n), onAtomics(n))
		fmt.Println(onContexts(n))
	}
}

//go:build go1.27

// Promoted has struct literals whose keys are fields of embedded structs, with checkpoints among their values.
package main

import (
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type base struct {
	id   int
	name string
	next *base
}

type middle struct {
	base
	f    func(int) int
	any  any
	data unsafe.Pointer // of a *node
}

type generic[T any] struct {
	list []T
	p    unsafe.Pointer // of a *T
}

type node struct {
	n    int
	next *node
}

type top struct {
	middle
	generic[string]
	last float64
}

type over[T any] struct {
	generic[T]
	middle
}

// A list has a generic struct with other type arguments than its own.
type lists[A, B any] struct {
	generic[[]B]
	a A
}

func listsOf[T any](x ...T) *lists[T, T] { return &lists[T, T]{a: value(x[0]), p: unsafe.Pointer(&x)} }

func (l *lists[A, B]) all() []B { return *(*[]B)(l.p) }

func value[T any](x T) T {
	ckp.Checkpoint()
	fmt.Println("value", x)
	return x
}

func made[T any](x T) *over[T] {
	return &over[T]{list: []T{value(x), x}, id: value(3), p: unsafe.Pointer(&x), f: func(n int) int { ckp.Checkpoint(); return n + len(fmt.Sprint(x)) }}
}

func (o *over[T]) first() *T { return (*T)(o.p) }

func (m *middle) node() *node { return (*node)(m.data) }

var global = top{id: 7, list: []string{"g"}, last: 1}

func main() {
	b := &base{id: 1}
	t := top{
		name: value("t"),
		list: []string{value("x"), "y"},
		next: b,
		f:    func(n int) int { ckp.Checkpoint(); return 2 * n },
		id:   value(2),
		last: value(2.5),
		any:  value(4),
		data: unsafe.Pointer(&node{n: value(5), next: &node{n: 6}}),
	}
	ckp.Checkpoint()
	fmt.Println(t.id, t.name, t.next == b, t.f(t.id), t.list, t.last, t.any, t.node().n, t.node().next.n)

	list := []*top{{id: value(1), any: b}, {last: 3, middle: middle{f: t.f, base: base{next: b}}}}
	table := map[string]top{value("k"): {next: b, list: t.list}}
	ckp.Checkpoint()
	fmt.Println(list[0].any == b, list[1].next == b, list[1].f(4), table["k"].next == b, &table["k"].list[0] == &t.list[0])

	o, p := made(1.5), made("s")
	ckp.Checkpoint()
	fmt.Println(o.list, *o.first(), o.id, o.f(1), p.list, *p.first(), p.f(1))
	l := listsOf("l", "m")
	ckp.Checkpoint()
	fmt.Println(l.a, l.all())
	global.last++
	ckp.Checkpoint()
	fmt.Println(global.id, global.list, global.last)
}

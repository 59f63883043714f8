// Calls calls what expressions of every kind yield, ranges over type parameters, and
// has frames of a megabyte.
package main

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func cp(x int) int { ckp.Checkpoint(); return x }

// type parameter ranges
func sumS[S ~[]E, E ~int](s S) (t E) {
	for i, e := range s {
		t += e + E(cp(i))
	}
	return
}
func keysM[M ~map[K]V, K comparable, V any](m M) (ks []K) {
	for k := range m {
		ks = append(ks, k)
		cp(1)
	}
	return
}
func drain[C ~chan E, E any](c C) (out []E) {
	for e := range c {
		out = append(out, e)
		cp(1)
	}
	return
}
func upto[T ~int64](n T) (t T) {
	for i := range n {
		t += i
		cp(1)
	}
	return
}
func runes[T ~string](s T) (out []rune) {
	for _, r := range s {
		out = append(out, r)
		cp(1)
	}
	return
}
func arrP[T ~*[3]int](p T) (s int) {
	for i, v := range p {
		s += v
		p[2] = cp(i) + 10
	}
	return
}

type ints []int
type myint int
type mystr string

type T struct {
	n  int
	in *T
	fs []func(int) int
	m  map[string]*T
	a  [2][2]int
}

func (t *T) self(x int) *T { ckp.Checkpoint(); t.n += x; return t }
func (*T) noName(int) int  { return cp(3) }
func (_ T) blank(_ int, s ...string) int {
	return cp(len(s))
}
func (t T) val() T { ckp.Checkpoint(); t.n++; return t }

type I interface{ self(int) *T }

func fns() {
	t := &T{n: 1, m: map[string]*T{}}
	t.in = t
	t.fs = append(t.fs, func(x int) int { t.n++; return cp(x) + t.n })
	t.m["x"] = &T{n: 100, a: [2][2]int{{1, 2}, {3, 4}}}
	fmt.Println(t.in.in.fs[cp(0)](cp(2)), t.self(1).in.self(2).n, t.m["x"].self(cp(1)).val().n)
	t.m["x"].self(cp(1)).a[cp(0)][cp(1)] = cp(9)
	t.m["x"].a[cp(1)][cp(0)] += cp(9)
	fmt.Println(t.m["x"].a, t.noName(1), t.blank(1, "a", "b"), t.blank(1))
	fp := func(x int) func(int) int { cp(x); return func(y int) int { return cp(x) * y } }
	fmt.Println(fp(2)(3), (func(int) int)(fp(4))(5), (*(&fp))(1)(1))
	ch := make(chan func(int) int, 2)
	ch <- fp(6)
	fmt.Println((<-ch)(cp(7)))
	arr := [...]func(int) int{fp(1), fp(2)}
	fmt.Println(arr[cp(1)](cp(3)), len(arr))
	fmt.Println(I.self(t, cp(1)).n, (*T).self(t, 1).n, T.val(*t).n)
	var i I = t
	fmt.Println(i.self(cp(1)).self(cp(2)).n)
	if v, ok := i.(*T); ok && cp(v.n) > 0 {
		fmt.Println("ok", v.n > 0)
	}
	if v, ok := t.m[fmt.Sprint("x", cp(1))]; !ok {
		fmt.Println("none", v == nil)
	}
	switch f := any(arr[0]).(type) {
	case func(int) int:
		g := func() int { return f(cp(2)) }
		fmt.Println(f(4), g())
	}
	type L = list[int]
	l := &L{}
	l.push(1)
	(*list[int]).push(l, 2)
	pu := (*L).push
	pu(l, cp(3))
	fmt.Println(l.xs)
	p := new(cp(5))
	cp(1)
	fmt.Println(*p)
	u := uint64(1<<63) + uint64(cp(1))
	x := uint8(200)
	x <<= cp(1)
	x &^= uint8(cp(16))
	s := "a"
	s += fmt.Sprint(cp(2)) + s
	fmt.Println(u, x, s, 1<<cp(3), int8(cp(300)&255), float64(cp(1))/3, 7/2*float64(cp(1)))
	var b bytes.Buffer
	b.WriteString("x")
	cp(1)
	fmt.Fprintf(&b, "%d", cp(3))
	fmt.Println(b.String(), unsafe.Sizeof(x), append([]byte(nil), "abc"...), append([]int{cp(1)}, []int{cp(2)}...))
	for range cp(2) {
		cp(1)
	}
	n := 3
	for i := range n {
		n = 10
		fmt.Print(i, cp(n), " ")
	}
	fmt.Println()
	for i, r := range "a\xffé" {
		fmt.Print(i, " ", r, cp(1), " ")
	}
	fmt.Println()
	v, ok := func() (any, bool) { ckp.Checkpoint(); return nil, true }()
	fmt.Println(v, ok)
	var e1 interface{ Error() string }
	e1, ok = error(nil), cp(1) == 1
	fmt.Println(e1 == nil, ok)
	func(xs ...int) {
		for i := range xs {
			xs[i] += cp(1)
		}
		fmt.Println(xs)
	}([]int{1, 2}...)
	fmt.Println(vnil(nil...), vnil(), vnil(nil))
}

// len is a call, too, and has its turn.
func turns() {
	s := []int{1, 2, 3}
	h := func() int { s = s[:len(s)-1]; ckp.Checkpoint(); return len(s) }
	fmt.Println(len(s), h(), len(s), min(len(s), 5), h(), cap(s), len(s))
	show := func(xs ...int) { ckp.Checkpoint(); fmt.Println(xs) }
	s = []int{1, 2, 3}
	show(len(s), h(), len(s))
	grow := func() int { s = append(s, 7); return len(s) }
	show(len(s), grow(), len(s))
}

func vnil(xs ...*int) string { ckp.Checkpoint(); return fmt.Sprint(xs == nil, len(xs)) }

type list[T any] struct{ xs []T }

func (l *list[T]) push(x T) { ckp.Checkpoint(); l.xs = append(l.xs, x) }

func res(x int) (x2 int, err error) {
	{
		x2, err := cp(x), fmt.Errorf("inner")
		_ = x2
		if cp(x) > 5 {
			return x2, err
		}
	}
	f := func(x int) (x2 int, err error) {
		x2 = cp(x) + 1
		return
	}
	if x2, err = f(x); err != nil {
		return
	}
	if x2, err := f(x2); err == nil {
		return x2, nil
	}
	return
}
func swap(a, b int) (x, y int) {
	x, y = a, b
	g := func() { x, y = y, x }
	cp(1)
	g()
	if a > 5 {
		return y, x
	}
	return
}

func arrayCopy(a [3]int) [3]int {
	b := a
	p := &b
	for i := range p {
		p[i] *= cp(2)
		a[i]++
	}
	c := *p
	cp(1)
	p[0] = 99
	return [3]int{a[0], b[0], c[0]}
}

var pkgVar = func() int { type q struct{ n int }; const c = 4; v := q{c}; return v.n }()
var pkgF = func(x int) string {
	type q struct{ n int }
	v := q{cp(x)}
	w := func() q { cp(1); return v }
	return fmt.Sprint(w())
}
var tbl = [...]struct {
	name string
	f    func(int) int
}{{"a", func(x int) int { return cp(x) }}, {"b", cp}, {"c", tw[int]}}

func tw[N ~int](x N) N { ckp.Checkpoint(); return x * 2 }

type outer struct{ *inner }
type inner struct{ mid }
type mid struct{ h func(int) int }

func (m *mid) call(x int) int { return m.h(x) }
func (m mid) vcall(x int) int { return m.h(x) }

func prom() {
	o := outer{&inner{mid{cp}}}
	k := 5
	o.h = func(x int) int { return cp(x) + k }
	fmt.Println(o.call(1), o.vcall(2), o.h(3))
	f, g := o.call, o.vcall
	o.h = func(x int) int { return cp(x) * 100 }
	fmt.Println(f(1), g(2), outer.call(o, 3), (*inner).vcall(o.inner, 4), outer.vcall(o, 5))
	var c interface{ call(int) int } = o
	var c2 interface{ vcall(int) int } = &o
	fmt.Println(c.call(1), c2.vcall(2))
	var arr [2]mid
	arr[1].h = cp
	fmt.Println(arr[cp(1)].call(3), arr[cp(1)].vcall(3))
	m := map[string]mid{"a": {cp}}
	fmt.Println(m["a"].vcall(cp(2)))
	ps := []*outer{&o}
	for _, p := range ps {
		fmt.Println(p.call(cp(1)), p.inner.mid.call(2))
	}
	sl := []outer{o}
	for i := range sl {
		fmt.Println(sl[i].call(cp(1)))
	}
}

func selLabel() {
	ch := make(chan int, 3)
	ch <- 1
	ch <- 2
	close(ch)
	n := 0
loop:
	for {
		select {
		case v, ok := <-ch:
			if !ok {
				break loop
			}
			n += v
			continue loop
		}
	}
	cp(n)
	fmt.Println(n)
	c2 := make(chan int, 1)
	c2 <- 5
	switch v, ok := <-c2; {
	case ok && cp(v) == 5:
		fmt.Println("five")
	}
	c2 <- 6
	var a [2]int
	a[cp(1)] = <-c2
	c2 <- cp(7)
	x, ok := <-c2
	fmt.Println(a, x, ok)
	go func() { c2 <- 8 }()
	y := <-c2 + cp(1)
	fmt.Println(y)
L:
	for i := range cp(3) {
		if i == 1 {
			continue L
		}
		fmt.Print(i)
	}
M:
	switch cp(2) {
	case 2:
		if n > 0 {
			break M
		}
		fmt.Print("no")
	}
N:
	switch x := any(cp(2)).(type) {
	case int:
		if x > 0 {
			break N
		}
		fmt.Print("no")
	}
	fmt.Println()
}

type mega [1 << 17]int

func bigFrame(n int) int {
	var m mega
	m[n] = n
	cp(n)
	q := m
	q[n]++
	cp(1)
	return m[n] + q[n]
}

func main() {
	fmt.Println(sumS(ints{1, 2}), sumS([]myint{4}), keysM(map[string]int{"a": 1}), upto[int64](3), runes(mystr("xñ")))
	c := make(chan int, 3)
	c <- 1
	c <- 2
	close(c)
	fmt.Println(drain(c), arrP(&[3]int{1, 2, 3}))
	fns()
	fmt.Println(res(3))
	fmt.Println(res(7))
	fmt.Println(swap(1, 2))
	fmt.Println(swap(7, 2))
	fmt.Println(arrayCopy([3]int{1, 2, 3}), pkgVar, pkgF(3))
	for _, t := range tbl {
		fmt.Println(t.name, t.f(4))
	}
	turns()
	prom()
	selLabel()
	fmt.Println(bigFrame(7))
}

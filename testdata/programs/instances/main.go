// Instances has generic functions, methods and types with blank parameters, local
// types, embedded instances and function values.
package main

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type list[T any] struct {
	head *elem[T]
	n    int
}
type elem[T any] struct {
	v    T
	next *elem[T]
}

func (l *list[T]) push(v T) *list[T] { ckp.Checkpoint(); l.head = &elem[T]{v, l.head}; l.n++; return l }
func (l *list[_]) size() int         { ckp.Checkpoint(); return l.n }
func (l *list[T]) each(f func(T)) {
	for e := l.head; e != nil; e = e.next {
		f(e.v)
		ckp.Checkpoint()
	}
}
func ignore[_ any, T any](x T) T { ckp.Checkpoint(); return x }

type num interface{ ~int | ~float64 }

func sum[T num](xs ...T) (s T) {
	for _, x := range xs {
		s += x
		ckp.Checkpoint()
	}
	return
}
func mapf[T, U any](xs []T, f func(T) U) []U {
	var out []U
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}
func double[T num](x T) T { ckp.Checkpoint(); return x * 2 }

type pair[K comparable, V any] struct {
	k K
	v V
}

func local[T any](x T) string {
	type box struct {
		v T
		n int
	}
	type boxes []box
	b := boxes{{x, 1}, {x, 2}}
	ckp.Checkpoint()
	f := func() box { ckp.Checkpoint(); return b[1] }
	return fmt.Sprintf("%v %v", b, f())
}
func local2() {
	type pt struct{ x, y int }
	type wrap struct{ pt }
	w := wrap{pt{1, 2}}
	ckp.Checkpoint()
	fmt.Printf("%T %+v %v\n", w, w, w.pt.x+w.y)
}
func local3() {
	type pt struct{ a string }
	type wrap struct {
		pt
		n int
	}
	w := wrap{pt: pt{"s"}}
	ckp.Checkpoint()
	fmt.Printf("%v %v\n", w.pt.a, w.a)
}
func local4() {
	const (
		a = iota + 1
		b
		c
		_
		d string = "d"
	)
	type weekday int
	const (
		mon weekday = iota
		tue
	)
	ckp.Checkpoint()
	fmt.Println(a, b, c, d, mon, tue)
	{
		const a = "inner"
		type weekday string
		ckp.Checkpoint()
		fmt.Println(a, weekday("z"))
	}
	fmt.Println(a)
	type rec struct {
		next *rec
		v    int
	}
	r := &rec{nil, 1}
	r = &rec{r, 2}
	ckp.Checkpoint()
	fmt.Println(r.next.v)
}

type tree[K cmp.Ordered, V any] struct {
	l, r *tree[K, V]
	k    K
	v    V
}

func (t *tree[K, V]) insert(k K, v V) *tree[K, V] {
	ckp.Checkpoint()
	if t == nil {
		return &tree[K, V]{k: k, v: v}
	}
	switch {
	case k < t.k:
		t.l = t.l.insert(k, v)
	case k > t.k:
		t.r = t.r.insert(k, v)
	default:
		t.v = v
	}
	return t
}
func (t *tree[K, V]) walk(f func(K, V) bool) bool {
	return t == nil || t.l.walk(f) && f(t.k, t.v) && t.r.walk(f)
}

type shape interface {
	area() float64
	comparable
}
type sq struct{ s float64 }

func (s sq) area() float64 { ckp.Checkpoint(); return s.s * s.s }

func total[S shape](ss ...S) float64 {
	t := 0.0
	for i, s := range ss {
		if i > 0 && s == ss[0] {
			continue
		}
		t += s.area()
		f := s.area
		t += f()
	}
	return t
}

type setter[T any] interface {
	*T
	Set(string)
}
type cfg struct{ s string }

func (c *cfg) Set(s string) { ckp.Checkpoint(); c.s = s }
func parse[T any, P setter[T]](in []string) []T {
	out := make([]T, len(in))
	for i, s := range in {
		p := P(&out[i])
		p.Set(s)
		var t T
		P(&t).Set(s)
		out[i] = t
	}
	return out
}
func zero[T any](use func(T)) { var t T; ckp.Checkpoint(); use(t) }
func tsw[T any](x T) string {
	switch v := any(x).(type) {
	case int:
		ckp.Checkpoint()
		return fmt.Sprint("int", v)
	case []T:
		return "slice"
	case fmt.Stringer, error:
		ckp.Checkpoint()
		return fmt.Sprint(v)
	case nil:
		ckp.Checkpoint()
		return "nil"
	}
	return "?"
}

type opt[T any] = func(*list[T])
type Vec[T any] = []T

func with[T any](opts ...opt[T]) *list[T] {
	l := new(list[T])
	for _, o := range opts {
		o(l)
	}
	return l
}
func vec(v Vec[int]) Vec[string] { ckp.Checkpoint(); return Vec[string]{fmt.Sprint(v)} }

type Num[T any] struct{ x T }

func (n Num[T]) Get() T { ckp.Checkpoint(); return n.x }

type Emb struct {
	Num[int]
	*list[string]
}

func fact[T num](n T) T {
	if n <= 1 {
		ckp.Checkpoint()
		return 1
	}
	return n * fact(n-1)
}
func shadowT[T any](x T) T {
	f := func() T {
		T := 5
		ckp.Checkpoint()
		y := x
		ckp.Checkpoint()
		_ = T
		return y
	}
	return f()
}
func is[T any](x any) bool { _, ok := x.(T); return ok }

func same[T, U any](x T) (_ U) { return }

// untouched passes instances on where no checkpoint is.
func untouched() []any {
	type own int
	xs := []int{3, 1, 2}
	slices.SortFunc(xs, cmp.Compare)
	slices.SortFunc(xs, cmp.Compare[int])
	ys := []any{1, "a", own(2)}
	return []any{xs, slices.ContainsFunc(ys, is[string]), slices.IndexFunc(ys, (is[own])), slices.IndexFunc(xs, same[int, bool]), slices.IndexFunc(xs, same[int])}
}

func main() {
	fmt.Println(untouched()...)
	l := new(list[int]).push(1).push(2).push(3)
	fmt.Println(l.size())
	l.each(func(x int) { fmt.Println(x, ignore[string](x)) })
	fmt.Println(sum(1, 2, 3), sum(1.5, 2), sum[int]())
	fmt.Println(mapf([]int{1, 2}, double), mapf([]int{1, 2}, func(x int) string { ckp.Checkpoint(); return fmt.Sprint(x) }), mapf([]float64{1.5}, double[float64]))
	fmt.Println(local(1), local("s"), local([]int{1}))
	local2()
	local3()
	local4()
	var t *tree[string, int]
	for i, k := range []string{"m", "c", "x", "a"} {
		t = t.insert(k, i)
	}
	n := 0
	fmt.Println(t.walk(func(k string, v int) bool { ckp.Checkpoint(); n += v; fmt.Println(k, v); return n < 4 }), n)
	fmt.Println(total(sq{1}, sq{2}, sq{1}))
	fmt.Println(parse[cfg]([]string{"a", "b"}))
	zero(func(x map[string]int) { fmt.Println(x == nil) })
	fmt.Println(tsw(1), tsw("s"), tsw(fmt.Errorf("err")), tsw[any](nil))
	fmt.Println(with(func(l *list[int]) { l.push(4) }, func(l *list[int]) { l.push(5) }).size())
	fmt.Println(vec(Vec[int]{1}))
	e := Emb{Num[int]{4}, new(list[string])}
	e.push("q")
	fmt.Println(e.Get(), e.size(), e.Num.Get(), e.list.size())
	g := e.Get
	h := e.push
	e.x = 9
	h("z")
	fmt.Println(g(), e.size())
	fmt.Println(fact(10), fact(5.0))
	fmt.Println(shadowT("x"))
	xs := []int{3, 1, 2}
	sort.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] })
	ckp.Checkpoint()
	fmt.Println(xs)
	p := pair[string, func() int]{"a", func() int { ckp.Checkpoint(); return n }}
	fmt.Println(p.v())
}

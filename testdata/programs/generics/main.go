// Generics has generic functions, types, methods and closures with several
// instantiations alive at checkpoints.
package main

import (
	"cmp"
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type number interface {
	~int | ~int64 | ~float64
}

type meters float64

func sumOf[T number](list []T) (total T) {
	for _, v := range list {
		total += v
		ckp.Checkpoint()
	}
	return total
}

type list[T any] struct {
	head *element[T]
	size int
}

type element[T any] struct {
	value T
	next  *element[T]
}

func (l *list[T]) push(v T) {
	l.head = &element[T]{v, l.head}
	l.size++
	ckp.Checkpoint()
}

func (l *list[E]) each(f func(E)) {
	for e := l.head; e != nil; e = e.next {
		f(e.value)
	}
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

func sortPairs[K cmp.Ordered, V any](ps []pair[K, V]) []pair[K, V] {
	if len(ps) < 2 {
		return ps
	}
	pivot := ps[0]
	var less, more []pair[K, V]
	for _, p := range ps[1:] {
		if p.key < pivot.key {
			less = append(less, p)
		} else {
			more = append(more, p)
		}
	}
	ckp.Checkpoint()
	return append(append(sortPairs(less), pivot), sortPairs(more)...)
}

func mapped[A, B any](in []A, f func(A) B) []B {
	out := make([]B, 0, len(in))
	for _, a := range in {
		out = append(out, f(a))
	}
	return out
}

func accumulator[T number](start T) func(T) T {
	total := start
	return func(v T) T {
		total += v
		ckp.Checkpoint()
		return total
	}
}

type stringer interface{ String() string }

func (m meters) String() string { return fmt.Sprintf("%gm", float64(m)) }

func join[S stringer](list ...S) (s string) {
	for i, x := range list {
		if i > 0 {
			s += "+"
		}
		s += x.String()
	}
	return
}

type tree[T cmp.Ordered] struct {
	left, right *tree[T]
	value       T
}

func (t *tree[T]) insert(v T) *tree[T] {
	switch {
	case t == nil:
		ckp.Checkpoint()
		return &tree[T]{value: v}
	case v < t.value:
		t.left = t.left.insert(v)
	default:
		t.right = t.right.insert(v)
	}
	return t
}

func walk[T cmp.Ordered](t *tree[T], visit func(T) bool) bool {
	return t == nil || walk(t.left, visit) && visit(t.value) && walk(t.right, visit)
}

func twice[T any](x T) (T, T) { ckp.Checkpoint(); return x, x }

func main() {
	named()
	fmt.Println(sumOf([]int{1, 2, 3}), sumOf([]float64{0.5, 0.25}), sumOf([]meters{1, 2.5}))
	var words list[string]
	var numbers list[*int]
	for i := range 4 {
		words.push(fmt.Sprint("w", i))
		numbers.push(&i)
	}
	words.each(func(s string) { ckp.Checkpoint(); fmt.Print(s, " ") })
	numbers.each(func(p *int) { *p *= 2; ckp.Checkpoint(); fmt.Print(*p, " ") })
	fmt.Println(words.size + numbers.size)
	ps := sortPairs([]pair[string, int]{{"m", 1}, {"c", 2}, {"x", 3}, {"a", 4}, {"p", 5}})
	fmt.Println(ps)
	fmt.Println(mapped([]int{1, 2, 3}, func(i int) string { ckp.Checkpoint(); return fmt.Sprint(i * i) }))
	a, b := accumulator(10), accumulator(0.5)
	fmt.Println(a(1), b(1), a(2), b(2))
	fmt.Println(join(meters(1), meters(2)), join[stringer](meters(3)))
	var t *tree[string]
	for _, s := range []string{"d", "b", "a", "c", "e"} {
		t = t.insert(s)
	}
	n := 0
	walk(t, func(s string) bool { n++; fmt.Print(s); ckp.Checkpoint(); return s != "d" })
	fmt.Println(n)
	f := twice[int]
	g := twice[string]
	ckp.Checkpoint()
	x, y := f(4)
	u, v := g("z")
	fmt.Println(x, y, u, v)
	push := numbers.push
	ckp.Checkpoint()
	push(new(int))
	fmt.Println(numbers.size)
}

//go:build go1.27

// Genericmethods has methods with type parameters of their own, with checkpoints in them, below them and in what they are given.
package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/go1.27/genericmethods/lib"
)

type list[T any] []T

func (l list[T]) apply[U any](f func(T) U) list[U] {
	var out list[U]
	for i, x := range l {
		ckp.Checkpoint()
		out = append(out, f(x))
		if i == 2 {
			ckp.Checkpoint()
		}
	}
	return out
}

// fold calls an instance of itself for another type.
func (l list[T]) fold[A any](a A, depth int, f func(A, T) A) A {
	if depth > 0 {
		text := l.fold("", depth-1, func(s string, x T) string { ckp.Checkpoint(); return s + fmt.Sprint(x, " ") })
		fmt.Println(depth, text)
	}
	for _, x := range l {
		a = f(a, x)
	}
	return a
}

// A box has methods although it is no generic type.
type box struct {
	n   int
	log []string
}

func (b *box) note[T any](list ...T) (n int, err error) {
	type pair struct { // which depends on the method's type parameter
		at int
		x  T
	}
	var pairs []pair
	defer func() {
		ckp.Checkpoint()
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
		b.log = append(b.log, fmt.Sprint(pairs))
		n = b.n
	}()
	for i, x := range list {
		pairs = append(pairs, pair{i, x})
		ckp.Checkpoint()
		b.n++
		if b.n%5 == 0 {
			panic(fmt.Sprintf("%T", x))
		}
	}
	return 0, errors.New("none")
}

func (b box) convert[A, B any](a A, f func(A) B) (r B) {
	b.n++ // its own
	g := func() B { // captures what is of the method
		ckp.Checkpoint()
		return f(a)
	}
	r = g()
	switch any(r).(type) {
	case string:
		ckp.Checkpoint()
		fmt.Println("a string", b.n)
	case B:
		fmt.Println("a B", b.n)
	}
	return r
}

type inner struct{ *box }
type outer struct {
	inner
	name string
}

func apply[A, B any](a A, f func(A) B) B { return f(a) }

func half(x int) float64 {
	ckp.Checkpoint()
	return float64(x) / 2
}

func text(x int) string {
	ckp.Checkpoint()
	return strings.Repeat("*", x)
}

// given is called before what it is an operand of.
func given[T any](x T, what string) T {
	ckp.Checkpoint()
	fmt.Println("given", what)
	return x
}

type calls struct {
	f func(func(int) string) list[string]
	g map[string]func(list[int], func(int) float64) list[float64]
}

func main() {
	l := list[int]{1, 2, 3, 4}
	fmt.Println(l.apply(half), l.apply(text), l.apply(half).apply(func(x float64) int { ckp.Checkpoint(); return int(4 * x) }))
	fmt.Println(l.fold(1.5, 2, func(a float64, x int) float64 { ckp.Checkpoint(); return a + float64(x) }))

	// Func values.
	c := calls{f: l.apply[string], g: map[string]func(list[int], func(int) float64) list[float64]{"half": list[int].apply[float64]}}
	ckp.Checkpoint()
	fmt.Println(c.f(text), c.g["half"](l, half))
	var inferred func(func(int) []int) list[[]int] = l.apply
	ckp.Checkpoint()
	fmt.Println(inferred(func(x int) []int { ckp.Checkpoint(); return []int{x, x} }))

	o := &outer{inner{&box{}}, "o"}
	fmt.Println(o.note("a", "b"))
	note := o.note[float64] // of the box that it has now
	of := (*outer).note[int]
	o.box = &box{n: 3}
	ckp.Checkpoint()
	fmt.Println(note(1, 2.5, 3))
	fmt.Println(of(o, 7, 8, 9))
	fmt.Println(o.convert(3, text), o.convert("x", func(s string) *outer { ckp.Checkpoint(); return o }).name)
	convert := o.convert[int, string] // of a copy of the box
	o.n = 50
	fmt.Println(convert(2, text), apply(4, func(n int) string { return o.convert(n, text) }))

	// Statements.
	func() {
		for i := range 3 {
			defer o.note(given(i, "deferred"))
		}
		defer given(o, "receiver").note[string](given("z", "operand"))
		ckp.Checkpoint()
	}()
	done := make(chan string)
	go func() { done <- strings.Join(l.apply[string](text), "-") }()
	fmt.Println(<-done)
	go o.convert("go", func(s string) error { ckp.Checkpoint(); done <- s; return nil })
	fmt.Println(<-done)
	fmt.Println(given(l, "a").fold(given("b", "b"), given(0, "c"), given(func(s string, x int) string { return s + "." }, "d")))
	fmt.Println(o.n, o.log)

	// Of another package.
	var t *lib.Tree[int]
	for _, x := range []int{5, 2, 8, 1, 9, 3} {
		t = t.With(x, func(a, b int) bool { ckp.Checkpoint(); return a < b })
	}
	fmt.Println(t.Fold("", func(s string, x int) string { ckp.Checkpoint(); return s + fmt.Sprint(x) }))
	for s := range t.Turned(half).All(func(x float64) string { ckp.Checkpoint(); return fmt.Sprint(x) }) {
		ckp.Checkpoint()
		fmt.Print(s, " ")
		if s == "2.5" {
			break
		}
	}
	all := t.All[string]
	fmt.Println(slices.Collect(all(text)))
}

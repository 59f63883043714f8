package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// The names of type parameters, and of the type of a parameter, are those that generated code has for its variables.
type arg1 string

func transformed[fr, at any](list []fr, f func(fr) at) (r []at) {
	defer func(a at) { ckp.Checkpoint(); fmt.Println("zero", a) }(*new(at))
	for _, x := range list {
		ckp.Checkpoint()
		env := func() at { ckp.Checkpoint(); return f(x) }
		r = append(r, env())
	}
	return r
}

type box[env any] struct{ v env }

func (b *box[env]) swap(v env) (old env) {
	old, b.v = b.v, v
	defer func(n int, s arg1) {
		ckp.Checkpoint()
		fmt.Println(n, s, old)
	}(1, "deferred")
	ckp.Checkpoint()
	return old
}

func follows(n int, s arg1, t arg1) {
	defer func() { ckp.Checkpoint(); fmt.Println(n, s, t) }()
	ckp.Checkpoint()
}

// What is called later is of a type that is a parameter.
func later[F ~func(A), G ~func() int, A any](f F, g G, a A) {
	defer f(a)
	defer g()
	done := make(chan bool)
	go func() { defer close(done); f(a) }()
	ckp.Checkpoint()
	<-done
	started := make(chan int)
	go started1(started, g)
	fmt.Println(<-started)
}

func started1[G ~func() int](c chan int, g G) { c <- g() }

func begin[F ~func(A), A any](f F, a A) { go f(a) }

func named() {
	fmt.Println(transformed([]int{1, 2, 3}, func(n int) string { ckp.Checkpoint(); return fmt.Sprint("n", n) }))
	b := &box[string]{"first"}
	fmt.Println(b.swap("second"), b.v)
	follows(1, "s", "t")
	later(func(n int) { ckp.Checkpoint(); fmt.Println("later", n) }, func() int { ckp.Checkpoint(); return 7 }, 3)
	c := make(chan int)
	begin(func(n int) { ckp.Checkpoint(); c <- n + 1 }, 4)
	fmt.Println(<-c)
}

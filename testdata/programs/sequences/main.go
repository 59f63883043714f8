// Sequences leaves loops over functions in every way, with checkpoints in the iterator and in
// the body, and takes checkpoints in the operands and the clauses of select statements.
package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func cp(x int) int { ckp.Checkpoint(); return x }

func upto(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			cp(i)
			if !yield(i) {
				fmt.Println("stopped", i)
				return
			}
		}
		fmt.Println("end", n)
	}
}
func pairs[K comparable, V any](ks []K, f func(K) V) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		defer fmt.Println("cleanup")
		for _, k := range ks {
			if !yield(k, f(k)) {
				return
			}
		}
	}
}

type tree struct {
	l, r *tree
	v    int
}

func (t *tree) all(yield func(int) bool) bool {
	return t == nil || t.l.all(yield) && yield(t.v) && t.r.all(yield)
}
func (t *tree) All() iter.Seq[int] { return func(y func(int) bool) { t.all(y) } }

func find(n int) (r int, err error) {
	defer func() { r++; cp(1) }()
outer:
	for i := range upto(n) {
		for j := range upto(n) {
			switch {
			case j == 1 && i == 0:
				continue outer
			case i == 2:
				break outer
			case i*j == 1:
				cp(1)
				return i + j, fmt.Errorf("e%d", cp(i))
			}
		}
	}
	return -1, nil
}
func defers() (s string) {
	for i := range 2 {
		defer func() { s += fmt.Sprint(i, cp(i)) }()
	}
	s = "x"
	cp(1)
	return s + "y"
}
func gotos() int {
	n := 0
again:
	for i := range upto(3) {
		n += i
		if n < 4 && i == 2 {
			goto again
		}
		if n > 8 {
			goto out
		}
	}
	cp(n)
	n += 100
out:
	return n
}
func assign() {
	var a [3]int
	k := 0
	for k, a[k] = range pairs([]int{1, 2, 0}, func(k int) int { return cp(k) * 10 }) {
		cp(k)
	}
	fmt.Println(k, a)
	for range upto(2) {
	}
	var fs []func() int
	for x := range upto(3) {
		fs = append(fs, func() int { x += 10; return cp(x) })
	}
	for _, f := range fs {
		fmt.Print(f(), f(), " ")
	}
	fmt.Println(slices.Sorted(maps.Keys(map[int]int{1: 2})))
}
func panics() (s string) {
	defer func() { s = fmt.Sprint("rec ", recover(), cp(1)) }()
	for i := range upto(3) {
		if i == 1 {
			panic(fmt.Sprint("in body", cp(i)))
		}
	}
	return "no"
}
func sel() {
	a, b := make(chan int, 2), make(chan string, 2)
	a <- 1
	get := func() chan int { ckp.Checkpoint(); return a }
loop:
	for i := 0; ; i++ {
		select {
		case v, ok := <-get():
			fmt.Println("a", v, ok, cp(i))
			if v == 2 {
				break loop
			}
			if i == 0 {
				b <- fmt.Sprint("s", cp(i))
				continue loop
			}
			break
		case s := <-b:
			f := func() string { return s + fmt.Sprint(cp(1)) }
			fmt.Println("b", f())
			a <- cp(2)
		}
	}
	var arr [2]int
	a <- 7
	select {
	case arr[cp(1)] = <-a:
		fmt.Println(arr)
	}
	select {
	case a <- cp(5):
		fmt.Println("sent", <-a)
	default:
		fmt.Println("full")
	}
	select {
	case <-b:
	default:
		cp(1)
		fmt.Println("default")
	}
}
func main() {
	fmt.Println(find(1))
	fmt.Println(find(4))
	fmt.Println(defers())
	fmt.Println(gotos())
	assign()
	fmt.Println(panics())
	t := &tree{&tree{nil, nil, 1}, &tree{nil, nil, 3}, 2}
	for v := range t.All() {
		fmt.Println(v)
		if cp(v) == 2 {
			break
		}
	}
	for k, v := range pairs([]string{"a", "b"}, func(s string) string { return s + fmt.Sprint(cp(1)) }) {
		fmt.Println(k, v)
		if k == "b" {
			break
		}
	}
	sel()
}

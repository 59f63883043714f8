package main

import (
	"fmt"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// capturing has local functions that others call: local ones, in loops too, literals that are kept, deferred, passed on and run by goroutines, bodies of loops
// over functions, and literals inside of literals.
func capturing(list []int) (out []string) {
	sum := 0
	at := func(i int) int { ckp.Checkpoint(); return list[i%len(list)] }
	square := func(n int) int { return n * n }
	pair := func(i, j int) int { sum++; return at(i)*100 + at(j) + square(sum) }
	twice := func(i int) int {
		inner := func() int { return pair(i, i+1) + at(i) }
		return inner() + square(pt(inner()))
	}
	var kept []func() int
	for i := range 3 {
		add := func(n int) int { sum += n; return sum + pt(i) }
		around := func() int { return add(at(i)) + add(1) }
		out = append(out, fmt.Sprint(around(), add(2), around(), twice(i)))
		local := func(n int) int { return n + i*1000 + at(n) }
		through := func(n int) int { return local(n) + square(n) }
		kept = append(kept, func() int { return local(i) + through(pt(i)) + at(i) })
	}
	for _, f := range kept {
		out = append(out, fmt.Sprint(f(), pt(f())))
	}
	for x := range seq(3) {
		half := func() int { return pt(x)/2 + at(x) }
		for y := range seq(2) {
			both := func() int { return half()*10 + pt(y) + square(y) }
			if both() > 1000 {
				return append(out, "left")
			}
			out = append(out, fmt.Sprint(both()))
		}
	}
	var wg sync.WaitGroup
	results := make([]int, 2)
	for k := range results {
		own := func() int { return at(k) + square(k) }
		wg.Add(1)
		go func() { defer wg.Done(); results[k] = own() + at(k+1) }()
	}
	ckp.Checkpoint()
	wg.Wait()
	func() {
		say := func(s string) { out = append(out, fmt.Sprint(s, at(1), sum)) }
		defer func() { say("deferred"); out = append(out, fmt.Sprint(recover())) }()
		say("called")
		say2 := func() { say("by another"); panic(pt("panicked")) }
		say2()
	}()
	apply := func(f func(int) int, n int) int { return f(n) + at(n) }
	out = append(out, fmt.Sprint(results, apply(func(n int) int { return twice(n) + square(n) }, 2), apply(square, 3)))
	return out
}

// generic has such in code with type parameters.
func generic[T any](list []T, same func(a, b T) bool) (n int) {
	at := func(i int) T { ckp.Checkpoint(); return list[i] }
	is := func(i, j int) bool { return same(at(i), at(j)) }
	for i := range list {
		next := func() int { return (i + 1) % len(list) }
		if hit := func() bool { return is(i, next()) }; hit() || hit() {
			n++
		}
	}
	return n
}

func captured() {
	for _, s := range capturing([]int{3, 1, 4, 1, 5}) {
		fmt.Println(s)
	}
	fmt.Println(generic([]string{"a", "a", "b", "a"}, func(a, b string) bool { return pt(a) == b }))
}

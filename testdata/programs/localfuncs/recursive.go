package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type tree struct {
	left, right *tree
	value       int
}

// Functions that call themselves by the variable that they are given to right behind its declaration.
func recursive() {
	var grow func(depth int) *tree // captures nothing else
	grow = func(depth int) *tree {
		if depth == 0 {
			return nil
		}
		ckp.Checkpoint()
		return &tree{grow(depth - 1), grow(depth - 1), depth}
	}
	root := grow(3)

	total, depth := 0, 0
	var walk func(t *tree) (nodes int)
	walk = func(t *tree) (nodes int) {
		if t == nil {
			return 0
		}
		depth++
		defer func() { depth-- }()
		total += t.value * depth
		ckp.Checkpoint()
		both := func() int { return walk(t.left) + walk(t.right) }
		return 1 + both()
	}
	fmt.Println("tree", walk(root), total, depth)

	for i := range 3 { // another one in each iteration
		seen := make(map[int]bool)
		var visit func(n int) []int
		visit = func(n int) (order []int) {
			if seen[n] {
				return nil
			}
			seen[n] = true
			ckp.Checkpoint()
			for k := 1; k <= 3; k++ {
				order = append(order, visit((n*k+i)%7)...)
			}
			return append(order, n)
		}
		fmt.Println("visit", visit(i), len(seen))
	}

	var kept []func() int
	for i := range 3 { // what is kept leads to it
		var down func(n int) int
		down = func(n int) int {
			if n <= 0 {
				ckp.Checkpoint()
				return i
			}
			return down(n-1) + n
		}
		kept = append(kept, func() int { return down(i + 2) })
	}
	ckp.Checkpoint()
	for _, f := range kept {
		fmt.Println("kept", f())
	}

	var pass func(n int) int // a value of its own
	pass = func(n int) int {
		if n == 0 {
			ckp.Checkpoint()
			return 0
		}
		return apply(pass, n-1) + 1
	}
	fmt.Println("pass", pass(3))

	func() {
		var fail func(n int)
		fail = func(n int) {
			if n == 0 {
				ckp.Checkpoint()
				panic("recursive")
			}
			fail(n - 1)
		}
		defer func() { fmt.Println("recovered", recover()) }()
		fail(3)
	}()

	var turns func(n int) int // given another one afterwards
	turns = func(n int) int { ckp.Checkpoint(); return n }
	if total > 3 {
		turns = func(n int) int { return n * 2 }
	}
	fmt.Println("turns", turns(4))

	fmt.Println("generic", descend([]string{"a", "b", "c"}), len(descend([]int{1, 2, 3, 4})))
	fmt.Println("leaf", fibonacci(12))
	fmt.Println("apart", permutations(3), again(9))
}

// permutations gives its variable the literal after other statements.
func permutations(n int) (all [][]int) {
	var (
		next  func(i int)
		taken = make([]bool, n)
	)
	order := make([]int, 0, n)
	ckp.Checkpoint()
	next = func(i int) {
		if i == n {
			all = append(all, append([]int(nil), order...))
			return
		}
		for k := range n {
			if taken[k] {
				continue
			}
			taken[k] = true
			order = append(order, k)
			ckp.Checkpoint()
			next(i + 1)
			order = order[:len(order)-1]
			taken[k] = false
		}
	}
	next(0)
	return all
}

// again gives its variable another literal each time: the first one calls the last.
func again(n int) int {
	var down func(int) int
	var first func(int) int
	k := 0
loop:
	k++
	by := k
	down = func(i int) int {
		ckp.Checkpoint()
		if i <= 0 {
			return by
		}
		return down(i-by) + 1
	}
	if first == nil {
		first = down
	}
	if down(k) < n {
		goto loop
	}
	return 100*down(7) + first(7)
}

func apply(f func(int) int, n int) int { return f(n) }

func descend[T any](list []T) (turned []T) {
	var from func(i int)
	from = func(i int) {
		if i < len(list) {
			from(i + 1)
			ckp.Checkpoint()
			turned = append(turned, list[i])
		}
	}
	from(0)
	return turned
}

// fibonacci can't be at a checkpoint.
func fibonacci(n int) int {
	var fib func(n int) int
	fib = func(n int) int {
		if n < 2 {
			return n
		}
		return fib(n-1) + fib(n-2)
	}
	return fib(n)
}

// Package local has variables, results, type parameters, and types that functions declare, which are called as what the rewriter declares, or as each other.
package local

import (
	"fmt"
	"iter"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// found defers calls in a loop, and its results are named as what the first of them has to know.
func found(n int) (how int, ok bool, left, fr, v string) {
	for i := range n {
		defer func() {
			ckp.Checkpoint()
			fmt.Println("deferred", i)
		}()
	}
	how, left, fr, v = 7, "left", "fr", "v"
	ckp.Checkpoint()
	if n == 2 {
		panic(n)
	}
	return
}

func show[T any](x T) {
	ckp.Checkpoint()
	fmt.Println(x)
}

// records has a type that is called as the record of a deferred call.
func records(n int) {
	type d struct{ n int }
	const size = 1
	for i := range n {
		defer show[d](d{i})
		defer show[[size]d]([size]d{{i}})
	}
	ckp.Checkpoint()
}

type T struct{ n int }

func makeT() T {
	ckp.Checkpoint()
	return T{3}
}

// covered has a variable of the type that its type parameter hides.
func covered[T any](y T) func() string {
	x := makeT()
	ckp.Checkpoint()
	return func() string {
		ckp.Checkpoint()
		return fmt.Sprint(x, y)
	}
}

// covering has variables that hide its type parameter.
func covering[K comparable](y K) (list []func() string) {
	ckp.Checkpoint()
	if y != *new(K) {
		K := 3
		defer func() { fmt.Println("deferred", K) }()
		list = append(list, func() string {
			ckp.Checkpoint()
			return fmt.Sprint(K, y)
		})
	}
	return list
}

type thing struct{ n int }

// parameters defers a literal with a parameter that hides the type of the next.
func parameters(n int) {
	defer func(thing int, list ...thing) {
		fmt.Println(thing, list)
	}(n, thing{n}, thing{4})
	ckp.Checkpoint()
}

func numbers(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// returning has variables that are called as what the body of its loop returns.
func returning(n int) (int, string) {
	result1_0, result1_1 := 5, "x"
	for i := range numbers(n) {
		result1_0 += i
		ckp.Checkpoint()
		if i == 3 {
			return i, result1_1
		}
	}
	return result1_0, result1_1
}

// Names comes to all of them.
func Names() {
	fmt.Println(found(3))
	func() {
		defer func() { fmt.Println(recover()) }()
		fmt.Println(found(2))
	}()
	records(2)
	fmt.Println(covered(2)())
	for _, f := range covering("k") {
		fmt.Println(f())
	}
	parameters(2)
	fmt.Println(returning(2))
	fmt.Println(returning(5))
}

// Closures captures variables by value and by reference, shares them between
// closures, keeps closures in structures, and recurses through a variable.
package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type step struct {
	name string
	run  func(int) int
}

func counter() (func() int, func()) {
	n := 0
	return func() int { ckp.Checkpoint(); n++; return n }, func() { n = 100 }
}

func compose(fs ...func(int) int) func(int) int {
	return func(x int) int {
		for _, f := range fs {
			x = f(x)
			ckp.Checkpoint()
		}
		return x
	}
}

func each(list []int, f func(i, v int)) {
	for i, v := range list {
		f(i, v)
	}
}

var registered []func() string

func register(f func() string) { registered = append(registered, f) }

var hook = func(s string) string { ckp.Checkpoint(); return "[" + s + "]" }

func apply(f func(int) int, x int) int { return f(x) }

// place tells where a function stands, as programs do that list what they were given.
func place(f any) string {
	pc := reflect.ValueOf(f).Pointer()
	file, line := runtime.FuncForPC(pc).FileLine(pc)
	return fmt.Sprint(filepath.Base(file), ":", line)
}

func main() {
	here()
	next, reset := counter()
	fmt.Println(next(), next())
	reset()
	fmt.Println(next())

	var fib func(int) int
	calls := 0
	fib = func(n int) int {
		calls++
		if n < 2 {
			if calls%10 == 0 {
				ckp.Checkpoint()
			}
			return n
		}
		return fib(n-1) + fib(n-2)
	}
	fmt.Println(fib(10), calls)

	var steps []step
	for i := 1; i <= 4; i++ {
		steps = append(steps, step{fmt.Sprint("add", i), func(x int) int { i++; return x + i }})
	}
	f := compose(steps[0].run, steps[1].run, steps[2].run, steps[3].run)
	fmt.Println(f(0), f(0))

	total := 0
	each([]int{3, 1, 4, 1, 5, 9, 2, 6}, func(i, v int) {
		total += i * v
		if v == 9 {
			ckp.Checkpoint()
		}
	})
	fmt.Println(total)

	for _, word := range strings.Fields("the quick brown fox") {
		register(func() string { return strings.ToUpper(word) })
	}
	ckp.Checkpoint()
	for i := range registered {
		fmt.Println(hook(registered[i]()))
	}

	make3 := func(k int) func(int) func(int) int {
		return func(a int) func(int) int {
			ckp.Checkpoint()
			return func(b int) int {
				k++
				ckp.Checkpoint()
				return a*b + k
			}
		}
	}
	g := make3(10)(7)
	fmt.Println(g(2), g(3), apply(g, 4))
	fmt.Println(func(a, b int) int { ckp.Checkpoint(); return a - b + total }(9, 4))

	byName := map[string]func(float64) float64{
		"double": func(x float64) float64 { return 2 * x },
		"square": func(x float64) float64 { ckp.Checkpoint(); return x * x },
	}
	fmt.Println(byName["double"](1.5), byName["square"](1.5))
	fmt.Println(place(byName["double"]), place(byName["square"]), place(next), place(f), place(g), place(fib), place(main))
	upper := strings.ToUpper
	ckp.Checkpoint()
	fmt.Println(upper("done"))
}

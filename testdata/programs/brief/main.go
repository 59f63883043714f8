// Brief has function literals that are gone when a call returns, so that the compiler could have what they capture on the stack: called where they
// stand, by a variable, by functions that do nothing but call them. The frames of their own activations, on a stack that unwinds, have it all the same.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

func onTheSpot(a, b int, names ...string) (sum int) {
	func() {
		sum += pt(a)
		for i, name := range names {
			func(n int) { sum += pt(n*b) + len(name) + i }(len(names))
		}
	}()
	return sum + func() int { return pt(a) * b }()
}

func byVariable(a, b int, m map[string]int) int {
	each := func(k string) int { return pt(m[k]) + a*b }
	twice := func(f func(string) int) int { return each("x") + f("y") + pt(len(m)) }
	return each("y") + twice(each) + twice(func(k string) int { return each(k) - pt(b) })
}

func call(f func(int) int, n int) int {
	if n == 0 {
		return f(0)
	}
	return f(n) + call(func(k int) int { return f(k) + pt(n) }, n-1)
}

type stack struct{ list []int }

func (s *stack) each(f func(int) bool) {
	for _, x := range s.list {
		if !f(x) {
			return
		}
	}
}

func (s *stack) sum(by int) (total int) {
	s.each(func(x int) bool {
		defer func() { total += pt(by) }()
		total += pt(x)
		return x < 30
	})
	for x := range s.each {
		total += func() int { return pt(x) * by }()
	}
	f := s.each
	f(func(x int) bool { total -= pt(x) % by; return true })
	return total
}

func main() {
	for i := range 4 {
		fmt.Println(onTheSpot(i, i+1, "a", "bc", "def"), byVariable(i, 3, map[string]int{"x": i, "y": 7}))
		fmt.Println(call(func(n int) int { return pt(n) * i }, 3), (&stack{[]int{i, 20, 30, 40}}).sum(i+1))
	}
}

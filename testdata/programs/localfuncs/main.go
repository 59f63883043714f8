// Localfuncs has function literals that are the only value of a variable which is called, and nothing else, with checkpoints inside and around.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

type point struct{ x, y int }

// distances has one that reads what it captures, one that changes it, one that captures nothing, and calls in operands.
func distances(ps []point) (sum int) {
	dist := func(i, j int) int {
		dx, dy := ps[i].x-ps[j].x, ps[i].y-ps[j].y
		return dx*dx + dy*dy
	}
	seed := uint32(1)
	next := func(k int) int {
		seed = seed*1664525 + 1013904223
		return int(seed>>8) % k
	}
	square := func(n int) int { return n * n }
	for range 20 {
		i, j := next(len(ps)), next(len(ps))
		sum += pt(dist(i, pt(j)))*square(next(9)) + (dist)(pt(i), next(len(ps)))
		ckp.Checkpoint()
		if d := dist(i, j); d < pt(40) && square(d) > 9 {
			ps[i].x, seed = ps[j].y, seed+uint32(pt(d))
		}
	}
	return sum + int(seed%1000)
}

// reaching has some that are at a checkpoint themselves, several results, and variadic parameters.
func reaching(words ...string) string {
	var b strings.Builder
	count := 0
	emit := func(sep string, list ...string) (n int, err error) {
		for _, w := range list {
			count++
			ckp.Checkpoint()
			b.WriteString(pt(w) + sep)
		}
		if count > 7 {
			return count, errors.New("many")
		}
		return len(list), nil
	}
	twice := func(s string) string { return pt(s) + pt(s) }
	type shout func(string) string
	var loud shout = func(s string) string { return strings.ToUpper(twice0(s)) }
	n, err := emit(pt(", "), words...)
	m, _ := emit(";")
	k, err2 := emit(twice("."), twice("x"), pt(loud("y")), loud(twice("z")))
	return fmt.Sprint(b.String(), n, err, m, k, err2, count)
}

func twice0(s string) string { return s + pt(s) }

// inLoops defines them in loops, in statements, and in the bodies of loops over functions.
func inLoops() (list []int) {
	for i := range 3 {
		base := i * 10
		add := func(n int) int { base += n; return base }
		list = append(list, add(1), pt(add(2)), add(pt(3)))
		if mul := func(n int) int { return n * base * i }; mul(i) > 20 {
			list = append(list, mul(pt(2)))
		}
		switch f := func() int { return pt(base) % 3 }; f() {
		case 1:
			list = append(list, f())
			fallthrough
		case f() + 1:
			list = append(list, -f())
		default:
			list = append(list, 7)
		}
	}
	for x := range slices.Values([]int{4, 5, 6}) {
		half := func() int { ckp.Checkpoint(); return x / 2 }
		for y := range seq(half()) {
			sum := func(z int) int { return x + y + z }
			ckp.Checkpoint()
			list = append(list, sum(half()))
		}
	}
	k := 0
again:
	step := func() int { k += 2; return k }
	if step() < pt(7) {
		goto again
	}
	return append(list, step(), k)
}

func seq(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(pt(i)) {
				return
			}
		}
	}
}

// sorted is generic.
func sorted[T cmp.Ordered](list []T, zero T) (out []T, swaps int) {
	less := func(i, j int) bool { return list[i] < list[j] }
	swap := func(i, j int) { ckp.Checkpoint(); list[i], list[j] = list[j], list[i]; swaps++ }
	name := func() string { return fmt.Sprintf("%T", zero) }
	for i := range list {
		for j := i; j > 0 && less(j, j-1); j-- {
			swap(j, j-1)
		}
	}
	fmt.Println(name(), pt(name()))
	return list, swaps
}

// deferring defers and starts some, which are values then, and panics in others.
func deferring(n int) (text string, err error) {
	log := func(s string) { text += s + " " }
	note := func(s string) { ckp.Checkpoint(); text += pt(s) + "; " }
	fail := func(s string) int { ckp.Checkpoint(); panic(s) }
	rescue := func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("recovered %v", pt(v))
		}
	}
	defer log("end")
	defer rescue()
	defer func() { note("deferred") }()
	defer fmt.Sprint(pt(len(text)))
	note("begun")
	if n > 2 {
		n += fail(fmt.Sprint("failed ", n))
	}
	done := make(chan int)
	go func() {
		local := func(x int) int { ckp.Checkpoint(); return x * n }
		done <- local(3)
	}()
	return fmt.Sprint(text, <-done), nil
}

type shape struct{ sides []int }

// area is a method with the receiver captured, and functions that call others.
func (s *shape) area() int {
	side := func(i int) int { return s.sides[i] }
	both := func() int { return pt(side(0)) * side(1) }
	s.sides[0]++
	a := both()
	s = &shape{[]int{pt(2), 9}}
	return a + both()
}

// leaf is at no checkpoint.
func leaf(list []int) (n int) {
	odd := func(x int) bool { return x%2 != 0 }
	add := func(x int) { n += x }
	for _, x := range list {
		if odd(x) {
			add(x)
		}
	}
	return n
}

func main() {
	ps := []point{{1, 2}, {3, 5}, {8, 13}, {21, 34}}
	fmt.Println(distances(ps), ps)
	fmt.Println(reaching("a", "b", "c", "d"))
	fmt.Println(inLoops())
	fmt.Println(sorted([]string{"q", "b", "z", "a"}, ""))
	fmt.Println(sorted([]float64{2, 1, 3}, 0))
	for n := range 5 {
		fmt.Println(deferring(n))
	}
	fmt.Println((&shape{[]int{4, 5}}).area(), leaf([]int{1, 2, 3, 4, 5}))
	captured()
	recursive()
}

// Lentliterals passes function literals, in functions that can be at a checkpoint, to functions that call them and keep nothing: some of the literals come to
// checkpoints, most do not, and share variables with the functions around them in all ways.
package main

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"

	"github.com/ckpgen/ckpgen/testdata/programs/lentliterals/each"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

type item struct {
	n    int
	name string
}

func (i item) Size() int { return i.n }

type slow int

func (s slow) Size() int { return pt(int(s)) }

// One function, with literals that come to checkpoints and others.
func shared(list []int) (sum int, err error) {
	count, last := 0, -1
	each.Each(list, func(x int) { sum += x; count++ })
	fmt.Println(pt(sum), count)
	each.Each(list, func(x int) { sum += pt(x); last = x })
	each.Each(list, func(x int) { sum -= x; last += count })
	var text string
	each.Each(list, func(x int) {
		if x%2 == 0 {
			return
		}
		text += fmt.Sprint(x, ";")
		for i := range x {
			sum += i
		}
	})
	pt(0)
	if n := each.Until(list, func(x int) bool { err = errors.New(text); return x < 2 }); n > pt(1) {
		last += n
	}
	return sum + last, err
}

// The variables of loops, and those that another literal shares that lives on.
func loops(list []int) (out []string) {
	var later []func() int
	for i := 0; i < 3; i++ {
		n := i * 10
		each.Each(list, func(x int) { n += x * i })
		later = append(later, func() int { n++; return n + i })
		pt(i)
		if each.Until(list, func(x int) bool { i += x & 1; return i < 2 }) > 5 {
			break
		}
	}
	for i, f := range later {
		out = append(out, fmt.Sprint(i, pt(f()), f()))
	}
	for k := range pt(2) {
		squares := each.Map(list, func(x int) item { return item{x*x + k, strings.Repeat("x", k)} })
		pt(k)
		sort.Slice(squares, func(i, j int) bool { return squares[i].n > squares[j].n })
		out = append(out, fmt.Sprint(squares))
		for _, s := range squares {
			each.Each(list, func(x int) { s.n += x })
			out = append(out, fmt.Sprint(pt(s)))
		}
	}
	return out
}

// Operands: conditions, tags, assignments with checkpoints behind, literals inside of others.
func operands(list []int) string {
	var b strings.Builder
	n := 1
	for each.Until(list, func(x int) bool { n += x; return true }) > 0 && n < 40 {
		fmt.Fprint(&b, pt(n), " ")
	}
	switch each.Until(list, func(x int) bool { n--; return n%3 != 0 }) {
	case pt(1):
		b.WriteString("one")
	case 2:
		b.WriteString("two")
	default:
		b.WriteString("more")
	}
	all := [3]int{}
	all[each.Until(list, func(int) bool { n++; return false })] += pt(n) + each.Pair{3, 4}.Fold(func(x int) int { n *= 2; return x + n })
	nested := each.Map(list, func(x int) []int {
		return each.Map(list, func(y int) int { n++; return x*y + n })
	})
	f := func(x int) int { n += x; return n }
	sum := f(pt(2)) + each.Pair{5, 6}.Fold(func(x int) int { return f(x) })
	return fmt.Sprint(b.String(), all, nested, sum, pt(n), n)
}

// Receivers of all kinds, and results that deferred calls see.
type owner struct {
	*each.List[item]
	pair each.Pair
	big  [100]int
}

func receivers() (text string) {
	defer func() { text = fmt.Sprint(text, recover()) }()
	o := owner{List: each.Of(item{1, "a"}, item{2, "b"}), pair: each.Pair{7, 8}}
	o.Each(func(i int, x *item) { x.n += i; o.big[i] = x.n }).Each(func(i int, x *item) { x.name += fmt.Sprint(pt(i)) })
	pt(0)
	local := [...]int{1, 2, 3}
	var large [200]int
	o.List.Each(func(i int, x *item) { local[i] += x.n; large[i*10] += local[i] })
	p := &o.pair
	text = fmt.Sprint(o.items(), pt(local), p.Fold(func(x int) int { large[1] += x; return x }), large[:12], o.big[:3])
	values := each.List[int]{}
	values.Each(func(int, *int) { text += "never" })
	text += fmt.Sprint(each.Total(item{3, ""}, item{4, ""}), each.Total(slow(5), item{6, ""}))
	each.Each([]int{1, 0}, func(x int) { text += fmt.Sprint(pt(7), 6/(x-1)) })
	return "not come to"
}

func (o owner) items() (all []item) {
	o.Each(func(_ int, x *item) { all = append(all, *x) })
	return all
}

// What is kept, chosen, or passed in a slice is not lent.
func kept() (text string) {
	n := 10
	a := each.Keep(func(x int) int { n += x; return n })
	b := each.Chosen(func() int { return pt(n) }, false) + each.Chosen(func() int { return n }, true)
	each.Variadic(func(x int) { n += x }, func(x int) { n *= x + 1; pt(x) })
	pt(0)
	return fmt.Sprint(a, b, n, each.Kept(5), n)
}

// Names that generated code may have, too, and a panic that passes through.
func names(fr, env, saved int) (result1 int) {
	each := each.Of(fr, env, saved)
	loop1 := pt(1)
	each.Each(func(i int, x *int) { fr := *x + i; env += fr; result1 += env + loop1 })
	defer func() {
		if r := recover(); r != nil {
			result1 = -pt(result1)
		}
	}()
	each.Each(func(i int, x *int) {
		if result1 += i; i == pt(2) {
			panic(fmt.Sprint(i))
		}
	})
	return pt(result1)
}

// Loops over functions, and functions in goroutines.
func iterated(list []int) (sum int) {
	for i := range upTo(3) {
		each.Each(list, func(x int) { sum += x * i })
		if sum += pt(i); sum > 1000 {
			return sum
		}
	}
	done := make(chan int)
	go func() {
		n := 0
		each.Each(list, func(x int) { n += x })
		done <- pt(n)
	}()
	each.Each(list, func(x int) { sum ^= x })
	return sum + <-done
}

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(pt(i)) {
				return
			}
		}
	}
}

// In functions that can't be at a checkpoint.
func plainly(list []int) (n int) {
	each.Each(list, func(x int) { n += x })
	f := func() { each.Each(list, func(x int) { n += x }) }
	f()
	f()
	return n
}

// One of two comes to a checkpoint.
func one(n int) int {
	each.Two(func(x int) { n += x }, func(x int) { n *= pt(x) })
	each.Two(func(x int) { n -= pt(x) }, func(x int) { n += x })
	each.Two(func(x int) { n -= x }, func(x int) { n *= x })
	return n
}

func recursive(n int, f func(int)) {
	if n > 0 {
		recursive(n-1, f)
		f(n)
	}
}

func main() {
	list := []int{1, 2, 3}
	fmt.Println(shared(list))
	fmt.Println(strings.Join(loops(list), "\n"))
	fmt.Println(operands(list))
	fmt.Println(receivers())
	fmt.Println(kept())
	fmt.Println(names(1, 2, 3))
	fmt.Println(iterated(list))
	fmt.Println(plainly(list), one(3))
	total := 0
	recursive(3, func(x int) { total += x })
	recursive(2, func(x int) { total += pt(x) })
	recursive(3, func(x int) { total *= x })
	fmt.Println(pt(total))
	fmt.Println(each.Chosen(nil, true), func() (r any) {
		defer func() { r = recover() }()
		each.Each(list, nil)
		return pt(0)
	}())
}

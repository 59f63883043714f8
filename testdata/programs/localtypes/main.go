// Localtypes has types that functions declare, generic ones too, also in generic functions: they
// are moved to package level, where the type parameters of the function come before their own.
package main

import (
	"fmt"
	"io"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type number interface{ ~int | ~float64 }

func sums[A number](list ...A) string {
	type pair[B any] struct {
		first  A
		second B
	}
	type chain[B any] struct {
		pair[B]
		next *chain[B]
	}
	type named[A any] struct{ a A } // hides the function's
	label := named[string]{"label"}
	var head *chain[string]
	for i, a := range list {
		head = &chain[string]{pair[string]{a, fmt.Sprint(i)}, head}
		ckp.Checkpoint()
	}
	text := ""
	for c := head; c != nil; c = c.next {
		ckp.Checkpoint()
		text += fmt.Sprint(c.first, c.second, " ")
	}
	swap := func(p pair[A]) pair[A] {
		ckp.Checkpoint()
		return pair[A]{p.second, p.first}
	}
	s := swap(pair[A]{list[0], list[1]})
	return label.a + text + fmt.Sprint(s.first, s.second)
}

func main() {
	type box[T any, _ any] struct{ value T }
	b := box[int, string]{3}
	c := []box[string, int]{{"a"}, {"b"}}
	for i := range 3 {
		ckp.Checkpoint()
		b.value += i
		fmt.Println(b, c)
	}
	fmt.Println(sums(1, 2, 3), sums(1.5, 2.5))
	constants()
	fmt.Println(typed[int](2), typed[float64](3))
	s := s{1}
	pointers(&s, &s)
	same()
	again()
	fmt.Println(aliases(3, 4), aliases("a", "b"))
}

// aliases has aliases for what its type parameter stands for: there can't be such at package level.
func aliases[A any](a, b A) string {
	type one = A
	type several = []one
	type holder struct {
		value one
		list  several
	}
	swap := func(x, y one) (one, one) {
		ckp.Checkpoint()
		return y, x
	}
	h := holder{list: several{a, b}}
	ckp.Checkpoint()
	h.value, h.list[0] = swap(h.list[0], one(b))
	return fmt.Sprintf("%v %T", h, h.list)
}

// same and again declare types of one name, which one at package level has as well.
func same() {
	type s struct{ text string }
	list := map[s][]*s{{"a"}: {{"b"}}}
	ckp.Checkpoint()
	for k, v := range list {
		ckp.Checkpoint()
		fmt.Printf("%T %+v %T %+v\n", list, k, v, *v[0])
	}
}

func again() {
	type s struct{ all []float64 }
	type embedding struct{ s }
	e := embedding{s{[]float64{1}}}
	var any any = e.s
	for i := range 2 {
		ckp.Checkpoint()
		e.all = append(e.all, float64(i))
		_, ok := any.(s)
		fmt.Printf("%T %+v %T %v\n", e, e, any, ok)
	}
}

// typed has constants of types that it declares, which have its type parameters at package level.
func typed[A number](n int) string {
	type count int
	type word string
	const suffix, half word = "x", "y"
	const (
		two count = iota + 2
		three
	)
	type list [three]count
	var all list
	for i := range count(n) {
		ckp.Checkpoint()
		all[i] = two + i*three
	}
	return fmt.Sprintf("%v %s %T", all, suffix+half, two == three)
}

// Constants that repeat an expression in which a name changes its meaning.
func constants() {
	const x = 2
	for range 2 {
		const (
			a    = iota
			iota = iota
			b
		)
		const (
			x = x + x
			y
			z = 1.5 * x
		)
		ckp.Checkpoint()
		fmt.Println(a, iota, b, x, y, z)
	}
}

type s struct{ n int }

// A frame has the type parameters of its function; [P *s] would be the length of an array there.
func pointers[P *s](list ...P) {
	var _ io.Reader // the only use of the import
	for _, p := range list {
		ckp.Checkpoint()
		fmt.Println(*p)
	}
}

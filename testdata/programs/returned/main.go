// Returned has function literals, at a checkpoint or only alive at one, that return what they have captured to who calls them. It is kept there, and the
// stack that it would be on is written over. What they capture is of all sizes.
package main

import (
	"fmt"
	"iter"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type rec struct {
	id   int
	name string
	next *rec
}

type large struct {
	words [20]int
	first *rec
}

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

//go:noinline
func apply(f func(int) *rec, n int) *rec {
	for i := range n {
		if r := f(i); r != nil {
			return r
		}
	}
	return nil
}

//go:noinline
func of[T any](f func() T) T { return pt(f()) }

//go:noinline
func overwrite(n int) int {
	var a [64]int
	for i := range a {
		a[i] = n - i
	}
	if n > 0 {
		return overwrite(n-1) + a[n%64]
	}
	return a[0]
}

// Pointers, addresses of variables, and what holds them.

//go:noinline
func pointer(id int) *rec {
	x := &rec{id: id}
	return apply(func(i int) *rec {
		if pt(i) == 1 {
			return x
		}
		return nil
	}, 3)
}

//go:noinline
func address(id int) *rec {
	x := rec{id: id}
	return apply(func(i int) *rec {
		x.id += 10
		if pt(i) == 1 {
			return &x
		}
		return nil
	}, 3)
}

//go:noinline
func idle(id int) *rec { // the literal is at no checkpoint itself
	x := rec{id: id}
	return of(func() *rec {
		x.id++
		return &x
	})
}

//go:noinline
func named(id int) *rec {
	x, y := &rec{id: id}, &rec{id: -id}
	return apply(func(i int) (r *rec) {
		defer func() {
			if r != nil {
				r = y
			}
		}()
		if pt(i) == 1 {
			r = x
		}
		return
	}, 3)
}

//go:noinline
func boxed(id int) fmt.Stringer {
	x := &rec{id: id}
	return of(func() fmt.Stringer { return pt(x) })
}

func (r *rec) String() string { return fmt.Sprint("rec ", r.id) }

//go:noinline
func inLarge(id int) *rec {
	l := large{first: &rec{id: id}}
	return apply(func(i int) *rec {
		if pt(i) == 1 {
			return l.first
		}
		return nil
	}, 3)
}

//go:noinline
func function(id int) func() *rec {
	x := &rec{id: id}
	return of(func() func() *rec {
		y := &rec{id: pt(id) + 1, next: x}
		return func() *rec { return pt(y) }
	})
}

//go:noinline
func beside(id int) (*rec, int) { // a pointer that is returned beside a variable that is not
	count, x := 0, &rec{id: id}
	r := apply(func(i int) *rec {
		count++
		if pt(i) == 1 {
			return x
		}
		return nil
	}, 3)
	return r, count
}

// The same in type-parameterised code.

type box[T any] struct{ value *T }

func (b *box[T]) get() *T { return pt(b.value) }

type choice[T any] func(int) *T

//go:noinline
func choose[T any](f choice[T], n int) *T {
	for i := range n {
		if r := f(i); r != nil {
			return r
		}
	}
	return nil
}

//go:noinline
func generic[T any](value T) *T {
	x := &value
	return choose(func(i int) *T {
		if pt(i) == 1 {
			return x
		}
		return nil
	}, 3)
}

//go:noinline
func value[T any](value T) T {
	return of(func() T { return pt(value) })
}

//go:noinline
func methods[T any](value T) *T {
	b := &box[T]{&value}
	return of(b.get)
}

//go:noinline
func idleGeneric[T any](value T) *T {
	return of(func() *T { return &value })
}

// Loops over functions.

func numbers(n int) iter.Seq[*rec] {
	return func(yield func(*rec) bool) {
		for i := range n {
			if !yield(&rec{id: pt(i)}) {
				return
			}
		}
	}
}

func each[T any](list []T) iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for i := range list {
			x := list[i]
			if !yield(i, &x) {
				return
			}
		}
	}
}

//go:noinline
func ranged(n int) *rec {
	var last *rec
	for r := range numbers(n) {
		r.next = last
		last = r
		if r.id == n-1 {
			return r
		}
	}
	return nil
}

//go:noinline
func rangedGeneric[T any](list []T) *T {
	for i, x := range each(list) {
		if pt(i) == len(list)-1 {
			return x
		}
	}
	return nil
}

func main() {
	var all []any
	keep := func(x any) {
		all = append(all, x)
		overwrite(20)
	}
	for i := range 4 {
		keep(pointer(i))
		keep(address(i))
		keep(idle(i))
		keep(named(i))
		keep(boxed(i))
		keep(inLarge(i))
		keep(function(i)())
		r, n := beside(i)
		keep(r)
		keep(n)
		keep(generic(rec{id: i}))
		keep(generic(fmt.Sprint("generic ", i)))
		keep(value(&rec{id: i}))
		keep(value(fmt.Sprint("value ", i)))
		keep(methods(rec{id: i}))
		keep(methods(i))
		keep(idleGeneric(&rec{id: i}))
		keep(ranged(i + 1))
		keep(rangedGeneric([]string{"a", fmt.Sprint("b", i)}))
		keep(rangedGeneric([]rec{{id: i}, {id: -i}}))
		keep(sizes(i))
		keep(sizesOf(i, int8(i), "u"))
		keep(sizesOf(i, odd{a: 1, b: 2}, [2]bool{true}))
	}
	for i, x := range all {
		switch x := x.(type) {
		case *rec:
			n := 0
			for r := x; r != nil; r = r.next {
				n = n*10 + r.id
			}
			fmt.Println(i, x, n)
		case **rec:
			fmt.Println(i, *x)
		case *string:
			fmt.Println(i, *x)
		case *int:
			fmt.Println(i, *x)
		default:
			fmt.Println(i, x)
		}
	}
}

// Literals that capture variables of all sizes, which they find where the compiler looks for them.

type odd struct {
	a byte
	b int64
	c [3]byte
}

func sizes(n int) string {
	a, b, c, d := byte(n), int16(n+1), int64(n)<<40, float32(n)/2
	e, f, g, h := [3]byte{1, 2, byte(n)}, odd{byte(n), int64(n) << 33, [3]byte{3}}, struct{}{}, complex(float64(n), 1)
	i, j, k, l := fmt.Sprint("i", n), any(n), []int{n}, [17]int{n, 16: n + 1}
	m, o, p, q := [16]int64{int64(n), 15: int64(n)}, true, uint32(n), [0]int{}
	return of(func() string {
		s := pt(fmt.Sprint(o, p, a, d, b))
		s += pt(fmt.Sprint(c, e, f, g, h))
		return s + fmt.Sprint(i, j, k, l, m, q, pt(p))
	})
}

func sizesOf[T any, U comparable](n int, t T, u U) string {
	a, b, c := byte(n), int64(n)<<40, [3]byte{1, 2, byte(n)}
	d, e, f := []T{t}, map[U]T{u: t}, struct{ x, y int16 }{int16(n), 2}
	return of(func() string {
		s := pt(fmt.Sprint(f, c, a, t))
		return s + pt(fmt.Sprint(u, d, e, b))
	})
}

// Rangefunc ranges over functions with checkpoints in the iterator, in the body
// and in both, and leaves the loops in every way.
package main

import (
	"fmt"
	"iter"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			ckp.Checkpoint()
			if !yield(i) {
				fmt.Print("stopped ")
				return
			}
		}
		ckp.Checkpoint()
	}
}

func silent(n int) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for i := range n {
			if !yield(i, fmt.Sprint("s", i)) {
				return
			}
		}
	}
}

type tree[T any] struct {
	left, right *tree[T]
	value       T
}

func (t *tree[T]) all(yield func(T) bool) bool {
	return t == nil || t.left.all(yield) && yield(t.value) && t.right.all(yield)
}

func (t *tree[T]) values() iter.Seq[T] {
	return func(yield func(T) bool) { t.all(yield) }
}

func find(n, stop int) (found int, name string) {
	for i := range count(n) {
		if i == stop {
			return i, fmt.Sprint("found ", i)
		}
		found += i
	}
	return -found, "none"
}

func named(n int) (sum int, err error) {
	for i, s := range silent(n) {
		ckp.Checkpoint()
		sum += i
		if s == "s4" {
			err = fmt.Errorf("at %s", s)
			return
		}
	}
	return sum * 10, nil
}

func nested() (out []string) {
outer:
	for i := range count(5) {
		for j, s := range silent(5) {
			switch {
			case j == 1:
				continue
			case i == 1:
				ckp.Checkpoint()
				continue outer
			case j == 3:
				break
			case i == 3:
				break outer
			default:
				ckp.Checkpoint()
			}
			if j == 4 {
				break
			}
			out = append(out, fmt.Sprint(i, s))
		}
	}
	return out
}

func deepReturn() int {
	for i := range count(3) {
		for j := range count(3) {
			for k := range count(3) {
				if i+j+k == 4 {
					return i*100 + j*10 + k
				}
			}
		}
	}
	return -1
}

func closures() (s int) {
	var fs []func() int
	for i := range count(3) {
		fs = append(fs, func() int { i++; ckp.Checkpoint(); return i })
	}
	for _, f := range fs {
		s = s*10 + f() + f()
	}
	return s
}

func assigned() (k int, v string) {
	var list [4]string
	for k, list[k] = range silent(4) {
		ckp.Checkpoint()
	}
	return k, fmt.Sprint(list)
}

func jumps(n int) (s string) {
	tries := 0
again:
	tries++
	for i := range count(n) {
		if i == 2 && tries < 3 {
			s += "!"
			goto again
		}
		s += fmt.Sprint(i)
	}
	return s
}

func generic[T any](seq iter.Seq[T], limit int) (list []T) {
	for x := range seq {
		if len(list) == limit {
			break
		}
		list = append(list, x)
		ckp.Checkpoint()
	}
	return list
}

func mapped[A, B any](seq iter.Seq[A], f func(A) B) iter.Seq[B] {
	return func(yield func(B) bool) {
		for a := range seq {
			if !yield(f(a)) {
				return
			}
		}
	}
}

func main() {
	fmt.Println(find(6, 3))
	fmt.Println(find(4, 9))
	fmt.Println(named(3))
	fmt.Println(named(7))
	fmt.Println(nested())
	fmt.Println(deepReturn(), closures())
	fmt.Println(assigned())
	fmt.Println(jumps(4))
	t := &tree[string]{&tree[string]{nil, nil, "a"}, &tree[string]{&tree[string]{nil, nil, "c"}, nil, "d"}, "b"}
	fmt.Println(generic(t.values(), 3), generic(count(5), 9))
	for s := range mapped(mapped(count(3), func(i int) float64 { return float64(i) / 2 }), func(f float64) string { ckp.Checkpoint(); return fmt.Sprint("<", f, ">") }) {
		fmt.Print(s)
	}
	n := 0
	for range count(4) {
		n++
		if n == 3 {
			break
		}
	}
	fmt.Println(n)
	func() {
		defer func() { fmt.Println(recover()) }()
		for i := range func(yield func(int) bool) {
			yield(1)
			ckp.Checkpoint()
			yield(2)
		} {
			fmt.Print("once ", i, " ")
			break
		}
	}()
	methods()
}

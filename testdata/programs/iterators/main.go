// Iterators ranges over what functions have just returned, with checkpoints in iterators and bodies.
package main

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/iterators/trees"
)

func numbers() func() int {
	n := 0
	return func() int { n++; return n }
}

// recursive leaves the iterators of a tree at each of its nodes.
func recursive() {
	t := trees.Balanced(3, numbers())
	for stop := range 9 {
		sum := 0
		for x := range t.All() {
			if x == stop {
				ckp.Checkpoint()
				break
			}
			sum += x
		}
		fmt.Print(sum, " ")
	}
	fmt.Println()
}

// across ranges over functions of other packages, with type arguments that are inferred, written and not needed.
func across(w *strings.Builder) (n int, err error) {
	defer func() { n++ }()
	trees := trees.Balanced(2, func() string { return "x" }) // hides the package
	for s := range trees.All() {
		w.WriteString(s)
	}
	for n := range trees.Size() {
		fmt.Fprint(w, n)
	}
	for i, x := range slices.All(strings.Fields("a b c d")) {
		ckp.Checkpoint()
		if x == "c" {
			return i, errors.New("at " + x)
		}
	}
	return 0, nil
}

func calls(w *strings.Builder) {
outer:
	for i, s := range trees.Numbered[[]string, string, error](true, []string{"p", "q", "r", "s"}) {
		for x := range trees.Words(i, 1, "two", 3.0, nil, w == nil) {
			switch x {
			case "two":
				continue
			case nil:
				continue outer
			case false:
				ckp.Checkpoint()
				break outer
			}
			fmt.Fprint(w, s, x, " ")
		}
	}
	for x := range trees.Words(1, []any{1, 2, 3}...) {
		ckp.Checkpoint()
		fmt.Fprint(w, x, ";")
	}
	more := maps.Keys(map[string]int{"only": 1})
	for k := range more {
		ckp.Checkpoint()
		w.WriteString(k)
	}
	for k, v := range maps.All(map[string]int{"once": 2}) {
		ckp.Checkpoint()
		fmt.Fprint(w, k, v)
	}
}

// promoted ranges over methods of embedded types, whose names can't be written everywhere.
func promoted(w *strings.Builder) {
	o := trees.NewOuter(3)
	for i, item := range o.Items() {
		item.N += i
		ckp.Checkpoint()
	}
	for i, item := range trees.Hidden(4).Items() {
		item.N = i
		ckp.Checkpoint()
		fmt.Fprint(w, item.N)
	}
	for n := range o.Down() {
		o.N++ // the iterator has a copy
		ckp.Checkpoint()
		fmt.Fprint(w, n, " ")
	}
	own := struct{ trees.Inner }{trees.Inner{N: 2}}
	for n := range own.Down() {
		ckp.Checkpoint()
		fmt.Fprint(w, n, " ")
	}
}

// early checks what panics before the loop begins, and in which order.
func early(w *strings.Builder) {
	try := func(f func()) {
		defer func() { fmt.Fprintln(w, recover()) }()
		f()
	}
	log := func(i int) int { fmt.Fprint(w, "arg", i, " "); ckp.Checkpoint(); return i }
	try(func() {
		var o *trees.Outer
		for range o.Down() {
			ckp.Checkpoint()
		}
	})
	try(func() {
		h := trees.Hidden(0)
		h = nil
		for range h.Items() {
			ckp.Checkpoint()
		}
	})
	try(func() {
		for range trees.Words(log(3), log(1), log(2)) {
			ckp.Checkpoint()
		}
	})
	try(func() {
		for x := range trees.Words(log(1), log(1), log(2)) {
			ckp.Checkpoint()
			panic(x)
		}
	})
}

func deferred(w *strings.Builder) (list []int) {
	for x := range slices.Values([]int{1, 2, 3}) {
		defer func() { list = append(list, x); ckp.Checkpoint() }()
		for y := range slices.Values([]int{x, 5}) {
			ckp.Checkpoint()
			if y == 2 {
				return []int{y}
			}
			defer fmt.Fprint(w, "deferred", y, " ")
		}
	}
	return nil
}

// kept keeps the function that the body of a loop is, and calls it when it must not.
type kept struct{ yield func(int) bool }

func (k *kept) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		if k.yield != nil {
			k.yield(7)
		}
		k.yield = yield
		yield(1)
	}
}

func misuse(w *strings.Builder) {
	defer func() { fmt.Fprintln(w, recover()) }()
	k := &kept{}
	for i := range 3 {
		for x := range k.all() {
			ckp.Checkpoint()
			fmt.Fprint(w, "kept", i, x, " ")
		}
	}
}

// at once calls what a function returns where it stands.
func atOnce(w *strings.Builder) {
	next := func(x any) bool { fmt.Fprint(w, x, ","); ckp.Checkpoint(); return x != 2 }
	trees.Words(0, 1, 2, 3)(next)
	trees.Words(1, 1, 2, 3)(func(x any) bool { return !next(x) })
	go trees.Words(0)(func(any) bool { return false })
	defer trees.Words(0, "at the end")(next)
	for range 2 {
		trees.Words(len(w.String())%2, 4, 5)(next)
	}
}

// apart is not in the closure.
func apart(t *trees.Tree[int]) (sum int) {
	for i := range t.Size() {
		sum += i
	}
	t.Size()(func(i int) bool { sum += i; return true })
	return sum
}

func main() {
	recursive()
	for _, f := range []func(*strings.Builder){calls, promoted, early, misuse, atOnce} {
		var w strings.Builder
		f(&w)
		fmt.Println(w.String())
	}
	var w strings.Builder
	fmt.Println(across(&w))
	fmt.Println(deferred(&w), w.String())
	fmt.Println(apart(trees.Balanced(3, numbers())))
}

// Package trees has functions to range over, for other packages.
package trees

import (
	"iter"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A Tree is ordered by whoever builds it.
type Tree[T any] struct {
	Left, Right *Tree[T]
	Value       T
}

// Balanced has the values that make returns.
func Balanced[T any](depth int, make func() T) *Tree[T] {
	if depth == 0 {
		return nil
	}
	t := &Tree[T]{Left: Balanced(depth-1, make)}
	t.Value = make()
	t.Right = Balanced(depth-1, make)
	return t
}

// All is recursive, in both ways of calling what a function returns.
func (t *Tree[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		if t == nil {
			return
		}
		for x := range t.Left.All() {
			if !yield(x) {
				return
			}
		}
		ckp.Checkpoint()
		if !yield(t.Value) {
			return
		}
		on := true
		t.Right.All()(func(x T) bool {
			on = on && yield(x)
			return on
		})
	}
}

// Size makes no use of what it is called for.
func (t Tree[_]) Size() iter.Seq[int] {
	return func(yield func(int) bool) {
		n := 0
		for x := t; ; x = *x.Left {
			n++
			if x.Left == nil {
				break
			}
		}
		yield(n)
	}
}

// Numbered counts.
func Numbered[S ~[]E, E, _ any](_ bool, s S) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i, x := range s {
			ckp.Checkpoint()
			if !yield(i, x) {
				return
			}
		}
	}
}

// Words begins behind those that are skipped.
func Words(skip int, words ...any) iter.Seq[any] {
	words = words[skip:]
	total := len(words)
	return func(yield func(any) bool) {
		for _, w := range words {
			total--
			if !yield(w) {
				ckp.Checkpoint()
				return
			}
		}
		yield(total)
	}
}

// A hidden is a type that other packages get values of.
type hidden struct{ list []hiddenItem }

type hiddenItem struct{ N int }

// Hidden returns one.
func Hidden(n int) *hidden { return &hidden{make([]hiddenItem, n)} }

func (h *hidden) Items() iter.Seq2[int, *hiddenItem] {
	_ = h.list // all are made before the loop begins
	return func(yield func(int, *hiddenItem) bool) {
		for i := range h.list {
			if !yield(i, &h.list[i]) {
				return
			}
		}
	}
}

// An Outer promotes what it embeds.
type Outer struct {
	*hidden
	Inner
}

// An Inner counts down.
type Inner struct{ N int }

// Down returns the numbers below.
func (in Inner) Down() func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := in.N; i > 0; i-- {
			if !yield(i) {
				return
			}
		}
	}
}

// NewOuter makes one.
func NewOuter(n int) *Outer { return &Outer{Hidden(n), Inner{n}} }

//go:build go1.27

// Package lib has generic methods that other packages call.
package lib

import "iter"

// A Tree is a search tree.
type Tree[K any] struct {
	left, right *Tree[K]
	key         K
}

// With adds a key.
func (t *Tree[K]) With(key K, less func(a, b K) bool) *Tree[K] {
	switch {
	case t == nil:
		return &Tree[K]{key: key}
	case less(key, t.key):
		t.left = t.left.With(key, less)
	default:
		t.right = t.right.With(key, less)
	}
	return t
}

// Fold goes through the tree in order.
func (t *Tree[K]) Fold[A any](a A, f func(A, K) A) A {
	if t == nil {
		return a
	}
	return t.right.Fold(f(t.left.Fold(a, f), t.key), f)
}

// Turned returns a tree of the same shape.
func (t *Tree[K]) Turned[L any](f func(K) L) *Tree[L] {
	if t == nil {
		return nil
	}
	return &Tree[L]{t.left.Turned(f), t.right.Turned(f), f(t.key)}
}

// All yields what f makes of the keys.
func (t *Tree[K]) All[L any](f func(K) L) iter.Seq[L] {
	return func(yield func(L) bool) { t.push(f, yield) }
}

func (t *Tree[K]) push[L any](f func(K) L, yield func(L) bool) bool {
	return t == nil || t.left.push(f, yield) && yield(f(t.key)) && t.right.push(f, yield)
}

// Package each has small functions that call what they are handed.
package each

// Each calls f with each element.
func Each[T any](list []T, f func(T)) {
	for _, x := range list {
		f(x)
	}
}

// Map returns what f makes of the elements.
func Map[T, R any](list []T, f func(T) R) []R {
	var all []R
	for _, x := range list {
		all = append(all, f(x))
	}
	return all
}

// Until calls f with elements until it returns false, and returns how often it did.
func Until(list []int, f func(int) bool) (n int) {
	for _, x := range list {
		if n++; !f(x) {
			break
		}
	}
	return
}

// A List has methods that do so.
type List[T any] struct{ items []T }

// Of makes a list.
func Of[T any](items ...T) *List[T] { return &List[T]{items} }

// Each calls f with the index and the address of each element.
func (l *List[T]) Each(f func(int, *T)) *List[T] {
	for i := range l.items {
		f(i, &l.items[i])
	}
	return l
}

// Pair is a list of two.
type Pair [2]int

// Fold adds up what f makes of both.
func (p Pair) Fold(f func(int) int) int { return f(p[0]) + f(p[1]) }

// A Sizer has a size.
type Sizer interface{ Size() int }

// Total adds the sizes.
func Total(a, b Sizer) int { return a.Size() + b.Size() }

// Kept holds the last function that Keep was handed.
var Kept func(int) int

// Keep calls f and keeps it.
func Keep(f func(int) int) int {
	Kept = f
	return f(1)
}

// Chosen calls f, or another function.
func Chosen(f func() int, other bool) int {
	if other {
		f = func() int { return 100 }
	}
	return f()
}

// Two calls both.
func Two(f, g func(int)) {
	f(2)
	g(3)
}

// Variadic calls all functions.
func Variadic(fs ...func(int)) {
	for i, f := range fs {
		f(i)
	}
}

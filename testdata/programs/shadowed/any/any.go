// Package any has the name of a type that generated code has in frames and for func values.
package any

type Any struct{ N int }

func Compare[E ~int](a, b E) int { return int(b - a) }

func Twice[E ~int](n E) E { return 2 * n }

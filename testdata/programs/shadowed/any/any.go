// Package any has the name of a type that generated code has in frames and for func values.
package any

type Any struct{ N int }

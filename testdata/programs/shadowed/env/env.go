// Package env has a name that generated code has for the receiver of a function literal.
package env

import "github.com/ckpgen/ckpgen/runtime/ckp"

type Setting struct{ N int }

// Parse is generic, so a func value of it is one of generated code.
func Parse[T ~int](n T) Setting {
	ckp.Checkpoint()
	return Setting{int(n)}
}

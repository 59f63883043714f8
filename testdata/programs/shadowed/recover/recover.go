// Package recover has the name of a function that generated code calls where calls are deferred.
package recover

import "github.com/ckpgen/ckpgen/runtime/ckp"

func New(n int) func() int {
	return func() int {
		ckp.Checkpoint()
		return n
	}
}

// Callbacks has loops that poll in functions that the standard library calls.
package main

import "github.com/ckpgen/ckpgen/instrument/testdata/callback"

var limit = 1

func main() {
	callback.Run(func() {
		for i := 0; i < limit; i++ {
			limit = max(limit, i)
		}
	})
}

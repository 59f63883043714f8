// Package kept has variables whose types are of a package that it does not import, with the name that generated code has for the receiver of a function literal.
package kept

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/shadowed/maker"
)

func Numbers() {
	for k := range 3 {
		before := k
		keep := func(n int) int {
			sum := 0
			for i := range n + before {
				made := maker.Make(i)
				other := *made
				ckp.Checkpoint()
				sum += other.N + made.N
			}
			return sum
		}
		fmt.Println(keep(3))
	}
}

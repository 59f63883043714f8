// Hiddentypes holds values across checkpoints whose types another package of the module does not
// export, generic ones too.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/hiddentypes/other"
)

func main() {
	c := other.NewCounter()
	p := other.Pair("a", 2)
	add := func() { c.Add(p.Second) }
	for _, q := range other.Pairs() {
		ckp.Checkpoint()
		add()
		fmt.Println(c.N, p.First, q)
	}
}

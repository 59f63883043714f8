// Dead has a slice of a megabyte that is dead at its first checkpoint, and one that is
// alive at its second.
package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func noise() []byte {
	b := make([]byte, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func main() {
	dead := noise()
	n := int(dead[0]) + len(dead)
	ckp.Checkpoint()
	alive := noise()
	ckp.Checkpoint()
	fmt.Println(n, alive[n%100])
}

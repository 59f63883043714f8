// Onemachine has functions of its own for one architecture.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func same(n int) int {
	ckp.Checkpoint()
	return n
}

func main() { fmt.Println(fast(2) + same(0)) }

// Onemachine has functions of its own for one architecture.
package main

import (
	"fmt"
	"os"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func same(n int) int {
	ckp.Checkpoint()
	return n
}

func main() {
	switch os.Getenv("HOW") {
	case "closure":
		count := counter(4)
		same(0)
		fmt.Println(count())
		return
	case "literal":
		next := step()
		same(0)
		fmt.Println(next(4))
		return
	}
	fmt.Println(fast(2) + same(0))
	fmt.Println(done())
}

// Speaks prints while it is initialised, as an instrumented program might.
package main

import (
	"fmt"
	"os"

	_ "github.com/ckpgen/ckpgen/runtime/ckp/quiet"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

func init() {
	fmt.Println("out")
	println("err")
	if len(os.Args) > 1 {
		panic("as asked")
	}
}

func main() {
	shadow.Initialised()
	fmt.Println("main out")
	println("main err")
}

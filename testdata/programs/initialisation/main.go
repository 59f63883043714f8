// Initialisation prints while its packages are initialised. A process that continues a checkpoint
// initialises them again and must not print that again.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/initialisation/alpha"
	"github.com/ckpgen/ckpgen/testdata/programs/initialisation/omega"
	"github.com/ckpgen/ckpgen/testdata/programs/initialisation/registry"
	_ "github.com/ckpgen/ckpgen/testdata/programs/initialisation/speaks"
)

var table = build()

func build() []int {
	fmt.Println("building the table")
	return []int{1, 2, 3}
}

// The compiler finds the type argument only if it comes to the method before it comes to the variable, as it does here.
type inferring struct{ n int }

func (i inferring) value() (fmt.Stringer, int) { return nil, i.n }

func values[T any](list ...interface{ value() (T, int) }) (sum int) {
	for _, x := range list {
		_, n := x.value()
		sum += n
	}
	return sum
}

var inferred = values(inferring{3}, inferring{4})

func init() { fmt.Println("init") }

func main() {
	for i, v := range table {
		fmt.Println("before", i)
		ckp.Checkpoint()
		inferred += v
		fmt.Println("after", v, inferred)
	}
	fmt.Println(first, second, third, fourth, reaches("last"))
	alpha.Do(func() { omega.Do(ckp.Checkpoint) })
	fmt.Println(registry.Names, alpha.At, omega.At)
	named("main", 0)
	fmt.Println(names, started, summed, returned, starts(""), sum(), returns("")())
}

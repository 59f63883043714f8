// Ownnames declares names at package level that generated code would like to use: any, and d,
// which is the record of a deferred call elsewhere.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type any interface{ String() string }

type name string

func (n name) String() string {
	ckp.Checkpoint()
	return string(n)
}

func each[T any](list []T, f func(T)) {
	defer func() {
		ckp.Checkpoint()
		fmt.Println("done")
	}()
	for _, x := range list {
		f(x)
	}
}

func d(n name, list ...int) {
	ckp.Checkpoint()
	fmt.Println("deferred", string(n), list)
}

func defers(n int) {
	for i := range n {
		defer d("x", i, n)
		ckp.Checkpoint()
	}
}

func main() {
	defers(3)
	text := ""
	var x any = name("x")
	each([]name{"a", "b"}, func(n name) {
		ckp.Checkpoint()
		text += n.String() + x.String()
	})
	fmt.Println(text)
}

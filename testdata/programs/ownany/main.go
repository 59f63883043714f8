// Ownany declares the name any at package level, which generated code must do without.
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

func main() {
	text := ""
	var x any = name("x")
	each([]name{"a", "b"}, func(n name) {
		ckp.Checkpoint()
		text += n.String() + x.String()
	})
	fmt.Println(text)
}

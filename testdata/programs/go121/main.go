// Go121 asks for the loop variables of Go 1.21, which all iterations share.

//go:build go1.21

package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func main() {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { return i })
		ckp.Checkpoint()
	}
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { return i })
	}
	for i, v := range []int{1, 2} {
		fs = append(fs, func() int { return i*10 + v })
		ckp.Checkpoint()
	}
	for i, v := range []int{1, 2} {
		fs = append(fs, func() int { return i*10 + v })
	}
	for k, v := range map[string]int{"a": 1} {
		fs = append(fs, func() int { return v + len(k) })
		ckp.Checkpoint()
	}
	var ps []*int
	for _, v := range []int{1, 2, 3} {
		ps = append(ps, &v)
		ckp.Checkpoint()
	}
	for i, r := range "ab" {
		fs = append(fs, func() int { ckp.Checkpoint(); return i + int(r) })
		ckp.Checkpoint()
	}
	for _, f := range fs {
		fmt.Print(f(), " ")
	}
	for _, p := range ps {
		fmt.Print(*p, " ")
	}
	outer()
	aliases(3)
}

// aliases has what is no generic alias in its language.
func aliases[T any](v T) {
	type pointer = *T
	type table = map[string][]T
	type number = int
	p := pointer(&v)
	t := table{"a": {v}}
	for i := number(0); i < 2; i++ {
		ckp.Checkpoint()
		t["a"] = append(t["a"], *p)
	}
	get := func(p pointer) table {
		ckp.Checkpoint()
		return table{"b": {*p}}
	}
	fmt.Println(t, get(p))
}
func outer() []func() int {
	var fs []func() int
	for i, v := range []int{1, 2} {
		fs = append(fs, func() int { return i*10 + v })
	}
	for _, f := range fs {
		fmt.Print(f(), " ")
	}
	return fs
}

// Lengths asks for lengths of arrays, which are constants unless something is called for the array: then it is evaluated, and may fail.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type table struct{ rows *[2][3]int }

func absent() *[4]int {
	ckp.Checkpoint()
	return nil
}

func noTable() *table {
	ckp.Checkpoint()
	return nil
}

func far() int {
	ckp.Checkpoint()
	return 9
}

func main() {
	attempt := func(name string, f func() int) {
		defer func() { fmt.Println(name, recover()) }()
		fmt.Println(name, f())
	}
	var rows [2][3]int
	attempt("len of a pointer", func() int { return len(absent()) })
	attempt("len behind a pointer", func() int { return len(*absent()) })
	attempt("cap behind a pointer", func() int { return cap((*absent())) })
	attempt("len of a field", func() int { return len(noTable().rows) })
	attempt("len of an element", func() int { return len(rows[far()]) })
	attempt("sum", func() int { return far() + len(*absent()) + far() })
	attempt("range", func() (n int) {
		for range *absent() {
			n++
		}
		return n
	})
	attempt("range with index", func() (n int) {
		for i := range rows[far()] {
			n += i
		}
		return n
	})
	attempt("range with checkpoints", func() (n int) {
		for i := range *absent() {
			n += i + far()
		}
		return n
	})
	attempt("range over a pointer", func() (n int) {
		for i := range absent() {
			n += i
		}
		return n
	})
}

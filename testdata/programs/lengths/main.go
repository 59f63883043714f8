// Lengths asks for lengths of arrays, which are constants unless something is called for the array: then it is evaluated, and may fail.
// It also asks for sizes, for which nothing is evaluated.
package main

import (
	"fmt"
	"unsafe"

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

// positions ranges over an array whose type is a parameter, which is no constant.
func positions[A ~[3]int](a A) (n int) {
	for i := range a {
		a[2]++
		n += i*far() + a[i] + len(a)
	}
	return n
}

func size[T any](f func() T) int {
	return int(unsafe.Sizeof(f())) + far() + int(unsafe.Alignof(f()))
}

func never() int32 {
	ckp.Checkpoint()
	panic("evaluated")
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
	var none *table
	attempt("range without value", func() (n int) {
		var none *[2][3]int
		for i := range none[1] {
			n += i + far()
		}
		return n
	})
	attempt("range with blank", func() (n int) {
		for i, _ := range none.rows[1] {
			n += i + far()
		}
		return n
	})
	attempt("range of a pointer with blank", func() (n int) {
		var none *[2]int
		for i, _ := range none {
			n += i + far()
		}
		return n
	})
	attempt("range with blanks", func() (n int) {
		for _, _ = range rows[far()] {
			n++
		}
		return n
	})
	attempt("parameter", func() int { return positions([3]int{1, 2, 3}) })
	attempt("size", func() int {
		var bytes [unsafe.Sizeof(never())]byte
		return int(unsafe.Sizeof(never())) + far() + int(unsafe.Alignof(never())+unsafe.Offsetof(noTable().rows)) + len(bytes)
	})
	attempt("size of a parameter", func() int { return size(never) })
}

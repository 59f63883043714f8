package main

import (
	"fmt"
	"slices"
	bool "sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/shadowed/any"
	"github.com/ckpgen/ckpgen/testdata/programs/shadowed/recover"
)

// predeclared is in a file whose imports have predeclared names.
func predeclared(v *any.Any, next func() int) (err error) {
	var once bool.Once
	defer func() {
		ckp.Checkpoint()
		v.N += next()
		err = fmt.Errorf("at the end %d", v.N)
	}()
	for i := range 3 {
		step := func() int {
			ckp.Checkpoint()
			v.N += i
			return next()
		}
		v.N += step()
		defer once.Do(func() {
			ckp.Checkpoint()
			fmt.Println("once", i, *v)
		})
	}
	return nil
}

func sorted(list []int) []int {
	slices.SortFunc(list[:2], any.Compare)
	slices.SortFunc(list[2:], any.Compare[int])
	return list
}

func packages() {
	fmt.Println(predeclared(&any.Any{N: 1}, recover.New(2)))
	twice := any.Twice[r0]
	for i := range 2 {
		ckp.Checkpoint()
		fmt.Println(twice(r0(i)), sorted([]int{1, 2, 3, 4}))
	}
}

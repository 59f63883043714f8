package main

import (
	"fmt"
	"math/rand"
	"reflect"
	"testing/quick"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A span is made by a method that package testing/quick finds.
type span struct{ from, to int }

func (span) Generate(r *rand.Rand, size int) reflect.Value {
	s := span{r.Intn(size), 0}
	for range 2 {
		ckp.Checkpoint()
		s.to = s.from + r.Intn(size)
	}
	return reflect.ValueOf(s)
}

func (s span) length() int {
	ckp.Checkpoint()
	return s.to - s.from
}

// checked has properties of functions checked.
func checked() {
	calls := 0
	config := &quick.Config{MaxCount: 6, Rand: rand.New(rand.NewSource(7))}
	fmt.Println(quick.Check(func(a, b span) bool {
		calls++
		return a.length() >= 0 && b.length() < 45
	}, config), calls)
	twice := func(n int8) int {
		ckp.Checkpoint()
		return 2 * int(n)
	}
	fmt.Println(quick.CheckEqual(twice, func(n int8) int { return int(n) + twice(n)/2 }, config))
}

// Rescues defers func values that recover: what the language calls is the value, so that recover has an effect.
package main

import (
	"errors"
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type machine struct {
	level  int
	rescue func()
}

// protect is how an interpreter calls what may fail: the function that recovers is kept, and replaced by inner calls.
func (m *machine) protect(f func()) (err error) {
	level, rescue := m.level, m.rescue
	m.rescue = func() {
		if e := recover(); e != nil {
			ckp.Checkpoint()
			err = e.(error)
			m.level, m.rescue = level, rescue
			ckp.Checkpoint()
		}
	}
	defer m.rescue()
	ckp.Checkpoint()
	f()
	m.level, m.rescue = level, rescue
	return err
}

func (m *machine) nested(n int) {
	m.level++
	ckp.Checkpoint()
	if n == 0 {
		panic(fmt.Errorf("failed at level %d", m.level))
	}
	if err := m.protect(func() { m.nested(n - 1) }); err != nil {
		fmt.Println(n, m.level, err)
		if n%2 == 0 {
			panic(errors.Join(err, fmt.Errorf("passed on by %d", n)))
		}
	}
}

// quiet is not at checkpoints.
var quiet = func() { fmt.Println("quiet", recover()) }

func loud() {
	e := recover()
	ckp.Checkpoint()
	fmt.Println("loud", e)
}

// several defers one of two values, in a loop: they are called from the last to the first.
func several(n int) {
	for i := range n {
		f := quiet
		if i%2 == 0 {
			f = loud
		}
		defer f()
		defer ckp.Checkpoint()
		if i == 2 {
			panic(i)
		}
	}
}

// nothing defers a nil func value, which fails when it is called.
func nothing(really bool) {
	defer func() { fmt.Println("nothing", recover()) }()
	var f func()
	if !really {
		f = loud
	}
	defer f()
	ckp.Checkpoint()
	fmt.Println("not yet")
}

func withArguments[T any](x T, handle func(T, string)) {
	defer handle(x, "second")
	defer ckp.Checkpoint()
	panic("generic")
}

func within(list []int) {
	for i := range func(yield func(int) bool) {
		for _, n := range list {
			ckp.Checkpoint()
			if !yield(n) {
				return
			}
		}
	} {
		f := func() { fmt.Println("within", i, recover()) }
		defer f()
		ckp.Checkpoint()
	}
	panic("after the loop")
}

func main() {
	m := &machine{}
	fmt.Println(m.protect(func() { m.nested(4) }), m.level, m.rescue == nil)
	several(2)
	several(9)
	nothing(false)
	nothing(true)
	withArguments(7, func(n int, s string) {
		ckp.Checkpoint()
		fmt.Println(n, s, recover())
	})
	withArguments("x", func(t, s string) { fmt.Println(t, s, recover()) })
	within([]int{1, 2})
}

// Ownnames declares names at package level that generated code would like to use: any, new, and recover; and d,
// which is the record of a deferred call elsewhere. Local ones can have names that are none at package level: init. And
// a variable has a name as the frames of its function have.
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

// The names of tokens are often those of keywords.
const (
	start = iota
	recover
	end
)

func new(n int) *int {
	defer ckp.Checkpoint()
	return &n
}

func states() (list []string) {
	const init, done = "init", "done"
	type init2 struct{ new, recover int }
	for state := init; state != done; {
		ckp.Checkpoint()
		switch state {
		case init:
			make := new
			list = append(list, fmt.Sprint(*make(recover), *new(end), init2{new: 1, recover: recover}))
			state = done
		}
	}
	return append(list, last())
}

func last() string {
	type init struct{ text string }
	last := init{"last"}
	ckp.Checkpoint()
	return fmt.Sprintf("%+v", last)
}

type total_frame struct{ n int }

func total() int {
	total_frame := total_frame{n: 1}
	ckp.Checkpoint()
	return total_frame.n
}

func again() {
	defer func() { ckp.Checkpoint(); fmt.Println("over") }()
	Again := 0
	for i := range 3 {
		ckp.Checkpoint()
		Again += i
	}
	fmt.Println(Again)
}

func main() {
	again()
	fmt.Println(total())
	fmt.Println(states())
	defers(3)
	text := ""
	var x any = name("x")
	each([]name{"a", "b"}, func(n name) {
		ckp.Checkpoint()
		text += n.String() + x.String()
	})
	fmt.Println(text)
}

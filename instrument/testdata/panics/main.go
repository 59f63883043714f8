// Panics panics in several ways, at lines that the trace must show.
package main

import (
	"os"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type thing struct {
	next *thing
	list []int
}

func index(list []int, i int) int {
	ckp.Checkpoint()
	for j := range 3 {
		i += j
	}
	if i > 2 {
		x := list[i]
		ckp.Checkpoint()
		return x
	}
	return 0
}

func (t *thing) deref() int {
	ckp.Checkpoint()

	n := 0

	for t := t; ; t = t.next {
		n += len(t.list)
		ckp.Checkpoint()
	}
}

func closure(n int) {
	f := func(m int) int {
		ckp.Checkpoint()
		return n /
			m
	}
	for i := 2; ; i-- {
		n += f(i)
	}
}

func generic[T any](list []T, n int) T {
	ckp.Checkpoint()
	if n == 0 {
		return list[len(list)]
	}
	return generic(list,
		n-1)
}

func divide(a, b int) int {
	q := 0
	ckp.Checkpoint()
	q = a / b
	return q
}

func send(c chan<- int) {
	close(c)

	c <- len(
		os.Args)
}

func receive(c map[string]<-chan int) int {
	return 1 +
		*<-func() chan *int {
			c := make(chan *int, 1)
			c <- nil
			return c
		}()
}

func start(n int) {
	done := make(chan bool)
	go func(n int) {
		done <- n/
			(n-1) > 0
	}(n)
	<-done
}

// untouched is not rewritten, and neither is what stands below it.
func untouched(list []int) int {
	return list[3]
}

func main() {
	ckp.Checkpoint()
	switch os.Args[1] {
	case "index":
		index([]int{1, 2}, 1)
	case "nil":
		(&thing{}).deref()
	case "closure":
		closure(3)
	case "generic":
		generic([]string{"a"}, 2)
	case "divide":
		divide(1, len(os.Args)-2)
	case "send":
		send(make(chan int))
	case "receive":
		receive(nil)
	case "start":
		start(1)
	case "untouched":
		untouched(nil)
	case "method":
		var t *thing
		f := t.deref
		f()
	}
}

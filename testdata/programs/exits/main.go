// Exits ends goroutines by runtime.Goexit with deferred calls of all kinds still to be made, in
// which checkpoints are taken; at last the main one.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func say(parts ...any) {
	ckp.Checkpoint()
	fmt.Println(parts...)
	ckp.Checkpoint()
}

type stack[T any] struct{ items []T }

func (s *stack[T]) push(x T) { s.items = append(s.items, x) }

func (s stack[T]) leave(depth int, name string, more ...T) (n int) {
	defer say(name, "leaves", depth, s.items, more)
	defer func() { n = 7; say(name, "literal", depth, n) }()
	if depth > 0 {
		return s.between(depth, name, more)
	}
	defer func() {
		defer say(name, "inner")
		ckp.Checkpoint()
	}()
	runtime.Goexit()
	return 1
}

// between has no deferred calls.
func (s stack[T]) between(depth int, name string, more []T) int {
	x := depth * 10
	n := s.leave(depth-1, name, more...)
	fmt.Println("never", x)
	return n
}

func recovers(name string) {
	defer say(name, "ends")
	func() {
		defer say(name, "second")
		defer func() {
			say(name, "recovered", recover())
		}()
		defer func() {
			defer func() { say(name, "inside", recover()); panic("out of a deferred call") }()
			ckp.Checkpoint()
			panic("in a deferred call")
		}()
		runtime.Goexit()
	}()
	fmt.Println("never")
}

// returns calls Goexit in a deferred call.
func returns(name string) int {
	defer say(name, "ends")
	defer runtime.Goexit()
	ckp.Checkpoint()
	return 5
}

// panics leaves by Goexit what a panic was leaving.
func panics(name string) {
	defer say(name, "ends")
	defer func() {
		say(name, "is panicking")
		runtime.Goexit()
	}()
	panic(name)
}

var wg sync.WaitGroup

func start(f func(name string), name string) {
	wg.Go(func() { f(name) })
	wg.Wait()
	ckp.Checkpoint()
}

func main() {
	start(func(name string) {
		s := stack[string]{}
		s.push("x")
		s.leave(2, name, "y", "z")
	}, "stack")
	start(func(name string) { stack[int]{[]int{1}}.leave(0, name) }, "ints")
	start(recovers, "recovers")
	start(func(name string) { fmt.Println("never", returns(name)) }, "returns")
	start(panics, "panics")
	end := make(chan bool)
	go func() {
		<-end
		say("main has gone")
		os.Exit(0)
	}()
	defer close(end)
	defer func() {
		for i := range 3 {
			say("main", i)
		}
	}()
	for i := range 2 {
		defer func() { say("main deferred", i) }()
	}
	stack[bool]{}.leave(1, "main")
}

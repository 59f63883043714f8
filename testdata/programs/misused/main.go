// Misused has loops over functions that do not keep to the rules: they keep the body and call it
// when it may not be called, or recover its panics. The checkpoints are between the mistake and what comes of it.
package main

import (
	"fmt"
	"runtime"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// outcome runs f and tells how it ended.
func outcome(name string, f func() string) {
	defer func() {
		e := recover()
		ckp.Checkpoint()
		_, isError := e.(runtime.Error)
		fmt.Println(name, "panics:", e, isError)
	}()
	s := f()
	fmt.Println(name, "returns:", s)
}

func keptAfterEnd() string {
	var keep func(int) bool
	for i := range func(yield func(int) bool) { keep = yield; yield(1) } {
		ckp.Checkpoint()
		fmt.Println("body", i)
	}
	ckp.Checkpoint()
	return fmt.Sprint(keep(2))
}

func neverCalled() string {
	var keep func() bool
	for range func(yield func() bool) { keep = yield } {
		ckp.Checkpoint()
	}
	ckp.Checkpoint()
	return fmt.Sprint(keep())
}

func goesOn(leave int) string {
	n := 0
outer:
	for i := range 2 {
		for j := range func(yield func(int) bool) {
			for j := range 3 {
				yield(j)
				ckp.Checkpoint()
			}
		} {
			n++
			ckp.Checkpoint()
			switch {
			case j == 0:
				continue
			case leave == 0:
				break outer
			case leave == 1:
				return "left"
			case leave == 2 && i == 0:
				continue outer
			case leave == 2:
				goto out
			}
		}
	}
out:
	return fmt.Sprint(n)
}

func goesOnInDefer() string {
	for i := range func(yield func(int) bool) {
		defer func() { fmt.Println("deferred", yield(2)) }()
		yield(1)
		ckp.Checkpoint()
	} {
		ckp.Checkpoint()
		if i == 1 {
			break
		}
	}
	return "not reached"
}

func recovers() string {
	for i := range func(yield func(int) bool) {
		defer func() {
			ckp.Checkpoint()
			fmt.Println("recovered", recover())
			ckp.Checkpoint()
		}()
		yield(1)
	} {
		ckp.Checkpoint()
		if i == 1 {
			panic("body")
		}
	}
	return "not reached"
}

func recoversAndGoesOn() string {
	for i := range func(yield func(int) bool) {
		for i := range 3 {
			func() {
				defer func() { fmt.Println("recovered", recover()); ckp.Checkpoint() }()
				yield(i)
			}()
		}
	} {
		ckp.Checkpoint()
		fmt.Println("body", i)
		panic("body")
	}
	return "not reached"
}

func panicsAnew() string {
	for i := range func(yield func(int) bool) {
		defer func() { panic(fmt.Sprint("instead of ", recover())) }()
		yield(1)
	} {
		ckp.Checkpoint()
		panic(i)
	}
	return "not reached"
}

// An iterator may recover panics of its own.
func recoversItsOwn() string {
	n := 0
	for i := range func(yield func(int) bool) {
		defer func() { recover(); ckp.Checkpoint() }()
		yield(1)
		ckp.Checkpoint()
		panic("iterator")
	} {
		n += i
	}
	return fmt.Sprint(n)
}

// A body that recovers what it calls has not panicked.
func recoversInBody() string {
	n := 0
	for i := range func(yield func(int) bool) { _ = yield(1) && yield(2) } {
		func() {
			defer func() { recover() }()
			ckp.Checkpoint()
			panic(i)
		}()
		n += i
	}
	return fmt.Sprint(n)
}

func nested() string {
	for i := range func(yield func(int) bool) {
		defer func() { fmt.Println("outer recovered", recover()); ckp.Checkpoint() }()
		yield(1)
	} {
		for range func(yield func() bool) {
			defer func() { fmt.Println("inner recovered", recover()); ckp.Checkpoint() }()
			yield()
		} {
			ckp.Checkpoint()
			panic(i)
		}
	}
	return "not reached"
}

func within() string {
	n := 0
	var again func() bool
	for range func(yield func() bool) { again = yield; yield() } {
		n++
		ckp.Checkpoint()
		if n == 1 {
			again() // while it runs
		}
	}
	return "not reached"
}

func deferring() string {
	for i := range func(yield func(int) bool) {
		for i := range 3 {
			yield(i)
			ckp.Checkpoint()
		}
	} {
		defer func() { ckp.Checkpoint(); fmt.Println("deferred", i) }()
		if i == 1 {
			return "left "
		}
	}
	return "not reached"
}

// What is returned is in the results at once: an iterator may see it, and deferred calls, though the iterator panics.
func returned(panics bool) (s string, n int, err error) {
	defer func() {
		ckp.Checkpoint()
		e := recover()
		s += fmt.Sprint(" ", n, " recovered ", e)
	}()
	for i := range func(yield func(int) bool) {
		for i := range 3 {
			if !yield(i) {
				ckp.Checkpoint()
				fmt.Println("returned", s, n)
				n++
				if panics {
					panic("iterator")
				}
				return
			}
		}
	} {
		for j := range func(yield func(int) bool) { _ = yield(1) && yield(2) } {
			ckp.Checkpoint()
			if i == 1 && j == 2 {
				return fmt.Sprint("from ", i), j, fmt.Errorf("at %d", i)
			}
			n += 10
		}
	}
	return "not reached", 0, nil
}

func panicsAfterReturn() (int, string) {
	defer func() { fmt.Println("recovered", recover()); ckp.Checkpoint() }()
	for i := range func(yield func(int) bool) { yield(1); ckp.Checkpoint(); panic("iterator") } {
		for range func(yield func() bool) { yield(); ckp.Checkpoint(); panic("inner iterator") } {
			return i, "returned"
		}
	}
	return 0, "not reached"
}

func panicsAfterBlank() (_ int, s string) {
	defer func() { recover(); ckp.Checkpoint(); s += " changed" }()
	for i := range func(yield func(int) bool) { yield(1); panic("iterator") } {
		ckp.Checkpoint()
		return i, "returned"
	}
	return 0, "not reached"
}

func generic[T any](values ...T) string {
	for v := range func(yield func(T) bool) {
		defer func() { fmt.Println("recovered", recover()); ckp.Checkpoint() }()
		for _, v := range values {
			yield(v)
		}
	} {
		ckp.Checkpoint()
		panic(v)
	}
	return "not reached"
}

func main() {
	outcome("kept after the end", keptAfterEnd)
	outcome("never called", neverCalled)
	for leave := range 4 {
		outcome(fmt.Sprint("goes on ", leave), func() string { return goesOn(leave) })
	}
	outcome("goes on in defer", goesOnInDefer)
	outcome("recovers", recovers)
	outcome("recovers and goes on", recoversAndGoesOn)
	outcome("panics anew", panicsAnew)
	outcome("recovers its own", recoversItsOwn)
	outcome("recovers in body", recoversInBody)
	outcome("nested", nested)
	outcome("within", within)
	outcome("deferring", deferring)
	fmt.Println(returned(false))
	fmt.Println(returned(true))
	fmt.Println(panicsAfterReturn())
	fmt.Println(panicsAfterBlank())
	outcome("generic", func() string { return generic("a", "b") })
}

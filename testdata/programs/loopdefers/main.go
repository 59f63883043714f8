// Loopdefers defers calls in the bodies of loops over functions: they belong to the function
// around the loop, in order with its other ones, and recover what it panics with.
package main

import (
	"errors"
	"fmt"
	"iter"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			ckp.Checkpoint()
			if !yield(i) {
				return
			}
		}
	}
}

// silent calls no checkpoint function.
func silent(yield func(string) bool) {
	for _, s := range []string{"a", "b", "c"} {
		if !yield(s) {
			return
		}
	}
}

type logger struct{ lines []string }

func (l *logger) add(parts ...any) {
	ckp.Checkpoint()
	l.lines = append(l.lines, fmt.Sprint(parts...))
}

func (l logger) String() string { return fmt.Sprint(l.lines) }

func (l *logger) each(yield func(string) bool) {
	for _, s := range l.lines {
		if !yield(s) {
			return
		}
	}
}

func order(n int) (log *logger) {
	log = &logger{}
	defer log.add("first")
	for i := range count(n) {
		x := i * 10
		defer log.add("loop ", i, " ", x)
		defer func() {
			ckp.Checkpoint()
			log.add("literal ", i, " ", x)
		}()
		x++
		log.add("body ", i)
	}
	defer log.add("last")
	log.add("end")
	return log
}

func nested() (log *logger) {
	log = &logger{}
	for i := range count(2) {
		defer log.add("outer ", i)
		for s := range silent {
			defer log.add("inner ", i, s)
			ckp.Checkpoint()
			for j := range count(2) {
				if j == 1 && s == "b" {
					break
				}
				defer log.add("innermost ", i, s, j)
			}
		}
		defer log.add("outer again ", i)
	}
	return log
}

// plain has a deferred call in a loop that no checkpoint can be taken in.
func plain() (log *logger) {
	log = &logger{}
	for s := range silent {
		defer log.add("plain ", s)
	}
	ckp.Checkpoint()
	for range count(1) {
		for s := range silent {
			defer log.add("plain in another ", s)
		}
		ckp.Checkpoint()
	}
	return log
}

func recovers(n int) (result string, err error) {
	for i := range count(5) {
		defer func() {
			ckp.Checkpoint()
			if v := recover(); v != nil {
				ckp.Checkpoint()
				err = errors.Join(err, fmt.Errorf("deferred by %d: %v", i, v))
				if i == 1 {
					panic("again")
				}
			}
		}()
		if i == n {
			panic(fmt.Sprint("at ", i))
		}
		result += fmt.Sprint(i)
	}
	panic("after the loop")
}

func returns(n int) (sum int) {
	for i := range count(10) {
		defer func() { sum = sum*2 + i }()
		if i == n {
			ckp.Checkpoint()
			return 100
		}
	}
	return -1
}

func generic[T any, S ~[]T](all iter.Seq[T], use func(S)) {
	var list S
	for x := range all {
		defer func() {
			ckp.Checkpoint()
			list = append(list, x)
			use(list)
		}()
		ckp.Checkpoint()
	}
}

func methods() (text string) {
	l := &logger{lines: []string{"x", "y", "z"}}
	for s := range l.each {
		defer func(suffix string) { text += s + suffix }(fmt.Sprint(len(l.lines)))
		ckp.Checkpoint()
		l.lines = append(l.lines, s+s)
	}
	return "methods "
}

// twice runs its loop twice, and is left by an iterator that panics.
func twice() (text string) {
	defer func() { text += fmt.Sprint(" recovered ", recover()) }()
	for round := range 2 {
		for i := range count(2) {
			defer func() {
				ckp.Checkpoint()
				text += fmt.Sprint(" ", round, i)
			}()
		}
	}
	for i := range func(yield func(int) bool) {
		yield(7)
		ckp.Checkpoint()
		panic("iterator")
	} {
		defer func() { text += fmt.Sprint(" ", i) }()
	}
	return "never"
}

// useless calls recover in the body of a loop, which an iterator calls: it recovers from nothing.
func useless() (text string) {
	defer func() {
		text += fmt.Sprint(" recovered ", recover())
	}()
	defer func() {
		for i := range count(2) {
			text += fmt.Sprint(" ", i, recover())
		}
	}()
	panic("useless")
}

func main() {
	fmt.Println(useless())
	fmt.Println(order(3))
	fmt.Println(nested())
	fmt.Println(plain())
	for _, n := range []int{0, 3, 9} {
		fmt.Println(recovers(n))
	}
	fmt.Println(returns(0), returns(4), returns(99))
	generic(count(3), func(list []int) { fmt.Print(list) })
	generic(silent, func(list []string) { ckp.Checkpoint(); fmt.Println(list) })
	fmt.Println(methods())
	fmt.Println(twice())
}

package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// The functions here are long and defer calls, which what follows on a resume point makes if it leaves the function, and hands over if it comes to a loop.

type journal struct{ lines []string }

func (j *journal) note(format string, args ...any) {
	j.lines = append(j.lines, fmt.Sprintf(format, args...))
}

func (j *journal) slow(text string) {
	ckp.Checkpoint()
	j.note("slow %s", pt(text))
}

// work defers calls under conditions, one of a literal that shares variables with the function and recovers, and one in which there are checkpoints. It is left in
// loops, behind them, by panics before and in them, and from a goroutine by Goexit.
func (j *journal) work(what string, n int) (sum int, err error) {
	acc := 0
	acc += len("This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. ")
	open := []int{}
	stage := "begun"
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v at %s", v, stage)
			sum = -sum
		}
		j.note("%s: %v open, %s", what, open, stage)
	}()
	sum = pt(acc) % 13
	if n > 1 {
		defer j.slow(fmt.Sprint(what, pt(n)))
		stage = pt("deferred")
	}
	open = append(open, pt(n))
	switch what {
	case "panic":
		ckp.Checkpoint()
		panic("early")
	case "exit":
		stage = pt("exiting")
		runtime.Goexit()
	case "none":
		return pt(sum), nil
	case "loop":
		w := wide{a: n}
		defer j.note("in a clause: %d", pt(w.a))
		for i := range n {
			open = append(open, pt(i))
			w.add(i)
			if i == 4 {
				stage = "in the loop"
				panic(pt(w))
			}
		}
		sum += pt(w.a)
		stage = "behind the loop"
	}
	for i := 0; i < n; i++ {
		sum += pt(i)
		if i == 3 {
			return sum, fmt.Errorf("%s %d", pt("left at"), i)
		}
		open = open[:pt(len(open))-1]
		open = append(open, i, i)
	}
	stage = pt("end")
	return sum + pt(1), err
}

// count counts what its deferred calls have made of the results.
func count(n int, texts ...string) (made []string) {
	acc := 0
	acc += len("This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. ")
	j := &journal{}
	defer func() { made = append(pt(made), j.lines...) }()
	if pt(n) > 0 {
		defer j.slow("first")
		made = append(made, pt("more than none"))
	}
	if n > 1 {
		func() {
			defer j.slow("inner")
			ckp.Checkpoint()
		}()
		defer j.note("acc %d", acc)
	}
	made = append(made, strings.Join(texts, pt("+")))
	ckp.Checkpoint()
	return
}

func deferring() {
	j := &journal{}
	for _, what := range []string{"panic", "none", "loop", "other"} {
		for _, n := range []int{1, 6} {
			sum, err := j.work(what, n)
			fmt.Println(what, n, sum, err)
		}
	}
	done := make(chan bool)
	for n := range 3 {
		go func() {
			defer close(done)
			j.work("exit", n)
			fmt.Println("not here")
		}()
		<-done
		done = make(chan bool)
	}
	for _, line := range j.lines {
		fmt.Println(line)
	}
	fmt.Println(count(0), count(1, "a"), count(2, "a", "b"))
}

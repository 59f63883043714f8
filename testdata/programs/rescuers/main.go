// Rescuers defers functions of other packages that call recover: by name, by a value, by an interface, and with others that don't.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/testdata/programs/rescuers/guard"
)

func work(n int) int {
	ckp.Checkpoint()
	switch n % 5 {
	case 1:
		panic(fmt.Sprint("odd ", n))
	case 2:
		panic(n)
	case 3:
		panic(errors.New("three"))
	}
	ckp.Checkpoint()
	return n
}

func byName(n int) (got int, err error) {
	defer guard.Recover(&err)
	return work(n), nil
}

func slowly(n int) (got int, err error) {
	defer guard.Slowly(&err)
	defer ckp.Checkpoint()
	return work(n), nil
}

func generic(n int) (got int, err error) {
	defer guard.Into[int](&err)
	defer guard.Into[string](&err)
	return work(n), nil
}

func told(n int) (got int, err error) {
	defer guard.Tell(&err)
	got = work(n)
	return got + 1, nil
}

func byValue(n int, f func(*error)) (got int, err error) {
	defer f(&err)
	return work(n), nil
}

func byInterface(n int, h guard.Handler) (got int, err error) {
	defer h.Handle(&err)
	return work(n), nil
}

func kept(n int, k guard.Keeper) (got int, err error) {
	defer k.Keep(&err)
	return work(n), nil
}

func keptByMethod(n int, c guard.Catcher) (got int, err error) {
	f := c.Handle
	defer f(&err)
	return work(n), nil
}

func keptByExpression(n int, c guard.Catcher) (got int, err error) {
	f := guard.Handler.Handle
	defer f(c, &err)
	return work(n), nil
}

func instance(n int) (got int, err error) {
	f := guard.Into[string]
	defer f(&err)
	return work(n), nil
}

type embedding struct {
	guard.Catcher
	n int
}

func promoted(n int) (got int, err error) {
	e := embedding{guard.Catcher{Name: fmt.Sprint("embedded ", n)}, n}
	defer e.Handle(&err)
	e.Name = "changed"
	return work(e.n), nil
}

func inLoop(n int) (got int, err error) {
	for i := range n % 4 {
		defer guard.Recover(&err)
		defer guard.Slowly(&err)
		defer func() {
			if i == 2 {
				panic("from a deferred call")
			}
		}()
		got += work(i * 5)
	}
	return got + work(n), err
}

func goexit() (text string) {
	var done sync.WaitGroup
	var err error
	done.Add(1)
	go func() {
		defer done.Done()
		defer guard.Recover(&err)
		defer guard.Tell(&err)
		defer guard.Slowly(&err)
		ckp.Checkpoint()
		runtime.Goexit()
	}()
	done.Wait()
	return fmt.Sprint("exited ", err)
}

// protect returns what f panics with.
func protect(f func() (int, error)) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = fmt.Sprintf("panic %v", v)
		}
	}()
	got, err := f()
	return fmt.Sprint(got, " ", err)
}

// reported has a result, which nobody gets.
func reported(what string) any {
	v := recover()
	ckp.Checkpoint()
	if v != nil {
		fmt.Println(what, v)
	}
	return v
}

func withResult(n int) (got int, err error) {
	defer reported("first")
	defer guard.Report("second", &err)
	for i := range 2 {
		defer reported(fmt.Sprint("loop ", i))
	}
	defer func() {
		f := guard.Report
		defer f("by value", &err)
		ckp.Checkpoint()
		panic("inner")
	}()
	return work(n), nil
}

func named(n int) (got int, err error) {
	defer guard.Named(&err)
	return work(n), nil
}

// cleanups are functions of which some recover, before, after or without a checkpoint, and others don't.
func cleanups(n int, err *error) []func(string, ...int) {
	w, tally := &guard.Watcher{}, guard.NewTally(n)
	return []func(string, ...int){
		func(text string, more ...int) {
			v := recover()
			work(5)
			*err = fmt.Errorf("%s %v: %v, %v", text, more, v, recover())
		},
		func(text string, more ...int) {
			work(10)
			*err = fmt.Errorf("%s %v: %v, %v", text, more, recover(), recover())
		},
		func(text string, more ...int) {
			work(5)
			*err = errors.Join(*err, fmt.Errorf("%s %v: cleaned", text, more))
		},
		func(text string, more ...int) {
			defer func() {
				ckp.Checkpoint()
				*err = errors.Join(*err, fmt.Errorf("again: %v", recover()))
			}()
			work(len(text))
			panic("from " + text)
		},
		func(text string, more ...int) {
			w.Handle(err)
			defer ckp.Checkpoint()
			panic(fmt.Sprint("not ", text))
		},
		tally.Clean,
		tally.Recover,
		func(text string, more ...int) { *err = fmt.Errorf("%s: %v", text, recover()) },
		nil,
	}
}

func withCleanup(n, which int, err *error) (got int) {
	defer ckp.Checkpoint()
	defer cleanups(n, err)[which](fmt.Sprint("cleanup ", which), n, which)
	return work(n)
}

func withCleanups(n int, err *error) (got int) {
	for i, f := range cleanups(n, err) {
		if f != nil {
			defer f(fmt.Sprint("loop ", i), i)
		}
	}
	return work(n)
}

// exiting has a deferred function exit while it panics, after a checkpoint and before one.
func exiting(n int) (text string) {
	var done sync.WaitGroup
	done.Add(1)
	exit := func(text *string) {
		defer func() {
			ckp.Checkpoint()
			*text += fmt.Sprint(" leaving ", recover())
		}()
		work(5)
		runtime.Goexit()
	}
	if n%2 == 0 {
		exit = func(text *string) { *text += fmt.Sprint(" rescued ", recover()) }
	}
	go func() {
		defer done.Done()
		defer func() {
			ckp.Checkpoint()
			text += fmt.Sprint(" outer ", recover())
		}()
		defer exit(&text)
		work(n)
		text += " worked"
	}()
	done.Wait()
	return text
}

func main() {
	watcher, box, bin := &guard.Watcher{}, &guard.Box{}, guard.NewBin()
	handlers := []guard.Handler{guard.Catcher{Name: "first"}, watcher, &guard.Catcher{Name: "third"}}
	values := []func(*error){guard.Recover, guard.Into[error], func(err *error) { *err = errors.Join(*err, errors.New("value")) }}
	for n := range 10 {
		fmt.Println(n, protect(func() (int, error) { return byName(n) }))
		fmt.Println(n, protect(func() (int, error) { return slowly(n) }))
		fmt.Println(n, protect(func() (int, error) { return generic(n) }))
		fmt.Println(n, protect(func() (int, error) { return told(n) }))
		fmt.Println(n, protect(func() (int, error) { return byValue(n, values[n%3]) }))
		fmt.Println(n, protect(func() (int, error) { return byInterface(n, handlers[n%3]) }), watcher.Seen)
		fmt.Println(n, protect(func() (int, error) { return kept(n, []guard.Keeper{box, bin}[n%2]) }), len(box.Kept))
		fmt.Println(n, protect(func() (int, error) { return promoted(n) }))
		fmt.Println(n, protect(func() (int, error) { return keptByMethod(n, guard.Catcher{Name: "by method"}) }))
		fmt.Println(n, protect(func() (int, error) { return keptByExpression(n, guard.Catcher{Name: "by expression"}) }))
		fmt.Println(n, protect(func() (int, error) { return instance(n) }))
		fmt.Println(n, protect(func() (int, error) { return byValue(n, guard.Catcher{Name: "value"}.Handle) }))
		fmt.Println(n, protect(func() (int, error) { return inLoop(n) }))
		fmt.Println(n, protect(func() (int, error) { return withResult(n) }))
		fmt.Println(n, protect(func() (int, error) { return named(n) }))
		for which := range cleanups(0, nil) {
			fmt.Println(n, which, protect(func() (got int, err error) { got = withCleanup(n, which, &err); return }))
		}
		fmt.Println(n, protect(func() (got int, err error) { got = withCleanups(n, &err); return }))
		fmt.Println(n, exiting(n))
	}
	fmt.Println(goexit())
}

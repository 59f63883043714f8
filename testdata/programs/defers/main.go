// Defers has deferred calls of all kinds pending, running and panicking at
// checkpoints.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

var mu sync.Mutex

func locked(n int) int {
	mu.Lock()
	defer mu.Unlock()
	ckp.Checkpoint()
	return n * 2
}

func order(n int) (s string) {
	defer func() { s += "!" }()
	for i := range n {
		defer func() {
			ckp.Checkpoint()
			s += fmt.Sprint(i)
		}()
		ckp.Checkpoint()
	}
	s = "start "
	ckp.Checkpoint()
	return s
}

func arguments() (log []string) {
	x := 1
	add := func(parts ...any) { log = append(log, fmt.Sprint(parts...)) }
	defer add("x=", x)
	x = 2
	ckp.Checkpoint()
	defer func(y int, rest ...string) {
		ckp.Checkpoint()
		add("y=", y, "x=", x, rest)
	}(x, "a", "b")
	x = 3
	ckp.Checkpoint()
	return nil
}

func guarded(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			ckp.Checkpoint()
			err = fmt.Errorf("recovered: %v", v)
		}
	}()
	ckp.Checkpoint()
	f()
	ckp.Checkpoint()
	return nil
}

func rescue() {
	if v := recover(); v != nil {
		fmt.Println("rescued", v)
	}
}

func byName(n int) (r int) {
	defer rescue()
	r = 10
	ckp.Checkpoint()
	if n == 0 {
		panic("zero")
	}
	return 100 / n
}

// whilePanicking has a checkpoint in a deferred call before the panic is
// recovered further up.
func whilePanicking(list []int, i int) (v int, err error) {
	defer func() {
		ckp.Checkpoint()
		if r := recover(); r != nil {
			err = r.(error)
		}
		ckp.Checkpoint()
	}()
	defer func() {
		ckp.Checkpoint()
		v += 1000
	}()
	middle := func() int {
		defer func() {
			ckp.Checkpoint()
			v++
		}()
		ckp.Checkpoint()
		return list[i]
	}
	v = middle()
	return v, nil
}

// nested panics anew in a deferred call.
func nested() (s string) {
	defer func() { s += fmt.Sprint(" outer:", recover()); ckp.Checkpoint() }()
	defer func() {
		defer func() {
			s += fmt.Sprint("inner:", recover())
			ckp.Checkpoint()
		}()
		ckp.Checkpoint()
		panic("second")
	}()
	ckp.Checkpoint()
	panic("first")
}

// replaced lets a second panic take the place of the first.
func replaced() (s string) {
	defer func() {
		ckp.Checkpoint()
		s = fmt.Sprint(recover())
	}()
	defer func() {
		ckp.Checkpoint()
		panic("replacement")
	}()
	panic("original")
}

type resource struct {
	name   string
	closed *[]string
}

func (r *resource) Close() error {
	ckp.Checkpoint()
	*r.closed = append(*r.closed, r.name)
	return errors.New("ignored")
}

func (r resource) value() { *r.closed = append(*r.closed, "value "+r.name) }

type closer interface{ Close() error }

func resources() []string {
	closed := new([]string)
	func() {
		a := &resource{"a", closed}
		b := resource{"b", closed}
		var c closer = &resource{"c", closed}
		defer a.Close()
		defer b.Close()
		defer b.value()
		b.name = "changed"
		defer c.Close()
		c = nil
		f := a.Close
		defer f()
		ckp.Checkpoint()
		for _, n := range []string{"l1", "l2"} {
			r := resource{n, closed}
			if n != "" {
				defer r.Close()
			}
		}
	}()
	return *closed
}

func builtins() (m map[string]int, ch chan int) {
	m = map[string]int{"x": 1, "y": 2}
	ch = make(chan int, 1)
	defer delete(m, "x")
	defer close(ch)
	defer recover()
	ckp.Checkpoint()
	return m, ch
}

func generic[T any](list []T, f func(T)) (n int) {
	defer func() {
		ckp.Checkpoint()
		n *= 10
	}()
	for _, x := range list {
		defer f(x)
		ckp.Checkpoint()
		n++
	}
	return n
}

func depth(n int) (total int) {
	defer func() {
		total += n
		if n%3 == 0 {
			ckp.Checkpoint()
		}
	}()
	if n == 0 {
		return 0
	}
	return depth(n - 1)
}

func loops() (out []int) {
	for i := 0; i < 6; i++ {
		func() {
			defer func() { out = append(out, i) }()
			if i%2 == 0 {
				return
			}
			ckp.Checkpoint()
			out = append(out, 100+i)
		}()
	}
	return
}

func reraise() (s string) {
	defer func() { s = strings.ToUpper(fmt.Sprint(recover())) }()
	func() {
		defer func() {
			v := recover()
			ckp.Checkpoint()
			panic(fmt.Sprint(v, " again"))
		}()
		panic("once")
	}()
	return "not reached"
}

func pair(n int) (int, string) { ckp.Checkpoint(); return n, fmt.Sprint("pair", n) }

func quiet(n int) (int, string) { return n, fmt.Sprint("quiet", n) }

func spread() {
	d := 3
	show := func(n int, s string) { ckp.Checkpoint(); fmt.Println(n, s) }
	defer show(pair(d))
	for range 2 {
		defer show(quiet(d + 1))
		d++
	}
	ckp.Checkpoint()
}

func main() {
	spread()
	fmt.Println(locked(1), locked(2))
	fmt.Println(order(3))
	fmt.Println(arguments())
	fmt.Println(guarded(func() {}), guarded(func() { panic("plain") }), guarded(func() {
		ckp.Checkpoint()
		var m map[string]int
		m["x"] = 1
	}))
	fmt.Println(byName(5), byName(0))
	fmt.Println(whilePanicking([]int{1, 2}, 1))
	fmt.Println(whilePanicking([]int{1, 2}, 7))
	fmt.Println(nested())
	fmt.Println(replaced())
	fmt.Println(resources())
	m, ch := builtins()
	_, open := <-ch
	fmt.Println(m, open)
	var seen []string
	fmt.Println(generic([]string{"a", "b"}, func(s string) { ckp.Checkpoint(); seen = append(seen, s) }), seen)
	fmt.Println(depth(9), loops(), reraise())
	defer fmt.Println("last line")
	defer func() {
		ckp.Checkpoint()
		if len(os.Args) > 5 {
			recover()
		}
	}()
	ckp.Checkpoint()
}

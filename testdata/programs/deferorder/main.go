// Deferorder defers calls of every kind and takes checkpoints before, in and between
// them, also while panicking.
package main

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func cp(x int) int { ckp.Checkpoint(); return x }

type T struct{ n int }

func (t *T) close(x int)   { fmt.Println("close", t.n, cp(x)) }
func (t T) vclose(x int)   { fmt.Println("vclose", t.n, cp(x)) }
func (t T) plain(x ...int) { fmt.Println("plain", t.n, x) }

type I interface{ close(int) }
type E struct{ *T }

func two() (int, string)        { return cp(1), "two" }
func plain2() (int, string)     { fmt.Println("plain2"); return 2, "p2" }
func first(n int, _ string) int { return n }
func show(n int, s string)      { fmt.Println(n, s) }
func gen[V any](v V)            { fmt.Println("gen", v, cp(1)) }

func order() (r int) {
	t := &T{1}
	var i I = t
	e := E{t}
	defer t.close(cp(1))
	defer t.vclose(2)
	defer t.plain(1, 2, cp(3))
	defer i.close(3)
	defer e.close(4)
	defer e.T.plain([]int{7, 8}...)
	x := 5
	defer func(y int) { r += x + y + cp(1) }(x)
	x = 100
	defer gen("s")
	defer gen(cp(x))
	d := 3
	defer func() { d++; fmt.Println("d", d) }()
	defers := 9
	defer fmt.Println("defers", defers, d)
	defer func() func() { fmt.Println("now", cp(1)); return func() { fmt.Println("later", cp(2)) } }()()
	t.n = 2
	for i := range 3 {
		defer func() { fmt.Println("loop", i, cp(i)) }()
		cp(i)
	}
	for i := 0; i < 2; i++ {
		defer fmt.Println("three", i)
	}
	return cp(7)
}

func rec1() (err error) {
	defer func() {
		cp(1)
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered %v", r)
			cp(2)
		}
		cp(3)
	}()
	cp(4)
	panic(fmt.Sprint("boom", cp(5)))
}
func rec2() (s string) {
	defer func() { s += fmt.Sprint(recover(), cp(1)) }()
	defer func() { defer func() { s += fmt.Sprint("inner", recover(), cp(2)) }(); panic("second") }()
	panic("first")
}
func rec3() (n int, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = e.(error)
		}
	}()
	var a []int
	n = 4
	cp(1)
	return a[cp(5)], nil
}
func repanic() (s string) {
	defer func() { s = fmt.Sprint("outer ", recover()) }()
	func() {
		defer func() {
			e := recover()
			cp(1)
			panic(fmt.Sprint("re-", e))
		}()
		panic("orig")
	}()
	return "not"
}

var mu sync.Mutex

func locked(n int) int {
	mu.Lock()
	defer mu.Unlock()
	if n > 3 {
		return -1
	}
	return n * 2
}
func lockedC(n int) int {
	mu.Lock()
	defer mu.Unlock()
	if n == 0 {
		return cp(1)
	}
	return n * cp(2)
}
func nested(n int) (r int) {
	defer func() { r += n; cp(n) }()
	if n == 0 {
		return 0
	}
	return nested(n-1) * 2
}
func cond(b bool) (s string) {
	if b {
		defer func() { s += "a" }()
	}
	cp(1)
	defer func() { s += "b"; cp(1) }()
	if !b {
		return "x"
	}
	cp(1)
	s = "y"
	return
}
func spread() {
	defer show(two())
	cp(1)
	fmt.Println("spread")
	defer show(plain2())
	if cp(1) == 1 {
		defer show(plain2())
		defer E{&T{9}}.plain(first(plain2()))
	}
}
func helper() {
	if r := recover(); r != nil {
		fmt.Println("helper got", r, cp(1))
	}
}
func useHelper() {
	defer helper()
	cp(1)
	panic("for helper")
}
func goexit() {
	defer func() {
		fmt.Println("nil recover", recover() == nil)
	}()
	cp(1)
}
func nilIface() (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	var i I
	cp(1)
	defer i.close(1)
	fmt.Println("not reached")
	return
}
func nilFunc() (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	var f func(int)
	defer f(cp(1))
	fmt.Println("reached")
	return
}
func multi() (a, b int, c string) {
	defer func() { a, b = b, a; c += "!" }()
	return cp(1), cp(2), "c"
}
func unnamed() (int, error) {
	defer fmt.Println("unnamed done")
	defer cp(3)
	return cp(1), errors.New("e")
}
func inClosure() {
	f := func(x int) (r int) {
		defer func() { r *= 10; x++; fmt.Println("x", x) }()
		return cp(x)
	}
	fmt.Println(f(1), f(2))
	g := func() { defer cp(1); defer ckp.Checkpoint() }
	g()
}
func genD[K comparable](k K) (m map[K]int) {
	m = map[K]int{}
	defer func() { m[k]++; cp(1) }()
	defer delete(m, k)
	m[k] = cp(5)
	return m
}
func osclose() {
	f, err := os.CreateTemp("", "x")
	if err != nil {
		return
	}
	defer os.Remove(f.Name())
	defer f.Close()
	fmt.Println("file")
}
func loopRecover() {
	for i := range 4 {
		func() {
			defer func() {
				if e := recover(); e != nil {
					fmt.Println("loop recovered", e, cp(i))
				}
			}()
			if i%2 == 1 {
				panic(i)
			}
			cp(i)
		}()
	}
}

func main() {
	fmt.Println(order())
	fmt.Println(rec1())
	fmt.Println(rec2())
	fmt.Println(rec3())
	fmt.Println(repanic())
	fmt.Println(locked(1), locked(5), lockedC(0), lockedC(3))
	fmt.Println(nested(4))
	fmt.Println(cond(true), cond(false))
	spread()
	useHelper()
	goexit()
	fmt.Println(nilIface())
	fmt.Println(nilFunc())
	fmt.Println(multi())
	fmt.Println(unnamed())
	inClosure()
	fmt.Println(genD("k"))
	osclose()
	loopRecover()
}

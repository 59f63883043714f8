// Statements has goroutines, select and deferred calls that reach no checkpoint beside
// statements of all kinds that do.
package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func cp(x int) int { ckp.Checkpoint(); return x }

type acc struct {
	mu sync.Mutex
	n  int
}

func (a *acc) add(k int) { a.mu.Lock(); defer a.mu.Unlock(); a.n += k }

func fan(xs []int) int {
	var wg sync.WaitGroup
	var a acc
	res := make(chan int, len(xs))
	for i, x := range xs {
		wg.Add(1)
		go func(k int) {
			defer wg.Done()
			a.add(k * i)
			res <- x
		}(x)
	}
	wg.Wait()
	close(res)
	s := 0
	for r := range res {
		s += r
	}
	return s + a.n
}

func inside() int {
	var wg sync.WaitGroup
	total := 0
	var mu sync.Mutex
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			total += i
		}()
	}
	wg.Wait()
	ckp.Checkpoint()
	done := make(chan struct{})
	go close2(done)
	select {
	case <-done:
		total += 100
	case <-time.After(5 * time.Second):
		total = -1
	}
	ckp.Checkpoint()
	var once sync.Once
	once.Do(func() { total++ })
	once.Do(func() { total++ })
	ckp.Checkpoint()
	once.Do(func() { total++ })
	return total
}
func close2(c chan struct{}) { close(c) }

func unreachable(x int) int {
	if x > 0 {
		return cp(x)
	} else {
		return cp(-x)
	}
	cp(99)
	return 0
}
func loopForever(n int) (r int) {
	for {
		select {
		default:
		}
		r += cp(n)
		if r > 5 {
			return r
		}
	}
}
func panics(x int) int {
	if x == 0 {
		panic(fmt.Sprint("zero", cp(1)))
	}
	return cp(x)
}
func sw(x int) string {
	switch y := cp(x); {
	case y < 0:
		return "neg"
	case y == 0:
		return "zero"
	}
	switch x {
	}
	switch {
	default:
		cp(1)
	}
	switch cp(x) {
	}
	switch x := any(x).(type) {
	default:
		return fmt.Sprint(x, cp(1))
	}
}
func ifs(x int) int {
	if a := cp(x); a > 3 {
		return a
	} else if b := cp(a + 1); b > 3 {
		return b * 10
	} else if c := a + b; cp(c) > 3 {
		return c * 100
	} else {
		cp(1)
		return a + b + c
	}
}
func shadow1(x int) int {
	{
		x := x + cp(1)
		{
			x := x * cp(2)
			if x := x + cp(3); x > 0 {
				return x
			}
			return x
		}
	}
}
func shortc(a, b, c bool) (r string) {
	t := func(v bool, s string) bool { r += s; ckp.Checkpoint(); return v }
	q := func(v bool, s string) bool { r += s; return v }
	if t(a, "a") && (q(b, "b") || t(c, "c")) || !q(a, "A") && t(b, "B") {
		r += "!"
	}
	x := q(a, "1") || q(b, "2") && t(c, "3")
	y := (q(a, "4") || q(b, "5")) == t(c, "6")
	r += fmt.Sprint(x, y)
	for i := 0; q(i < 2, "i") && t(true, "j"); i++ {
	}
	return
}

func main() {
	fmt.Println(fan([]int{1, 2, 3}), cp(1), inside())
	fmt.Println(unreachable(1), unreachable(-2), loopForever(2), panics(3))
	for i := -1; i < 3; i++ {
		fmt.Println(sw(i), ifs(i), shadow1(i))
	}
	for i := range 8 {
		fmt.Println(shortc(i&1 > 0, i&2 > 0, i&4 > 0))
	}
	zeroed()
}

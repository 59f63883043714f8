package main

import (
	"errors"
	"fmt"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// Literals that are called where they stand are handed what they capture: variables by reference
// and copies, from the environment of another literal, in loops, with deferred calls that capture
// them, too, and with arguments of several values.

type worker interface{ work(n int) (int, error) }

type doubler struct{ by int }

func (d *doubler) work(n int) (int, error) {
	ckp.Checkpoint()
	if n > 6 {
		panic(fmt.Sprint("too much: ", n))
	}
	if n%4 == 3 {
		return n, errors.New("three")
	}
	return n * d.by, nil
}

func here() {
	list := []worker{&doubler{2}, &doubler{3}, &doubler{5}}
	fmt.Println(locked(list))
	for k := range 4 {
		fmt.Println(rescued(list, k+1))
	}
	var wide [40]int
	wide[0], wide[1] = 1, 2
	f := inLiteral(list, wide)
	fmt.Println(f(), f())
	fmt.Println(stopped(list))
	fmt.Println(kept(list))
	fmt.Println(localFunctions(3))
}

func locked(list []worker) (total int) {
	var mu sync.Mutex
	for i, w := range list {
		func() {
			mu.Lock()
			defer mu.Unlock()
			n, _ := w.work(i)
			total += n
		}()
	}
	return total
}

// rescued has one cell for n, as nobody has its address when an iteration is over.
func rescued(list []worker, k int) (total int, err error) {
	var errs []error
	for i, w := range list {
		var n int
		func(int) {
			defer func() {
				if r := recover(); r != nil {
					ckp.Checkpoint()
					errs = append(errs, fmt.Errorf("%v at %d, n %d", r, i, n))
				}
			}()
			n = 100
			n, err = w.work(i * k)
		}(3)
		ckp.Checkpoint()
		total += n
	}
	return total, errors.Join(append(errs, err)...)
}

func two() (int, string) { return 4, "x" }

func inLiteral(list []worker, wide [40]int) func() string {
	log := ""
	each := func(f func(worker) int) (t int) {
		for _, w := range list {
			t += f(w)
		}
		return t
	}
	return func() string {
		count := 0
		got := func(a, c int, rest ...worker) int {
			sum := each(func(w worker) int {
				return func() int {
					n, err := w.work(a + wide[c])
					if err != nil {
						log += err.Error()
					}
					count++
					return func(k int) int { m, _ := w.work(k % 5); return m + n }(count)
				}()
			})
			for _, w := range rest {
				func(w worker) { m, _ := w.work(2); sum += m }(w)
			}
			return sum
		}(1, count+1, list...)
		func(n int, s string) { log += fmt.Sprint(s, n); _, _ = list[0].work(n) }(two())
		return fmt.Sprint(log, got, count)
	}
}

func stopped(list []worker) (out []string) {
outer:
	for i := range 4 {
		for j := range 3 {
			stop := func() (stop bool) {
				defer func() { out = append(out, fmt.Sprint(i, j, stop)) }()
				n, err := list[j].work(i + j)
				out = append(out, fmt.Sprint(n))
				return err != nil || n > 6
			}()
			if stop {
				continue outer
			}
		}
	}
	return out
}

// kept has variables of which literals that are called later have the addresses: each iteration has
// its own.
func kept(list []worker) (sums []int) {
	var later []func() int
	for i, w := range list {
		var n, m int
		func() {
			n, _ = w.work(i)
			later = append(later, func() int { n++; return n })
		}()
		func() {
			m, _ = w.work(i + 1)
			defer func() { m++ }()
		}()
		defer func() { sums = append(sums, m) }()
		ckp.Checkpoint()
	}
	for _, f := range later {
		sums = append(sums, f()+f())
	}
	return sums
}

// localFunctions hands literals, in literals, what they call by variables.
func localFunctions(n int) (total int, err error) {
	base := n
	add := func(k int) int { base++; ckp.Checkpoint(); return k + base }
	var down func(int) int
	down = func(k int) int {
		if k == 0 {
			return base
		}
		return func() int { return down(k-1) + add(k) }()
	}
	defer func() {
		err = fmt.Errorf("done %d %d", total, base)
		func() { total += add(2) }()
	}()
	f := func() int {
		x := 1
		func() {
			x += add(3)
			func() { x += down(2) }()
		}()
		return x
	}
	for i := 0; i < 3; i++ {
		func() {
			defer func() { total += i }()
			i := i * 2
			func() { total += add(i); i++ }()
			total += i + f()
		}()
	}
	if func() bool { return add(n) > 3 }() && func() bool { total++; return add(1) > 2 }() {
		total *= 2
	}
	return total, nil
}

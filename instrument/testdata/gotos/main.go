// Gotos has no loops but by goto statements, and calls no checkpoint function.
package main

import (
	"fmt"
	"sync"
)

func collatz(n int) (steps int) {
again:
	if n == 1 {
		return steps
	}
	steps++
	if n%2 == 0 {
		n /= 2
		goto again
	}
	n = 3*n + 1
	goto again
}

func machine(text string) (words, spaces int) {
	p := -1
	pe := len(text)
blank:
	if p++; p == pe {
		goto done
	}
	switch text[p] {
	case ' ':
		spaces++
		goto blank
	}
	words++
word:
	if p++; p == pe {
		goto done
	}
	if text[p] == ' ' {
		spaces++
		goto blank
	}
	goto word
done:
	return
}

func nested(seq func(func(int) bool)) (sum int) {
	n := 0
outer:
	n++
	for x := range seq {
		sum += x
		if sum%7 == 3 && n < 20 {
			goto outer
		}
		if x > 5 {
			break
		}
	}
	if n < 9 {
		goto outer
	}
	return sum
}

// locked goes back with a lock, and around it.
func locked(n int) (got []int) {
	var mu sync.Mutex
	var done sync.WaitGroup
	for i := range 3 {
		done.Go(func() {
			k := 0
		more:
			mu.Lock()
			m := 0
		inside:
			m++
			got = append(got, 1)
			if m < 3 {
				goto inside
			}
			mu.Unlock()
			if k++; k < n+i {
				goto more
			}
		})
	}
	done.Wait()
	return got
}

// among goes back out of clauses and blocks, past variables of its own.
func among(n int) (list []string) {
	type step struct{ n int }
start:
	s := step{n}
	switch {
	case s.n > 8:
		n -= 3
		list = append(list, fmt.Sprint("three ", s))
		goto start
	case s.n%2 == 0:
		func() {
			k := 0
		inner:
			if k += 2; k < s.n {
				goto inner
			}
			list = append(list, fmt.Sprint("inner ", k))
		}()
		fallthrough
	default:
		if n--; n > 0 {
			x := n * n
			list = append(list, fmt.Sprint(x))
			goto start
		}
	}
	select {
	default:
		if len(list) < 20 {
			n = len(list)
			goto start
		}
	}
	return list
}

func main() {
	fmt.Println(len(locked(4)), among(20))
	best := 0
	i := 1
next:
	if s := collatz(i); s > best {
		best = s
		fmt.Println(i, s)
	}
	if i++; i < 12 {
		goto next
	}
	fmt.Println(machine("a word  or two"))
	fmt.Println(nested(func(yield func(int) bool) {
		for i := range 10 {
			if !yield(i) {
				return
			}
		}
	}))
	defer func() {
		k := 0
	retry:
		k++
		if k < 5 {
			goto retry
		}
		fmt.Println("deferred", k, recover())
	}()
	var p *int
	fmt.Println(*p)
}

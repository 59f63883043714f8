// Exposed has statements that stay as they are, with variables that they assign before they read them, and others that they read first, or assign
// on some ways only. What was in these at the checkpoint before is needed.
package main

import (
	"errors"
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

var numbers = []int{3, 1, 4, 1, 5, 9, 2, 6}

func find(x int) (int, error) {
	if x%2 == 0 {
		return 0, errors.New("even")
	}
	return x * 10, nil
}

// conditions assigns in what stands before conditions, and on one way, on both, or on none.
func conditions(x int) string {
	a, b, c, d, e, kept := 1, 2, 3, 4, 5, 6
	var err error
	ckp.Checkpoint()
	if a, err = find(x); err != nil {
		kept++
	}
	ckp.Checkpoint()
	if x > 2 {
		b = x
	}
	ckp.Checkpoint()
	if x > 3 {
		c = 30
	} else if x > 1 {
		c = 31
	} else {
		c = 32
	}
	ckp.Checkpoint()
	if x > 3 {
		d = 40
	} else if x > 1 {
		d = 41
	}
	ckp.Checkpoint()
	if e > 4 && x > 0 {
		e = 50
	}
	ckp.Checkpoint()
	return fmt.Sprint(a, b, c, d, e, kept, err)
}

// iterations assigns in loops that may have no iteration, and that are left and gone on with in the midst.
func iterations(n int) string {
	a, b, c, d, e, f, g := 1, 2, 3, 4, 5, 6, 7
	ckp.Checkpoint()
	for i := 0; i < n; i++ {
		a = i
	}
	ckp.Checkpoint()
	for _, x := range numbers[:n] {
		if x > 4 {
			b = x
			break
		}
		if x == 1 {
			continue
		}
		c = x
	}
	ckp.Checkpoint()
	for {
		if n > 3 {
			break
		}
		d = 40 + n
		break
	}
	ckp.Checkpoint()
	for i := 0; i < n; e = f + i {
		i += 3
		if i < 4 {
			continue
		}
		f = i
	}
	ckp.Checkpoint()
	for g = range numbers[:n] {
	}
	ckp.Checkpoint()
	var i int
	for i = 0; i < n && numbers[i] != 5; i++ {
	}
	ckp.Checkpoint()
	return fmt.Sprint(a, b, c, d, e, g, i)
}

// labels leaves several statements at once.
func labels(n int) string {
	a, b, c, d := 1, 2, 3, 4
	ckp.Checkpoint()
outer:
	for i := 0; i < n; i++ {
		for j := 0; ; j++ {
			if j > 2 {
				a = j
				continue outer
			}
			if numbers[(i+j)%8] == 9 {
				break outer
			}
			b = i*j + b
		}
	}
	ckp.Checkpoint()
clauses:
	switch {
	default:
		if n%2 == 0 {
			break clauses
		}
		c = n
	}
	ckp.Checkpoint()
	for i := 0; i < 3; i++ {
		if n > 4 {
			if i == 1 {
				break
			}
			d = 40
		} else {
			d = 50
		}
		ckp.Checkpoint()
		if i == 2 {
			if n > 2 {
				break
			}
			d = 60
		}
		ckp.Checkpoint()
	}
	last := 7
	for i := range 4 {
		ckp.Checkpoint()
		{
			if i == 1 && n > 2 {
				break
			}
			last = i + 8
		}
		ckp.Checkpoint()
	}
	return fmt.Sprint(a, b, c, d, last)
}

// jumps goes back and forth by labels inside of statements.
func jumps(n int) string {
	a, b, c := 1, 2, 3
	ckp.Checkpoint()
	if n > 1 {
	again:
		if n > 4 {
			b = a
		}
		if n < 7 {
			n += 3
			a = n
			goto again
		}
		a = 10
	}
	ckp.Checkpoint()
	if n > 1 {
		if n > 7 {
			goto skip
		}
		c = 10
	skip:
		b += c
	}
	ckp.Checkpoint()
	return fmt.Sprint(a, b, n)
}

// choices assigns in clauses, some of which fall through.
func choices(n int) string {
	a, b, c, d, e, f := 1, 2, 3, 4, 5, 6
	ckp.Checkpoint()
	switch {
	case n > 4:
		f = 60
	case n > 2:
		f = 61
	}
	ckp.Checkpoint()
	switch n {
	case 1:
		a = 10
		fallthrough
	case 2:
		b = a
	case 3:
		a, b = 30, 31
	default:
		a, b = 40, 41
	}
	ckp.Checkpoint()
	switch {
	case n > c:
		c = 10
	case n > 1:
		c = 20
	}
	ckp.Checkpoint()
	switch x := any(n).(type) {
	case string:
		d = len(x)
	case int:
		if x > 3 {
			break
		}
		d = x
	default:
		d = 0
	}
	ckp.Checkpoint()
	ch := make(chan int, 1)
	if n > 2 {
		ch <- n
	}
	ckp.Checkpoint()
	select {
	case e = <-ch:
	default:
	}
	ckp.Checkpoint()
	return fmt.Sprint(a, b, c, d, e, f)
}

// parts assigns to parts of variables, and reads the rest.
func parts(n int) string {
	type pair struct{ x, y int }
	p, list, sum := pair{1, 2}, [3]int{1, 2, 3}, 1
	ckp.Checkpoint()
	if n > 0 {
		p.x = n
	}
	ckp.Checkpoint()
	{
		p.y = n
	}
	ckp.Checkpoint()
	for i := range list {
		if i < n {
			list[i] = 7
		}
	}
	ckp.Checkpoint()
	for i := 0; i < n; i++ {
		sum += i
	}
	first, second := &pair{1, 2}, &pair{3, 4}
	both := []*pair{first, second}
	ckp.Checkpoint()
	{
		first.x = n
		first = second
	}
	ckp.Checkpoint()
	return fmt.Sprint(p, list, sum, *both[0], *both[1], *first)
}

// results returns what was assigned before, in a bare return statement, or when it has recovered.
func results(n int) (a, b int) {
	a, b = 1, 2
	defer func() { recover() }()
	ckp.Checkpoint()
	if n > 2 {
		a = numbers[n*100] // fails
	} else {
		a = n
	}
	ckp.Checkpoint()
	if n == 1 {
		return
	}
	{
		b = numbers[n*50]
	}
	return a, b
}

func bare(n int) (a, b int) {
	a, b = 1, 2
	ckp.Checkpoint()
	if n > 2 {
		return
	} else {
		a = n
	}
	ckp.Checkpoint()
	if n > 0 {
		b = 3
		return
	}
	return
}

// captured assigns to what a function literal reads.
func captured(n int) string {
	a, b := 1, 2
	get := func() int { return a }
	p := &b
	ckp.Checkpoint()
	if n > 2 {
		n = get() + *p
		a, b = 10, 20
	} else {
		a, b = get(), *p
	}
	ckp.Checkpoint()
	return fmt.Sprint(a, b, n, get(), *p)
}

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

// operands takes its checkpoints in conditions, tags and operands.
func operands(n int) string {
	a, b, c, d, e, f := 1, 2, 3, 4, 5, 6
	if pt(n) > 2 {
		a = 10
	} else if n == 1 {
		b = a
	}
	if n = pt(n); n > 3 {
		b, c = c, b
	}
	switch x := pt(n); x {
	case 1:
		c = x
	case d - 2:
		d = 40
	}
	switch x := any(pt(n)).(type) {
	case string:
		e = len(x)
	case int:
		if x > 4 {
			e = 50
			break
		}
		f = e
	}
	for _, x := range pt(numbers)[:n] {
		if x > a {
			continue
		}
		a += x
		f = x
	}
	if x, err := find(pt(n)); err != nil {
		d = x
	} else if pt(x) > 20 {
		e = d
	}
	return fmt.Sprint(a, b, c, d, e, f)
}

func main() {
	for n := range 7 {
		fmt.Println(conditions(n), "/", iterations(n), "/", labels(n), "/", jumps(n), "/", choices(n), "/", parts(n), "/", operands(n))
		fmt.Println(results(n))
		fmt.Println(bare(n))
		fmt.Println(captured(n))
	}
}

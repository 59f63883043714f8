// Nests has loops within loops that can be left and gone on with at any depth: by labels, by
// gotos, with variables of each iteration, over everything that can be ranged over.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func at(i int) int { ckp.Checkpoint(); return i }

// entered goes into the middle of an inner loop, where it defers a call, and never comes back there.
func entered(n int) (s string) {
	x := 0
	defer func() { s += fmt.Sprint(" first", at(x)) }()
	for i := 0; i < n; i++ {
		goto middle
	top:
		s += fmt.Sprint(" top", at(x))
		x++
		if x < 5 {
			goto top
		}
		break
	middle:
		s += fmt.Sprint(" middle", at(i))
		if i < 1 {
			continue
		}
		defer func() { s += fmt.Sprint(" in", at(i)) }()
		goto top
	}
	return s
}

// deep leaves three loops in all ways.
func deep(n int) (trail []int) {
outer:
	for i := 0; i < n; i++ {
		for j := i; ; j++ {
			if j == n {
				continue outer
			}
			for k := range n {
				if k > j {
					break
				}
				if (i+j+k)%5 == 4 {
					ckp.Checkpoint()
					continue
				}
				if i*j*k == 4 {
					trail = append(trail, -i, -j, -k)
					break outer
				}
				trail = append(trail, i*100+j*10+k)
			}
		}
	}
	return trail
}

// tied is made of gotos only. Its last jump back is under a condition, and the code after
// it is reached by falling through.
func tied(n int) (count int) {
	i := 0
again:
	j := 0
inner:
	count++
	if count%4 == 0 {
		ckp.Checkpoint()
	}
	j++
	if j < 3 {
		goto inner
	}
	i++
	if i < n {
		goto again
	}
	count += 1000 * i
	ckp.Checkpoint()
	return count
}

// crossed has two loops made of gotos, none of which contains the other.
func crossed(n int) (s string) {
	i := 0
first:
	s += "a"
	i++
	if i%3 == 0 {
		ckp.Checkpoint()
	}
second:
	s += "b"
	if i < n && i%2 == 1 {
		goto first
	}
	i++
	if i%4 == 1 {
		ckp.Checkpoint()
	}
	if i < 2*n {
		goto second
	}
	return s
}

// falling ends in a jump back, in a function without results.
func falling(list *[]int, n int) {
	i := 0
again:
	*list = append(*list, i)
	i++
	if i == 2 {
		ckp.Checkpoint()
	}
	if i < n {
		goto again
	}
}

// iterations captures the variables of each iteration of both loops, and changes them.
func iterations() (sum int) {
	var all []func() int
	for i := 0; i < 3; i++ {
		for j := i; j < 3; j++ {
			all = append(all, func() int { j += 10; i++; return i*j + j })
			if (i+j)%2 == 1 {
				ckp.Checkpoint()
			}
		}
		ckp.Checkpoint()
	}
	for _, f := range all {
		sum = sum*3 + f() - f()
		ckp.Checkpoint()
	}
	return sum
}

// names hides one variable behind another of its name at each depth.
func names(n int) (out []int) {
	for n := range n {
		n := n + 1
		for n, m := n, 0; m < 2; n, m = n*2, m+1 {
			out = append(out, n)
			{
				n := n % 3
				for n := n; n > 0; n-- {
					out = append(out, -n)
				}
				if n == 1 {
					ckp.Checkpoint()
				}
				out = append(out, n)
			}
		}
		out = append(out, n)
	}
	return out
}

// conditions has loops whose conditions and posts can be left.
func conditions(n int) (total int) {
	next := func(i int) int {
		if i%2 == 0 {
			ckp.Checkpoint()
		}
		return i + 1
	}
	for i := 0; next(i) < n; i = next(i) {
		for j := next(i); j < next(n-i); j++ {
			total += i*j + 1
		}
	}
	return total
}

// everything ranges over all there is, with a loop inside each.
func everything() (s string) {
	inner := func(n int) (sum int) {
		for i := range n {
			for j := 0; j < i; j++ {
				sum += j
			}
		}
		return sum
	}
	for i, x := range [3]int{4, 5, 6} {
		for k := 0; k < 2; k++ {
			s += fmt.Sprint(i, x, k, inner(x), " ")
		}
	}
	for i, b := range []byte("xy") {
		for c := range "ab" {
			s += string(rune(b)) + fmt.Sprint(i, c)
			ckp.Checkpoint()
		}
	}
	for i, r := range "aß€" {
		for range 2 {
			s += fmt.Sprint(i, string(r))
		}
	}
	array := [2][2]int{{1, 2}, {3, 4}}
	for i := range &array {
		for _, x := range array[i] {
			array[1][1] += x
			s += fmt.Sprint(array[i], " ")
			ckp.Checkpoint()
		}
	}
	product := 1
	for key, value := range map[int]int{2: 3, 5: 7, 11: 13} {
		for range value % 4 {
			product *= key
		}
		ckp.Checkpoint()
	}
	s += fmt.Sprint(product)
	ch := make(chan int, 3)
	ch <- 1
	ch <- 2
	ch <- 3
	close(ch)
	for x := range ch {
		for y := range x {
			s += fmt.Sprint(" ", x, y)
		}
		ckp.Checkpoint()
	}
	for x := range func(yield func(int) bool) {
		for i := range 3 {
			for j := range i {
				if !yield(i*10 + j) {
					return
				}
			}
		}
	} {
		for y := range 2 {
			if x == 20 && y == 1 {
				ckp.Checkpoint()
				break
			}
			s += fmt.Sprint(" ", x+y)
		}
	}
	return s
}

// labels has, inside of a loop that is gone on with, loops that are not, with labels of
// their own.
func labels(rows [][]int) (found []int) {
	for i := 0; i < len(rows); i++ {
	search:
		for _, x := range rows[i] {
		divisors:
			for _, d := range rows[0] {
				switch {
				case d == 0:
					break search
				case x%d == 0:
					continue search
				case x < d:
					break divisors
				}
			}
			found = append(found, x)
		}
		if i%2 == 1 {
			ckp.Checkpoint()
		}
	}
	return found
}

// choices switches and selects between two loops, and leaves both.
func choices(n int) (s string) {
	ch := make(chan int, 1)
loop:
	for i := 0; ; i++ {
		for j := range n {
			switch x := any(i * j).(type) {
			case int:
				switch {
				case x > 6:
					s += "!"
					break loop
				case x%2 == 1:
					ckp.Checkpoint()
					fallthrough
				case x == 4:
					s += fmt.Sprint(x)
				default:
					s += "."
					continue
				}
			}
			select {
			case ch <- i:
				ckp.Checkpoint()
			case y := <-ch:
				s += fmt.Sprint("<", y)
				if y > 2 {
					break loop
				}
			}
		}
	}
	return s
}

// put records a defer in each iteration.
func put(list *[]string) {
	for i := range 2 {
		for j := range 2 {
			defer func() {
				*list = append(*list, fmt.Sprint("deferred ", i, j))
				if i == j {
					ckp.Checkpoint()
				}
			}()
			ckp.Checkpoint()
		}
	}
}

// sums counts in types of all sizes, down and up, to the ends of their ranges.
func sums() (total int64) {
	for i := uint8(250); i >= 250; i++ {
		for j := int8(126); j > 0; j++ {
			total += int64(i) * int64(j)
		}
	}
	for i := int64(3); i >= -3; i-- {
		for j := i; j <= 0; j++ {
			total = total*3 + j
		}
		ckp.Checkpoint()
	}
	return total
}

// matrix is generic.
func matrix[T int | float64](n int) (sum T) {
	rows := make([][]T, n)
	for i := range rows {
		rows[i] = make([]T, n)
		for j := range rows[i] {
			rows[i][j] = T(i*3 + j)
		}
	}
	for i := range rows {
		for k, x := range rows[i] {
			for j, y := range rows[k] {
				sum += x * y * T(j)
			}
		}
		ckp.Checkpoint()
	}
	return sum
}

func main() {
	fmt.Println(entered(3))
	fmt.Println(deep(3))
	fmt.Println(tied(3), crossed(3))
	var list []int
	falling(&list, 4)
	fmt.Println(list)
	fmt.Println(iterations())
	fmt.Println(names(3))
	fmt.Println(conditions(4))
	fmt.Println(everything())
	fmt.Println(labels([][]int{{2, 3, 5}, {7, 8, 9, 1}, {11, 25, 0}, {13, 4}}))
	fmt.Println(choices(4))
	var deferred []string
	put(&deferred)
	fmt.Println(deferred)
	fmt.Println(sums())
	fmt.Println(matrix[int](3), matrix[float64](3))
}

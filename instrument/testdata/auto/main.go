// Auto calls no checkpoint function. Built with polls it can be saved in its loops
// and in its recursion.
package main

import (
	"fmt"
	"sort"
	"strings"
)

type point struct{ x, y int }

func sieve(n int) (primes []int) {
	composite := make([]bool, n+1)
	for i := 2; i <= n; i++ {
		if composite[i] {
			continue
		}
		primes = append(primes, i)
		for j := i * i; j <= n; j += i {
			composite[j] = true
		}
	}
	return primes
}

func collatz(limit int) (best, length int) {
	for n := 1; n < limit; n++ {
		steps := 0
		for m := n; m != 1; steps++ {
			if m%2 == 0 {
				m /= 2
			} else {
				m = 3*m + 1
			}
		}
		if steps > length {
			best, length = n, steps
		}
	}
	return
}

func hanoi(n int, from, to, via string, move func(string, string)) {
	if n == 0 {
		return
	}
	hanoi(n-1, from, via, to, move)
	move(from, to)
	hanoi(n-1, via, to, from, move)
}

func flood(grid []string, at point, seen map[point]bool) int {
	if at.x < 0 || at.y < 0 || at.y >= len(grid) || at.x >= len(grid[at.y]) || grid[at.y][at.x] == '#' || seen[at] {
		return 0
	}
	seen[at] = true
	area := 1
	for _, d := range []point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		area += flood(grid, point{at.x + d.x, at.y + d.y}, seen)
	}
	return area
}

func product(n int) (trace int) {
	a := make([][]int, n)
	for i := range a {
		a[i] = make([]int, n)
		for j := range n {
			a[i][j] = (i*7+j*3)%11 - 5
		}
	}
	for i := 0; i < n; i++ {
		for j := n - 1; j >= 0; j-- {
			sum := 0
			for k := range n {
				sum += a[i][k] * a[k][j]
			}
			if i == j {
				trace += sum
			}
		}
	}
	return trace
}

func words(text string) []string {
	count := map[string]int{}
	for _, w := range strings.Fields(text) {
		count[strings.ToLower(w)]++
	}
	var list []string
	for w, n := range count {
		list = append(list, fmt.Sprint(w, "=", n))
	}
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	return list
}

// constants has counting loops whose bounds are constants below zero.
func constants(n int) int {
	for i := range -1 {
		n += i
	}
	for i := -5; i < -1; i++ {
		n += i
	}
	for i := n; i > -3; i-- {
		n += i
	}
	for i := 7; i < -1; i++ {
		n += i
	}
	return n
}

func main() {
	fmt.Println(constants(40))
	p := sieve(200)
	fmt.Println(len(p), p[len(p)-1])
	fmt.Println(collatz(60))
	moves := 0
	var last string
	hanoi(5, "a", "c", "b", func(from, to string) { moves++; last = from + to })
	fmt.Println(moves, last)
	fmt.Println(flood([]string{"..#.", ".##.", "...."}, point{}, map[point]bool{}))
	fmt.Println(product(7), words("the cat and The dog and the bird"))
	m := execute()
	fmt.Println(m.pc, m.a, m.b)
}

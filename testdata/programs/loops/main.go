// Loops nests loops of all kinds with labels, goto, break and continue.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func primes(limit int) (list []int) {
candidates:
	for n := 2; ; n++ {
		for _, p := range list {
			if n%p == 0 {
				continue candidates
			}
			if p*p > n {
				break
			}
			if n%13 == 0 {
				ckp.Checkpoint()
			}
		}
		if n > limit {
			break candidates
		}
		list = append(list, n)
	}
	return list
}

func collatz(n int) (steps int) {
again:
	if n == 1 {
		return steps
	}
	steps++
	if steps%10 == 0 {
		ckp.Checkpoint()
	}
	if n%2 == 0 {
		n /= 2
		goto again
	}
	n = 3*n + 1
	goto again
}

func spiral(w, h int) string {
	grid := make([][]byte, h)
	for y := range grid {
		grid[y] = make([]byte, w)
		for x := range grid[y] {
			grid[y][x] = '.'
		}
	}
	x, y, dx, dy := 0, 0, 1, 0
	for i := range w * h {
		grid[y][x] = 'a' + byte(i%26)
		nx, ny := x+dx, y+dy
		if nx < 0 || nx >= w || ny < 0 || ny >= h || grid[ny][nx] != '.' {
			dx, dy = -dy, dx
			ckp.Checkpoint()
		}
		x, y = x+dx, y+dy
	}
	s := ""
	for _, row := range grid {
		s += string(row) + "|"
	}
	return s
}

func runes(s string) (n int, out []rune) {
	for i, r := range s {
		n += i
		ckp.Checkpoint()
		out = append(out, r)
	}
	return
}

func arrays() int {
	a := [4]int{1, 2, 3, 4}
	sum := 0
	for i, v := range a {
		a[3] = 100
		ckp.Checkpoint()
		sum += i * v
	}
	for i := range a {
		ckp.Checkpoint()
		sum += i
	}
	p := &a
	for i, v := range p {
		p[3] = 7
		ckp.Checkpoint()
		sum += i * v
	}
	for range p {
		ckp.Checkpoint()
		sum++
	}
	var i, v int
	for i, v = range a[1:] {
		ckp.Checkpoint()
	}
	return sum*100 + i*10 + v
}

func channel() (s string) {
	ch := make(chan string, 5)
	for _, w := range []string{"x", "y", "z"} {
		ch <- w
	}
	close(ch)
	for w := range ch {
		ckp.Checkpoint()
		s += w
	}
	return
}

func labels() (out []int) {
outer:
	for i := range 5 {
		switch {
		case i == 1:
			continue
		case i == 3:
			ckp.Checkpoint()
			continue outer
		}
		for j := 0; ; j++ {
			switch j {
			case 0:
				continue
			case 2:
				if i == 4 {
					break outer
				}
				ckp.Checkpoint()
				fallthrough
			case 3:
				out = append(out, i*10+j)
			case 5:
				continue outer
			}
		}
	}
	return out
}

func closuresInLoops() (s int) {
	var fs []func() int
	for i := 0; i < 5; i++ {
		fs = append(fs, func() int { i += 10; return i })
		if i == 2 {
			i++
		}
		ckp.Checkpoint()
	}
	for _, f := range fs {
		s = s*3 + f() + f()
	}
	return
}

func next(p *int) bool {
	ckp.Checkpoint()
	*p++
	return *p < 5
}

func conditions() (n int) {
	for i := 0; next(&i); n += i {
	}
	x := 0
	for next(&x) && next(&x) || x < 3 {
		n += 100
	}
	if y := x; next(&y) {
		n += 1000
	} else if next(&x) || y > 0 {
		n += 2000 + y
	} else {
		n += 5000
	}
	return
}

func main() {
	fmt.Println(primes(60))
	fmt.Println(collatz(27), collatz(97))
	fmt.Println(spiral(5, 4))
	fmt.Println(runes("aé世\xff𝄞z"))
	fmt.Println(arrays(), channel(), labels(), closuresInLoops(), conditions())
	total := 0
	for i := range 3 {
		for j := range int8(4) {
			for k := uint(0); k < 2; k++ {
				total += i*100 + int(j)*10 + int(k)
				if total%7 == 0 {
					ckp.Checkpoint()
				}
			}
		}
	}
	fmt.Println(total)
}

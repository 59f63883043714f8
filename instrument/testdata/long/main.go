// Long has counting loops that are too long to run without polls.
package main

import "fmt"

func up(n int) (x uint32) {
	x = 1
	for i := 0; i < n; i++ {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
	}
	return x
}

func down(n uint) (x uint32) {
	x = 7
	for i := n; i > 3; i-- {
		x = x*1664525 + uint32(i)
		if x == 0 {
			break
		}
	}
	return x
}

func main() {
	last := 0
	for i := range 1<<20 + 3 {
		last ^= i
	}
	fmt.Println(up(1<<20+5), down(1<<21), last, up(3), down(2))
}

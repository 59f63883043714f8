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

// last leaves a loop in the middle of a strip, and before it goes on to the next iteration.
func last(n int64) (at, odd int64) {
	for i := int64(-5); i <= n; i++ {
		if i%2 == 0 {
			continue
		}
		odd++
		switch {
		case i == 2500001:
			at = i
		case i > 2500001:
			break
		}
		if i == 2500003 {
			break
		}
	}
	return at, odd
}

// back counts to the limit itself, in an outer loop.
func back(from int32) (x int32) {
	low := -from / 2
	for k := int32(1); k < 3; k++ {
		for i := from; i >= low; i-- {
			x = x*31 + i*k
		}
	}
	return x
}

// changed changes the variable of a range clause, which counts on all the same.
func changed(n int) (sum uint) {
	for i := range n {
		if i%3 == 0 {
			i = -i
			continue
		}
		i += 2
		sum = sum*3 + uint(i)
	}
	for range n {
		sum += sum>>3 + 1
	}
	return sum
}

// returned returns from within.
func returned(list []byte, n int) int {
	for i := 0; i < n; i++ {
		if list[i] == 'x' {
			return i
		}
	}
	return -1
}

func main() {
	last1 := 0
	for i := range 1<<20 + 3 {
		last1 ^= i
	}
	fmt.Println(up(1<<20+5), down(1<<21), last1, up(3), down(2))
	fmt.Println(last(3 << 20))
	fmt.Println(last(1 << 22))
	fmt.Println(back(1 << 20))
	fmt.Println(changed(1<<21+1), changed(5))
	list := make([]byte, 3<<20)
	list[2<<20+7] = 'x'
	fmt.Println(returned(list, len(list)), returned(list, 1<<20+1))
}

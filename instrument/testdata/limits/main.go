// Limits has long counting loops whose limits change meanwhile, but not by assignments.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/instrument/testdata/limits/limit"
)

func moving(n int) (count int) {
	for i := 0; i < limit.N; i++ {
		limit.Lower()
		count++
	}
	m := make(map[int]int)
	for i := range 1000 {
		m[i] = i
	}
	for i := 0; i < n+len(m); i++ {
		delete(m, i)
		count++
	}
	ch := make(chan int, 100)
	for i := 0; i < n-len(ch); i++ {
		if i < cap(ch) {
			ch <- i
		}
		count++
	}
	return count
}

func main() {
	fmt.Println(moving(1 << 21))
}

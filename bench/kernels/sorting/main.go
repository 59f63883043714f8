// Sorting sorts by quicksort and by a heap.
package main

import "fmt"

func quick(a []int) {
	for len(a) > 12 {
		p := a[len(a)/2]
		i, j := 0, len(a)-1
		for i <= j {
			for a[i] < p {
				i++
			}
			for a[j] > p {
				j--
			}
			if i <= j {
				a[i], a[j] = a[j], a[i]
				i++
				j--
			}
		}
		quick(a[:j+1])
		a = a[i:]
	}
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && a[j] < a[j-1]; j-- {
			a[j], a[j-1] = a[j-1], a[j]
		}
	}
}

type heap struct{ items []int }

func (h *heap) push(x int) {
	h.items = append(h.items, x)
	i := len(h.items) - 1
	for i > 0 {
		p := (i - 1) / 2
		if h.items[p] <= h.items[i] {
			break
		}
		h.items[p], h.items[i] = h.items[i], h.items[p]
		i = p
	}
}
func (h *heap) pop() int {
	x := h.items[0]
	n := len(h.items) - 1
	h.items[0] = h.items[n]
	h.items = h.items[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h.items[c+1] < h.items[c] {
			c++
		}
		if h.items[i] <= h.items[c] {
			break
		}
		h.items[i], h.items[c] = h.items[c], h.items[i]
		i = c
	}
	return x
}

func main() {
	x := uint32(7)
	next := func() int { x = x*1664525 + 1013904223; return int(x >> 8) }
	sum := 0
	for r := 0; r < 5; r++ {
		a := make([]int, 300000)
		for i := range a {
			a[i] = next()
		}
		quick(a)
		sum += a[1000]
		h := &heap{}
		for i := 0; i < 200000; i++ {
			h.push(next())
		}
		for len(h.items) > 0 {
			sum ^= h.pop()
		}
	}
	fmt.Println(sum)
}

// Colouring counts the ways to colour a graph, by a function literal that calls itself and shares
// its variables with others.
package main

import "fmt"

func ways(n, colours int, near [][]int) (count, tries int) {
	colour := make([]int, n)
	fits := func(v, c int) bool {
		for _, w := range near[v] {
			if colour[w] == c {
				return false
			}
		}
		return true
	}
	var place func(v int)
	place = func(v int) {
		tries++
		if v == n {
			count++
			return
		}
		for c := 1; c <= colours; c++ {
			if fits(v, c) {
				colour[v] = c
				place(v + 1)
				colour[v] = 0
			}
		}
	}
	place(0)
	return count, tries
}

func main() {
	const n = 18
	near := make([][]int, n)
	for v := range near {
		for w := range v {
			if (v*7+w*5)%5 == 0 {
				near[v] = append(near[v], w)
				near[w] = append(near[w], v)
			}
		}
	}
	for colours := 2; colours <= 4; colours++ {
		count, tries := ways(n, colours, near)
		fmt.Println(colours, count, tries)
	}
}

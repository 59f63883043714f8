// Jacobi solves the heat equation on a square plate by Jacobi's iteration, with a checkpoint after
// each.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func main() {
	const size, iterations = 1000, 300
	now, next := plate(size), plate(size)
	for range iterations {
		for i := 1; i < size-1; i++ {
			above, row, below, out := now[i-1], now[i], now[i+1], next[i]
			for j := 1; j < size-1; j++ {
				out[j] = (above[j] + below[j] + row[j-1] + row[j+1]) / 4
			}
		}
		now, next = next, now
		ckp.Checkpoint()
	}
	sum := 0.0
	for _, row := range now {
		for _, t := range row {
			sum += t
		}
	}
	fmt.Printf("mean temperature: %.9f\n", sum/size/size)
}

// plate is cold but for its upper edge.
func plate(size int) [][]float64 {
	p := make([][]float64, size)
	for i := range p {
		p[i] = make([]float64, size)
	}
	for j := range p[0] {
		p[0][j] = 100
	}
	return p
}

// Matmul multiplies two matrices, with a checkpoint after each row of the product.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func main() {
	const size = 1000
	a, b := matrix(size, 1), matrix(size, 2)
	product := make([][]float64, size)
	for i := range product {
		row := make([]float64, size)
		for k, x := range a[i] {
			for j, y := range b[k] {
				row[j] += x * y
			}
		}
		product[i] = row
		ckp.Checkpoint()
	}
	trace := 0.0
	for i := range product {
		trace += product[i][i]
	}
	fmt.Printf("trace: %.9g\n", trace)
}

// matrix has elements that look random.
func matrix(size int, seed uint64) [][]float64 {
	m := make([][]float64, size)
	for i := range m {
		m[i] = make([]float64, size)
		for j := range m[i] {
			seed = seed*6364136223846793005 + 1442695040888963407
			m[i][j] = float64(seed>>40) / (1 << 24)
		}
	}
	return m
}

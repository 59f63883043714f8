// Spectral approximates the spectral norm of an infinite matrix.
package main

import (
	"fmt"
	"math"
)

func a(i, j int) float64 { return 1 / float64((i+j)*(i+j+1)/2+i+1) }

func mulAv(v []float64) []float64 {
	out := make([]float64, len(v))
	for i := 0; i < len(v); i++ {
		for j := 0; j < len(v); j++ {
			out[i] += a(i, j) * v[j]
		}
	}
	return out
}

func mulAtv(v []float64) []float64 {
	out := make([]float64, len(v))
	for i := 0; i < len(v); i++ {
		for j := 0; j < len(v); j++ {
			out[i] += a(j, i) * v[j]
		}
	}
	return out
}

func main() {
	n := 1500
	u := make([]float64, n)
	for i := range u {
		u[i] = 1
	}
	var v []float64
	for i := 0; i < 10; i++ {
		v = mulAtv(mulAv(u))
		u = mulAtv(mulAv(v))
	}
	var vbv, vv float64
	for i := 0; i < n; i++ {
		vbv += u[i] * v[i]
		vv += v[i] * v[i]
	}
	fmt.Printf("%.9f\n", math.Sqrt(vbv/vv))
}

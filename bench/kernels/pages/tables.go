package main

// Dynamic programming over tables.

import "math"

func chainPage() any {
	n := 130
	d := make([]int, n+1)
	for i := range d {
		d[i] = 3 + (i*37)%29
	}
	m := make([][]int, n)
	for i := range m {
		m[i] = make([]int, n)
	}
	for l := 1; l < n; l++ {
		for i := 0; i+l < n; i++ {
			j := i + l
			m[i][j] = math.MaxInt
			for k := i; k < j; k++ {
				if q := m[i][k] + m[k+1][j] + d[i]*d[k+1]*d[j+1]; q < m[i][j] {
					m[i][j] = q
				}
			}
		}
	}
	return m[0][n-1]
}

func knapsackPage() any {
	w, cap := make([]int, 60), 5000
	best := make([]int, cap+1)
	for i := range w {
		w[i] = 10 + (i*53)%97
	}
	for i, x := range w {
		for c := cap; c >= x; c-- {
			if v := best[c-x] + x*3 + i; v > best[c] {
				best[c] = v
			}
		}
	}
	return best[cap]
}

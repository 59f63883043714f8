// Mandelbrot counts the iterations that the points of a square take to leave the Mandelbrot set.
package main

import "fmt"

func main() {
	n := 700
	count := 0
	for y := 0; y < n; y++ {
		for x := 0; x < n; x++ {
			cr, ci := 2*float64(x)/float64(n)-1.5, 2*float64(y)/float64(n)-1
			zr, zi, tr, ti := 0.0, 0.0, 0.0, 0.0
			i := 0
			for i < 100 && tr+ti <= 4 {
				zi = 2*zr*zi + ci
				zr = tr - ti + cr
				tr, ti = zr*zr, zi*zi
				i++
			}
			count += i
		}
	}
	fmt.Println(count)
}

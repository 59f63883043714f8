// Fannkuch reverses beginnings of permutations until they begin with the smallest number.
package main

import "fmt"

func fannkuch(n int) (int, int) {
	p, q, s := make([]int, n), make([]int, n), make([]int, n)
	for i := range p {
		p[i], q[i], s[i] = i, i, i
	}
	sign, maxflips, sum := 1, 0, 0
	for {
		q0 := p[0]
		if q0 != 0 {
			for i := 1; i < n; i++ {
				q[i] = p[i]
			}
			flips := 1
			for {
				qq := q[q0]
				if qq == 0 {
					sum += sign * flips
					if flips > maxflips {
						maxflips = flips
					}
					break
				}
				q[q0] = q0
				if q0 >= 3 {
					i, j := 1, q0-1
					for {
						q[i], q[j] = q[j], q[i]
						i++
						j--
						if i >= j {
							break
						}
					}
				}
				q0 = qq
				flips++
			}
		}
		if sign == 1 {
			p[0], p[1] = p[1], p[0]
			sign = -1
		} else {
			p[1], p[2] = p[2], p[1]
			sign = 1
			for i := 2; i < n; i++ {
				sx := s[i]
				if sx != 0 {
					s[i] = sx - 1
					break
				}
				if i == n-1 {
					return sum, maxflips
				}
				s[i] = i
				t := p[0]
				for j := 0; j <= i; j++ {
					p[j] = p[j+1]
				}
				p[i+1] = t
			}
		}
	}
}

func main() {
	fmt.Println(fannkuch(9))
	fmt.Println(fannkuch(9))
	fmt.Println(fannkuch(9))
	fmt.Println(fannkuch(9))
	fmt.Println(fannkuch(9))
	fmt.Println(fannkuch(9))
	fmt.Println(fannkuch(9))
	fmt.Println(fannkuch(9))
}

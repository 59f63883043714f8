// Trees makes and walks binary trees, most of them garbage soon.
package main

import "fmt"

type tree struct{ l, r *tree }

func bottomUp(d int) *tree {
	if d <= 0 {
		return &tree{}
	}
	return &tree{bottomUp(d - 1), bottomUp(d - 1)}
}
func (t *tree) check() int {
	if t.l == nil {
		return 1
	}
	return 1 + t.l.check() + t.r.check()
}
func main() {
	n := 14
	long := bottomUp(n)
	for d := 4; d <= n; d += 4 {
		it := 1 << uint(n-d+4)
		c := 0
		for i := 1; i <= it; i++ {
			c += bottomUp(d).check()
		}
		fmt.Println(it, d, c)
	}
	fmt.Println(long.check())
}

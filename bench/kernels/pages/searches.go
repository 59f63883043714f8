package main

// Searches by trying and taking back.

func sudokuPage() any {
	b := []byte("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
	n := 0
	for i := 0; i < 40; i++ {
		c := append([]byte(nil), b...)
		solve(c, &n)
	}
	return n
}

func permutationsPage() any {
	n := 0
	permute([]int{0, 1, 2, 3, 4, 5, 6, 7}, 0, &n)
	return n
}

func solve(b []byte, n *int) bool {
	*n++
	for i := range b {
		if b[i] != '.' {
			continue
		}
		for d := byte('1'); d <= '9'; d++ {
			if fits(b, i, d) {
				b[i] = d
				if solve(b, n) {
					return true
				}
				b[i] = '.'
			}
		}
		return false
	}
	return true
}

func fits(b []byte, i int, d byte) bool {
	r, c := i/9, i%9
	for k := 0; k < 9; k++ {
		if b[r*9+k] == d || b[k*9+c] == d || b[(r/3*3+k/3)*9+c/3*3+k%3] == d {
			return false
		}
	}
	return true
}

func permute(a []int, k int, n *int) {
	if k == len(a) {
		if a[0] < a[len(a)-1] {
			*n++
		}
		return
	}
	for i := k; i < len(a); i++ {
		a[k], a[i] = a[i], a[k]
		permute(a, k+1, n)
		a[k], a[i] = a[i], a[k]
	}
}

func dlxPage() any { return exact(7) }

func queensPage() any {
	n := 0
	var place func(row int, c, d, e uint)
	place = func(row int, c, d, e uint) {
		if row == 9 {
			n++
			return
		}
		for f := ^(c | d | e) & (1<<9 - 1); f != 0; f &= f - 1 {
			b := f & -f
			place(row+1, c|b, (d|b)<<1, (e|b)>>1)
		}
	}
	place(0, 0, 0, 0)
	return n
}

type cell struct {
	l, r, u, d, c *cell
	n             int
}

func exact(n int) int {
	head := &cell{}
	head.l, head.r = head, head
	var cols []*cell
	for i := 0; i < 2*n; i++ {
		c := &cell{}
		c.u, c.d, c.c = c, c, c
		c.l, c.r = head.l, head
		head.l.r = c
		head.l = c
		cols = append(cols, c)
	}
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			var first *cell
			for _, ci := range []int{i, n + j} {
				col := cols[ci]
				x := &cell{c: col}
				x.u, x.d = col.u, col
				col.u.d = x
				col.u = x
				col.n++
				if first == nil {
					first = x
					x.l, x.r = x, x
				} else {
					x.l, x.r = first.l, first
					first.l.r = x
					first.l = x
				}
			}
		}
	}
	return search(head)
}

func cover(c *cell) {
	c.r.l, c.l.r = c.l, c.r
	for i := c.d; i != c; i = i.d {
		for j := i.r; j != i; j = j.r {
			j.d.u, j.u.d = j.u, j.d
			j.c.n--
		}
	}
}

func uncover(c *cell) {
	for i := c.u; i != c; i = i.u {
		for j := i.l; j != i; j = j.l {
			j.c.n++
			j.d.u, j.u.d = j, j
		}
	}
	c.r.l, c.l.r = c, c
}

func search(h *cell) int {
	if h.r == h {
		return 1
	}
	c := h.r
	for x := c.r; x != h; x = x.r {
		if x.n < c.n {
			c = x
		}
	}
	s := 0
	cover(c)
	for r := c.d; r != c; r = r.d {
		for j := r.r; j != r; j = j.r {
			cover(j.c)
		}
		s += search(h)
		for j := r.l; j != r; j = j.l {
			uncover(j.c)
		}
	}
	uncover(c)
	return s
}

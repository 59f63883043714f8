// Recursion solves n-queens and walks trees with a checkpoint in the middle of
// the recursion.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type board struct {
	n       int
	columns []int
	count   int
}

func (b *board) safe(row, col int) bool {
	for r := 0; r < row; r++ {
		c := b.columns[r]
		if c == col || c-col == row-r || col-c == row-r {
			return false
		}
	}
	return true
}

func (b *board) place(row int) {
	if row == b.n {
		b.count++
		if b.count%20 == 0 {
			ckp.Checkpoint()
		}
		return
	}
	for col := 0; col < b.n; col++ {
		if b.safe(row, col) {
			b.columns[row] = col
			b.place(row + 1)
		}
	}
}

type node struct {
	left, right *node
	key         int
}

func insert(t *node, key int) *node {
	if t == nil {
		if key%7 == 0 {
			ckp.Checkpoint()
		}
		return &node{key: key}
	}
	if key < t.key {
		t.left = insert(t.left, key)
	} else {
		t.right = insert(t.right, key)
	}
	return t
}

func sum(t *node) int {
	if t == nil {
		return 0
	}
	if t.key%11 == 0 {
		ckp.Checkpoint()
	}
	return t.key + sum(t.left) + sum(t.right)
}

func even(n int) bool {
	if n == 0 {
		ckp.Checkpoint()
		return true
	}
	return odd(n - 1)
}

func odd(n int) bool {
	if n == 0 {
		ckp.Checkpoint()
		return false
	}
	return even(n - 1)
}

func ackermann(m, n int) int {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return ackermann(m-1, 1)
	}
	if m == 2 && n == 3 {
		ckp.Checkpoint()
	}
	return ackermann(m-1, ackermann(m, n-1))
}

func main() {
	b := &board{n: 8, columns: make([]int, 8)}
	b.place(0)
	fmt.Println("queens", b.count)
	var root *node
	x := 1
	for i := 0; i < 60; i++ {
		x = x * 1103515245 % 2147483647
		root = insert(root, x%1000)
	}
	fmt.Println("sum", sum(root))
	fmt.Println("even", even(10), odd(7), even(7))
	fmt.Println("ackermann", ackermann(2, 6))
}

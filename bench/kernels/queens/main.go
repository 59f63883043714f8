// Queens counts the ways to place n queens on a board so that none attacks another, by recursion,
// with a checkpoint at each solution.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// board is a chess board with queens in its first rows.
type board struct {
	size                    int
	column, rising, falling []bool // that are attacked
	solutions               int
}

func main() {
	const size = 13
	b := &board{size: size, column: make([]bool, size), rising: make([]bool, 2*size), falling: make([]bool, 2*size)}
	b.place(0)
	fmt.Println(size, "queens:", b.solutions)
}

// place tries all places for a queen in a row.
func (b *board) place(row int) {
	if row == b.size {
		b.solutions++
		ckp.Checkpoint()
		return
	}
	for c := range b.size {
		up, down := row+c, row-c+b.size
		if b.column[c] || b.rising[up] || b.falling[down] {
			continue
		}
		b.column[c], b.rising[up], b.falling[down] = true, true, true
		b.place(row + 1)
		b.column[c], b.rising[up], b.falling[down] = false, false, false
	}
}

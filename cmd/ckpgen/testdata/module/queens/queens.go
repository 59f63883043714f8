// Package queens counts the ways to place n queens on a board of n by n.
package queens

import "github.com/ckpgen/ckpgen/runtime/ckp"

// Count returns the number of ways. At each one that it finds a checkpoint may be taken.
func Count(n int) int {
	return place(n, 0, nil)
}

func place(n, row int, columns []int) int {
	if row == n {
		ckp.Checkpoint()
		return 1
	}
	ways := 0
	for c := range n {
		if free(columns, c) {
			ways += place(n, row+1, append(columns, c))
		}
	}
	return ways
}

func free(columns []int, c int) bool {
	row := len(columns)
	for r, other := range columns {
		if other == c || other-c == row-r || c-other == row-r {
			return false
		}
	}
	return true
}

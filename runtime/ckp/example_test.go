package ckp_test

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A checkpoint may be taken in the middle of the recursion: built with 'ckpgen build' and started
// with CKP_DIR=saved, the program goes on there after its death. Built with 'go build', or without
// the variable, the call does nothing, but that standard error tells if there is the variable.
func ExampleCheckpoint() {
	var place func(row, columns, up, down int) int
	place = func(row, columns, up, down int) int {
		if row == 8 {
			return 1
		}
		ckp.Checkpoint()
		found := 0
		for c := range 8 {
			if columns&(1<<c) == 0 && up&(1<<(row+c)) == 0 && down&(1<<(row-c+8)) == 0 {
				found += place(row+1, columns|1<<c, up|1<<(row+c), down|1<<(row-c+8))
			}
		}
		return found
	}
	fmt.Println(place(0, 0, 0, 0), "ways to place eight queens")
	// Output: 92 ways to place eight queens
}

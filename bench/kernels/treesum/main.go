// Treesum adds up the values of a binary tree, by recursion, with a checkpoint at each leaf.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type tree struct {
	left, right *tree
	value       int
}

func main() {
	t := grow(18)
	total := 0
	for range 200 {
		total += t.sum()
	}
	fmt.Println("sum:", total)
}

// grow makes a complete tree.
func grow(depth int) *tree {
	t := &tree{value: depth}
	if depth > 0 {
		t.left, t.right = grow(depth-1), grow(depth-1)
	}
	return t
}

func (t *tree) sum() int {
	if t.left == nil {
		ckp.Checkpoint()
		return t.value
	}
	return t.left.sum() + t.value + t.right.sum()
}

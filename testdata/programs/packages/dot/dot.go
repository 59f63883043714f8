// Package dot is imported without a name.
package dot

import (
	_ "unsafe" // for linkname

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type Node struct{ V int }
type Len int

func (n *Node) Up() *Node { ckp.Checkpoint(); n.V++; return n }
func Mk() *Node           { ckp.Checkpoint(); return &Node{1} }

const Max = 3

func Gen[T any](x T, f func(T) T) T { return f(x) }
func Tw[T any](x T) func() T {
	n := x
	return func() T { ckp.Checkpoint(); return n }
}

// Its caller is in another package, which has it by a directive.
func countdown(n int) int {
	ckp.Checkpoint()
	if n == 0 {
		return 0
	}
	return 1 + countdown(n-1)
}

// Its caller declares it without a body.
//
//go:linkname count main.counted
func count(n int) int {
	ckp.Checkpoint()
	if n == 0 {
		return 0
	}
	return func() int { return 1 + count(n-1) }()
}

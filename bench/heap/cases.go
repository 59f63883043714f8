package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// The graphs. Fields are exported because encoding/gob and cbor see no others; package heap does
// not mind.

// Node is one of a binary tree.
type Node struct {
	Left, Right *Node
	Key         int64
	Val         string
}

// Link is one of a list.
type Link struct {
	Next *Link
	N    int64
}

// Record is what a slice of pointers leads to.
type Record struct {
	ID    int64
	Score float64
	Name  string
}

// A subject is a graph that is captured and rebuilt.
type subject struct {
	name    string
	what    string // an object, as the table counts them
	objects int
	bytes   int                 // of flat data; 0: the rate is given by objects
	build   func() any          // makes the graph and returns a pointer to the variable that leads to it
	empty   func() any          // a variable of the same type, without contents
	same    func(a, b any) bool // a quick look whether a copy is one
	plain   bool                // neither cycles nor depth: gob and cbor can do it
}

func floats(n int) subject {
	return subject{
		name: fmt.Sprintf("[]float64, %d MB", n*8/1e6), what: "element", objects: n, bytes: 8 * n, plain: true,
		build: func() any {
			x := make([]float64, n)
			for i := range x {
				x[i] = float64(i) * 1.1
			}
			return &x
		},
		empty: func() any { return new([]float64) },
		same: func(a, b any) bool {
			x, y := *a.(*[]float64), *b.(*[]float64)
			return len(x) == len(y) && x[0] == y[0] && x[len(x)-1] == y[len(y)-1]
		},
	}
}

func val(i int) string { return "v" + strconv.Itoa(i) }

// tree makes a balanced tree in order, depth first.
func tree(from, to int) *Node {
	if from >= to {
		return nil
	}
	middle := (from + to) / 2
	n := &Node{Key: int64(middle), Val: val(middle)}
	n.Left, n.Right = tree(from, middle), tree(middle+1, to)
	return n
}

// scattered makes the same tree of nodes and strings that lie in memory in no order.
func scattered(n int) *Node {
	nodes := make([]*Node, n)
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		nodes[i] = &Node{Key: int64(i), Val: val(i)}
	}
	var join func(from, to int) *Node
	join = func(from, to int) *Node {
		if from >= to {
			return nil
		}
		middle := (from + to) / 2
		nodes[middle].Left, nodes[middle].Right = join(from, middle), join(middle+1, to)
		return nodes[middle]
	}
	return join(0, n)
}

func trees(name string, n int, build func() *Node) subject {
	return subject{
		name: fmt.Sprintf("%s of %d nodes", name, n), what: "node", objects: n, plain: true,
		build: func() any { x := build(); return &x },
		empty: func() any { return new(*Node) },
		same: func(a, b any) bool {
			x, y := *a.(**Node), *b.(**Node)
			for x.Left != nil {
				if y == nil || x.Key != y.Key || x.Val != y.Val {
					return false
				}
				x, y = x.Left, y.Left
			}
			return x.Key == y.Key && x.Val == y.Val
		},
	}
}

func maps(n int) subject {
	return subject{
		name: fmt.Sprintf("map[string]int of %d", n), what: "entry", objects: n, plain: true,
		build: func() any {
			x := make(map[string]int)
			for i := range n {
				x[val(i)] = i
			}
			return &x
		},
		empty: func() any { return new(map[string]int) },
		same: func(a, b any) bool {
			x, y := *a.(*map[string]int), *b.(*map[string]int)
			return len(x) == len(y) && x["v7"] == y["v7"]
		},
	}
}

func pointers(n int) subject {
	return subject{
		name: fmt.Sprintf("[]*struct of %d, half of them shared", n), what: "pointer", objects: n, plain: true,
		build: func() any {
			r := rand.New(rand.NewPCG(3, 4))
			x := make([]*Record, n)
			for i := range x {
				if i > 0 && i%2 == 0 {
					x[i] = x[r.IntN(i)]
				} else {
					x[i] = &Record{ID: int64(i), Score: float64(i), Name: val(i)}
				}
			}
			return &x
		},
		empty: func() any { return new([]*Record) },
		same: func(a, b any) bool {
			x, y := *a.(*[]*Record), *b.(*[]*Record)
			return len(x) == len(y) && *x[len(x)-1] == *y[len(y)-1]
		},
	}
}

func list(n int) subject {
	return subject{
		name: fmt.Sprintf("list of %d", n), what: "node", objects: n,
		build: func() any {
			var x *Link
			for i := range n {
				x = &Link{Next: x, N: int64(i)}
			}
			return &x
		},
		empty: func() any { return new(*Link) },
		same: func(a, b any) bool {
			x, y := *a.(**Link), *b.(**Link)
			for x != nil && y != nil {
				if x.N != y.N {
					return false
				}
				x, y = x.Next, y.Next
			}
			return x == nil && y == nil
		},
	}
}

func texts(n int) subject {
	return subject{
		name: fmt.Sprintf("[]string of %d", n), what: "string", objects: n, plain: true,
		build: func() any {
			x := make([]string, n)
			for i := range x {
				x[i] = val(i)
			}
			return &x
		},
		empty: func() any { return new([]string) },
		same: func(a, b any) bool {
			x, y := *a.(*[]string), *b.(*[]string)
			return len(x) == len(y) && x[len(x)-1] == y[len(y)-1]
		},
	}
}

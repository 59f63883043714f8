// The original of ../walk: recursion with a loop, package variables, a map.
package main

import (
	"fmt"
	"os"
	"time"
)

type node struct {
	key         int
	left, right *node
	parent      *node
}

var (
	visits  int
	byDepth = map[int]int{}
	current *node
	pause   = parsePause()
)

func parsePause() time.Duration {
	if len(os.Args) < 2 {
		return 0
	}
	d, err := time.ParseDuration(os.Args[1])
	if err != nil {
		panic(err)
	}
	return d
}

func build(lo, hi int, parent *node) *node {
	if lo > hi {
		return nil
	}
	mid := (lo + hi) / 2
	n := &node{key: mid, parent: parent}
	n.left, n.right = build(lo, mid-1, n), build(mid+1, hi, n)
	return n
}

func walk(t *node, depth int) (sum int) {
	if t == nil {
		return 0
	}
	current = t
	for i := range 3 {
		sum += i * t.key
		step(depth, sum)
	}
	sum += walk(t.left, depth+1)
	if current != t && current.parent != t {
		current = t
	}
	sum += walk(t.right, depth+1)
	return sum
}

func step(depth, sum int) {
	visits++
	byDepth[depth]++
	fmt.Println(visits, depth, sum, current.key, byDepth[depth])
	time.Sleep(pause)
}

func main() {
	t := build(1, 15, nil)
	sum := walk(t, 0)
	fmt.Println("sum", sum, "visits", visits, byDepth, current == t)
	if len(os.Args) > 2 {
		os.Exit(7)
	}
}

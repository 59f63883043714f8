// Maps ranges over maps that change meanwhile, with checkpoints in the loop.
package main

import (
	"fmt"
	"math"
	"sort"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type point struct{ x, y int }

func main() {
	m := map[string]int{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}
	sum, seen := 0, 0
	for k, v := range m {
		ckp.Checkpoint()
		sum += v
		seen++
		delete(m, k)
	}
	fmt.Println(sum, seen, len(m))

	visited := map[point][]string{}
	for i := range 10 {
		p := point{i % 3, i % 2}
		visited[p] = append(visited[p], fmt.Sprint(i))
	}
	var keys []point
	for p := range visited {
		keys = append(keys, p)
		ckp.Checkpoint()
	}
	sort.Slice(keys, func(i, j int) bool {
		return keys[i].x < keys[j].x || keys[i].x == keys[j].x && keys[i].y < keys[j].y
	})
	for _, k := range keys {
		fmt.Println(k, visited[k])
		ckp.Checkpoint()
	}

	nan := map[float64]int{math.NaN(): 1, math.NaN(): 2, 3: 3}
	total := 0
	for k, v := range nan {
		ckp.Checkpoint()
		if k != k {
			total += 10 * v
		} else {
			total += v
		}
	}
	fmt.Println(total, len(nan))

	// What is assigned to is found out with checkpoints, behind the step to an entry.
	names, counts := make([]string, 2), make([]int, 2)
	at := func(i int) int { ckp.Checkpoint(); return i }
	product := 0
	for names[at(1)], counts[at(0)] = range map[string]int{"a": 2, "bb": 3, "ccc": 5} {
		product += len(names[1]) * counts[0]
	}
	for names[at(0)] = range map[string]int{"dddd": 1, "e": 2} {
		product += len(names[0])
	}
	for _, counts[at(1)] = range map[string]int{"f": 7, "g": 8} {
		product += counts[1]
	}
	fmt.Println(product)

	// Deleting entries not yet visited.
	big := make(map[int]bool)
	for i := range 100 {
		big[i] = true
	}
	n := 0
	for k := range big {
		if k%2 == 0 {
			for j := 0; j < 100; j++ {
				if j != k {
					delete(big, j)
				}
			}
		}
		n++
		if n%8 == 0 {
			ckp.Checkpoint()
		}
		if len(big) == 1 {
			ckp.Checkpoint()
		}
	}
	fmt.Println(len(big) <= 2)

	large()

	shared := &point{1, 2}
	pointers := map[*point]string{shared: "shared", {3, 4}: "other"}
	nested := map[string]map[string]*point{"x": {"y": shared}}
	var empty map[int]int
	ckp.Checkpoint()
	nested["x"]["y"].x = 9
	fmt.Println(pointers[shared], shared.x, empty == nil, len(pointers))
	inner := nested["x"]
	inner["z"] = shared
	ckp.Checkpoint()
	fmt.Println(len(nested["x"]), nested["x"]["z"] == shared)
	clear(m)
	anykey := map[any]int{1: 1, "one": 2, point{1, 1}: 3, 1.5: 4}
	ckp.Checkpoint()
	fmt.Println(anykey[1], anykey["one"], anykey[point{1, 1}], anykey[1.5])
	unequal()
	zeros()
}

// large walks maps of which no snapshot is taken at first.
func large() {
	names := make(map[string]int)
	for i := range 150 {
		names[fmt.Sprint("name", i)] = i
	}
	n, seen, back := 0, make(map[string]int), ""
	for k, v := range names {
		if seen[k] > 0 && k != back || names[k] != v {
			fmt.Println("twice or other", k)
		}
		seen[k]++
		if n++; n == 3 || n == 8 || n == 9 || n%50 == 0 {
			ckp.Checkpoint()
		}
		if n == 5 {
			back = k // may come again
			delete(names, k)
			names[k] = v
		}
	}
	fmt.Println(len(seen))

	// One at a time.
	taken := 0
	for len(names) > 0 {
		for k := range names {
			delete(names, k)
			taken++
			if taken%40 == 0 {
				ckp.Checkpoint()
			}
			break
		}
	}
	fmt.Println(taken)

	// Keys that are not equal to themselves among the first and the others.
	floats := make(map[float64]int)
	for i := range 100 {
		floats[float64(i)] = 1
		floats[math.NaN()] = 100
	}
	total := 0
	for _, v := range floats {
		if total += v; total%7 == 0 {
			ckp.Checkpoint()
		}
	}
	fmt.Println(total)
}

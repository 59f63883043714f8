// Command swappers is a test program: functions of reflect.Swapper that are kept while checkpoints are taken.
package main

import (
	"fmt"
	"reflect"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type point struct {
	x    int
	name string
}

// A list can be turned around, whatever its elements are.
type list struct {
	length int
	swap   func(i, j int)
}

func newList(slice any) *list { return &list{reflect.ValueOf(slice).Len(), reflect.Swapper(slice)} }

func (l *list) turn() {
	for i, j := 0, l.length-1; i < j; i, j = i+1, j-1 {
		l.swap(i, j)
		ckp.Checkpoint()
	}
}

// sorted sorts a slice by a function that swaps its elements.
func sorted(slice any, less func(i, j int) bool) {
	swap := reflect.Swapper(slice)
	for i := range reflect.ValueOf(slice).Len() {
		for ; i > 0 && less(i, i-1); i-- {
			swap(i, i-1)
		}
		ckp.Checkpoint()
	}
}

func tried(what string, f func()) {
	defer func() { fmt.Println(what, recover()) }()
	f()
}

func main() {
	numbers := []int{5, 3, 9, 1, 7}
	names := []string{"d", "a", "c", "b"}
	bytes := []byte("checkpoint")
	points := []point{{3, "c"}, {1, "a"}, {2, "b"}}
	pointers := []*point{&points[2], &points[0], &points[1]}
	empty, one := newList([]int{}), newList([]string{"x"})
	lists := []*list{newList(numbers), newList(names), newList(bytes), newList(points), newList(pointers), newList(points[1:]), empty, one}
	for range 3 {
		for _, l := range lists {
			l.turn()
		}
		fmt.Println(numbers, names, string(bytes), points, pointers[0] == &points[2], *pointers[0])
	}
	sorted(numbers, func(i, j int) bool { return numbers[i] < numbers[j] })
	sorted(names, func(i, j int) bool { return names[i] < names[j] })
	sorted(points, func(i, j int) bool { return points[i].x > points[j].x })
	fmt.Println(numbers, names, points)
	of := reflect.Swapper
	numbers = append(numbers, 11, 13)
	last := of(numbers[4:])
	ckp.Checkpoint()
	last(0, 2)
	one.swap(0, 0)
	fmt.Println(numbers)
	tried("none", func() { empty.swap(0, 0) })
	tried("one", func() { one.swap(0, 1) })
	tried("no slice", func() { of(3) })
	tried("outside", func() { lists[3].swap(0, 3) })
}

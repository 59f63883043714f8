// Command elements is a test program: loops over the iterators of package reflect.
package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type digit uint8

type row struct {
	Number int
	Name   string
	values []int
}

func (r row) Plus(k int) int { ckp.Checkpoint(); return r.Number + k }
func (r *row) Clear()        { *r = row{} }

func main() {
	elements()
	entries()
	values()
	members()
}

func elements() {
	total := 0
	for k, v := range reflect.ValueOf([]int{4, 5, 6}).Seq2() {
		ckp.Checkpoint()
		total += int(k.Int()) * int(v.Int())
	}
	for k, v := range reflect.ValueOf("aé\xff").Seq2() {
		ckp.Checkpoint()
		fmt.Print(k, v, " ")
	}
	for k := range reflect.ValueOf("aé\xff").Seq() {
		ckp.Checkpoint()
		fmt.Print(k, " ")
	}
	for k := range reflect.ValueOf(digit(3)).Seq() {
		ckp.Checkpoint()
		fmt.Print(k.Type(), k, " ")
	}
	names := [3]string{"x", "y", "z"}
	for k, v := range reflect.ValueOf(&names).Seq2() {
		names[2] = "changed"
		ckp.Checkpoint()
		fmt.Print(k, v, " ")
	}
	for k := range reflect.ValueOf(&names).Seq() {
		ckp.Checkpoint()
		fmt.Print(k, " ")
		if k.Int() == 1 {
			break
		}
	}
	fmt.Println(total)
}

// entries changes one of a map that its loop has still to come to.
func entries() {
	m, found := map[string]int{"a": 1, "b": 2, "c": 3}, map[string]int{}
	for k, v := range reflect.ValueOf(m).Seq2() {
		ckp.Checkpoint()
		found[k.String()] = int(v.Int())
		for name := range m {
			if _, ok := found[name]; !ok && len(found) == 2 {
				m[name] = 100
			}
		}
	}
	fmt.Println(len(found), slices.Max(slices.Collect(maps.Values(found))))
}

func values() {
	ch := make(chan int, 5)
	for i := range 5 {
		ch <- i
	}
	close(ch)
	for v := range reflect.ValueOf(ch).Seq() {
		ckp.Checkpoint()
		fmt.Print(v, " ")
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		for range reflect.ValueOf(struct{ ch chan int }{make(chan int)}).Field(0).Seq() {
			ckp.Checkpoint()
		}
	}()
}

func members() {
	r := row{1, "b", nil}
	for f := range reflect.TypeOf(r).Fields() {
		ckp.Checkpoint()
		fmt.Print(f.Name, f.Index, " ")
	}
	for f, v := range reflect.ValueOf(r).Fields() {
		ckp.Checkpoint()
		fmt.Print(f.Name, v.Kind(), " ")
	}
	for m := range reflect.TypeOf(&r).Methods() {
		ckp.Checkpoint()
		fmt.Print(m.Name, " ")
	}
	for m, v := range reflect.ValueOf(r).Methods() {
		ckp.Checkpoint()
		fmt.Print(m.Name, v.Type(), v.Call([]reflect.Value{reflect.ValueOf(4)})[0], " ")
	}
	for in := range reflect.TypeFor[func(int, string) error]().Ins() {
		ckp.Checkpoint()
		for out := range reflect.TypeFor[func(int, string) error]().Outs() {
			ckp.Checkpoint()
			fmt.Print(in, out, " ")
		}
	}
	fmt.Println()
}

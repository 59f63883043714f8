// Command reflecting is a test program: functions that package reflect calls, and those that it makes.
package main

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// An account is changed by methods that are found by their names.
type account struct {
	n     int
	trace []string
}

func (a *account) Add(k int, words ...string) (int, error) {
	for i := range k {
		ckp.Checkpoint()
		a.n += i
		a.trace = append(a.trace, words...)
	}
	if k == 3 {
		return a.n, errors.New("three")
	}
	return a.n, nil
}

func (a *account) Each(f func(int) bool) {
	for i := 0; i < 5; i++ {
		ckp.Checkpoint()
		if !f(i) {
			return
		}
	}
}

// A big is more than what is passed in registers.
type big struct {
	a, h int
	rest [6]string
	m    map[string]int
}

// rec calls itself by reflection.
func rec(depth int, b big, f float64) (big, float64) {
	if depth == 0 {
		return b, f
	}
	b.a += depth
	b.m[fmt.Sprint(depth)] = b.a
	b.rest[depth-1] = fmt.Sprint(b.a)
	out := reflect.ValueOf(rec).Call([]reflect.Value{reflect.ValueOf(depth - 1), reflect.ValueOf(b), reflect.ValueOf(f * 1.5)})
	r := out[0].Interface().(big)
	r.h += depth
	return r, out[1].Float() + 1
}

// fails recovers from what a function panics with that was called so.
func fails(n int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered %v", r)
		}
	}()
	reflect.ValueOf(func(n int) {
		for i := range n {
			ckp.Checkpoint()
			_ = i
		}
		panic(n)
	}).Call([]reflect.Value{reflect.ValueOf(n)})
	return nil
}

type handler func(x []int) int

// called has functions called in all ways: by methods, in goroutines, when a function returns.
func called() {
	a := &account{}
	v := reflect.ValueOf(a)
	for i := range 6 {
		ckp.Checkpoint()
		out := v.MethodByName("Add").Call([]reflect.Value{reflect.ValueOf(i), reflect.ValueOf("a"), reflect.ValueOf(fmt.Sprint(i))})
		fmt.Println(out[0].Int(), out[1].Interface(), len(a.trace))
	}
	fmt.Println(a.trace)
	fmt.Println(v.Method(0).CallSlice([]reflect.Value{reflect.ValueOf(4), reflect.ValueOf([]string{"x", "y"})})[0])
	r, f := rec(6, big{m: map[string]int{}}, 1)
	fmt.Println(r, f)
	for i := range 4 {
		ckp.Checkpoint()
		fmt.Println(fails(i))
	}
	total := 0
	v.MethodByName("Each").Call([]reflect.Value{reflect.ValueOf(func(i int) bool { total += i; return i < 3 })})
	fmt.Println(total)
	hs := map[string]any{"sum": handler(func(x []int) int {
		s := 0
		for _, y := range x {
			ckp.Checkpoint()
			s += y
		}
		return s
	}), "deep": func(p *int) *int {
		for i := range *p {
			ckp.Checkpoint()
			*p += i
		}
		return p
	}}
	n := 5
	fmt.Println(reflect.ValueOf(hs["sum"]).Call([]reflect.Value{reflect.ValueOf([]int{1, 2, 3})})[0])
	out := reflect.ValueOf(hs["deep"]).Call([]reflect.Value{reflect.ValueOf(&n)})
	fmt.Println(out[0].Interface() == &n, n)
	st := struct{ F func(int) string }{func(n int) string {
		s := ""
		for i := range n {
			ckp.Checkpoint()
			s += fmt.Sprint(i)
		}
		return s
	}}
	fmt.Println(reflect.ValueOf(st).Field(0).Call([]reflect.Value{reflect.ValueOf(7)})[0])
	done := make(chan int)
	go reflect.ValueOf(func(c chan int) {
		for i := range 5 {
			ckp.Checkpoint()
			c <- i
		}
		close(c)
	}).Call([]reflect.Value{reflect.ValueOf(done)})
	for x := range done {
		ckp.Checkpoint()
		fmt.Println("got", x)
	}
	func() {
		defer reflect.ValueOf(func(s string) {
			for i := range 3 {
				ckp.Checkpoint()
				fmt.Println(s, i)
			}
		}).Call([]reflect.Value{reflect.ValueOf("deferred")})
		fmt.Println("body")
	}()
}

func main() {
	called()
	made()
	changing()
	values()
	receivers()
	checked()
}

package main

import (
	"fmt"
	"reflect"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A shape has methods that the compiler has code for which looks at the receiver: those of embedded
// fields, and those of values for pointers.
type shape struct {
	name string
	*sides
	area
}

type sides struct{ n int }

func (s sides) Corners(k int) int { return s.turns(k) }
func (s *sides) Turns(k int) int  { return s.turns(k) + 1 }
func (s sides) turns(k int) (t int) {
	for i := range k {
		ckp.Checkpoint()
		t += s.n + i
	}
	return t
}

type area interface{ Area(...int) int }

type square int

func (s square) Area(of ...int) (t int) {
	for _, x := range of {
		ckp.Checkpoint()
		t += int(s) * x
	}
	return t
}

func (s shape) Names(k int) (t string) {
	for range k {
		ckp.Checkpoint()
		t += s.name
	}
	return t
}

// receivers calls methods whose receiver is the first argument.
func receivers() {
	s := shape{"s", &sides{4}, square(3)}
	for _, v := range []reflect.Value{reflect.ValueOf(&s), reflect.ValueOf(s)} {
		for i := range v.NumMethod() {
			ckp.Checkpoint()
			m := v.Type().Method(i)
			fmt.Println(m.Name, m.Func.Call([]reflect.Value{v, reflect.ValueOf(3)})[0])
		}
		m, _ := v.Type().MethodByName("Area")
		fmt.Println(m.Func.CallSlice([]reflect.Value{v, reflect.ValueOf([]int{1, 2, 3})})[0])
		m, _ = v.Type().MethodByName("Names")
		func() {
			defer func() { fmt.Println(recover()) }()
			m.Func.Call([]reflect.Value{v})
		}()
		func() {
			defer func() { fmt.Println(recover()) }()
			m.Func.Call([]reflect.Value{reflect.Zero(reflect.TypeOf(&s)), reflect.ValueOf(3)})
		}()
	}
	values := reflect.TypeOf(&s).Method(1).Func.Interface().(func(*shape, int) int)
	fmt.Println(values(&shape{"t", &sides{5}, square(4)}, 3))
	names := reflect.TypeOf(&s).Method(2).Func.Interface().(func(*shape, int) string)
	defer func() { fmt.Println(names(&shape{"d", nil, nil}, 3)) }()
	p := &shape{"p", s.sides, nil}
	fmt.Println(names(p, 3), values(p, 2))
}

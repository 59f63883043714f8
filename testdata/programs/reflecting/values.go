package main

import (
	"fmt"
	"reflect"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A caller is what calls a function, and has it in an embedded field, or not.
type caller interface {
	Call([]reflect.Value) []reflect.Value
}

type box struct{ reflect.Value }

func appended(n int, s string) string {
	for i := range n {
		ckp.Checkpoint()
		s += fmt.Sprint(i)
	}
	return s
}

// values calls by func values and interfaces what calls functions.
func values() {
	arguments := func(n int, s string) []reflect.Value { return []reflect.Value{reflect.ValueOf(n), reflect.ValueOf(s)} }
	v := reflect.ValueOf(appended)
	bound := v.Call
	fmt.Println(bound(arguments(5, "bound"))[0])
	inner := reflect.Value.Call(reflect.ValueOf(reflect.ValueOf), []reflect.Value{v})[0].Interface().(reflect.Value)
	for _, f := range []func([]reflect.Value) []reflect.Value{v.Call, inner.Call} {
		fmt.Println(f(arguments(2, "listed"))[0])
	}
	for _, c := range []caller{v, box{v}, &box{v}} {
		fmt.Println(c.Call(arguments(3, "called"))[0])
	}
	defer func() { fmt.Println(box{v}.Call(arguments(3, "embedded"))[0]) }()
	defer bound(arguments(3, "unheard"))
	expression := reflect.Value.Call
	fmt.Println(expression(v, arguments(3, "expression"))[0])
}

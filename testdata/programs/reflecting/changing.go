package main

import (
	"fmt"
	"reflect"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A step is a function in a variable.
type step struct{ F func(int) int }

// A namer is one of two types, and cur is one that changes.
type namer interface{ Name(int) string }
type first struct{ n int }
type second struct{ s string }

func (a first) Name(k int) string {
	r := fmt.Sprint("A", a.n)
	for i := range k {
		ckp.Checkpoint()
		cur = second{"changed"}
		r += fmt.Sprint(i)
	}
	return r
}
func (b second) Name(k int) string { return "B!" + b.s }

var cur namer = first{7}

// tooFew calls a function without its argument.
func tooFew() {
	defer func() { fmt.Println(recover()) }()
	reflect.ValueOf(func(a int) { fmt.Println("called", a) }).Call(nil)
}

// changing calls functions that change the variables that they, or their arguments, came from.
func changing() {
	s := &step{}
	other := func(n int) int { return -n }
	s.F = func(n int) int {
		s.F = other
		t := 0
		for i := range n {
			ckp.Checkpoint()
			t += i
		}
		return t
	}
	v := reflect.ValueOf(s).Elem().Field(0)
	fmt.Println(v.Call([]reflect.Value{reflect.ValueOf(5)})[0], v.Call([]reflect.Value{reflect.ValueOf(5)})[0])
	m := reflect.ValueOf(&cur).Elem().Method(0)
	fmt.Println(m.Call([]reflect.Value{reflect.ValueOf(4)})[0], m.Call([]reflect.Value{reflect.ValueOf(4)})[0])
	args := []reflect.Value{reflect.ValueOf(3)}
	fmt.Println(reflect.ValueOf(func(n int) string {
		args[0] = reflect.ValueOf("other")
		r := ""
		for i := range n {
			ckp.Checkpoint()
			r += fmt.Sprint(i, args[0])
		}
		return r
	}).Call(args)[0])
	tooFew()
	fmt.Println(reflect.ValueOf(func() int {
		t := 0
		for i := range 4 {
			ckp.Checkpoint()
			t += i
		}
		return t
	}).Call(nil)[0])
	fmt.Println(reflect.ValueOf(func(p string, xs ...int) (t int) {
		for i := range 4 {
			ckp.Checkpoint()
			t += i * len(xs)
		}
		for _, x := range xs {
			ckp.Checkpoint()
			t += x
		}
		return t
	}).Call([]reflect.Value{reflect.ValueOf("p"), reflect.ValueOf(1), reflect.ValueOf(2)})[0])
	var nilf func()
	func() {
		defer func() { fmt.Println(recover()) }()
		reflect.ValueOf(&nilf).Elem().Call(nil)
	}()
}

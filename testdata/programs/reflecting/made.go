package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A triple has numbers and a reference.
type triple struct {
	a, b, c int
	s       string
}

// A service has functions of all kinds of types, to be made.
type service struct {
	Sum     func(a, b int) int
	Join    func(sep string, parts ...string) (string, error)
	Big     func(triple, float64, [5]int) (triple, []int, error)
	Nop     func()
	Err     func(n int) error
	Inner   func(f func(int) int, n int) int
	Any     func(any) any
	Numbers func(float32, complex128, bool, int8) (float32, complex128, bool, int8)
}

// An implementation is what they call.
type implementation struct{ log []string }

func (i *implementation) Sum(a, b int) int {
	for k := range b {
		ckp.Checkpoint()
		a += k
	}
	i.log = append(i.log, "sum")
	return a
}
func (i *implementation) Join(sep string, parts ...string) (string, error) {
	s := ""
	for _, p := range parts {
		ckp.Checkpoint()
		s += p + sep
	}
	return s, fmt.Errorf("joined %d", len(parts))
}
func (i *implementation) Big(t triple, f float64, a [5]int) (triple, []int, error) {
	for _, x := range a {
		ckp.Checkpoint()
		t.a += x
	}
	t.s += fmt.Sprint(f)
	return t, a[1:3], nil
}
func (i *implementation) Nop() {
	for range 3 {
		ckp.Checkpoint()
		i.log = append(i.log, "nop")
	}
}
func (i *implementation) Err(n int) error {
	for k := range n {
		ckp.Checkpoint()
		i.log = append(i.log, fmt.Sprint(k))
	}
	return nil
}
func (i *implementation) Inner(f func(int) int, n int) int {
	t := 0
	for k := range n {
		ckp.Checkpoint()
		t += f(k)
	}
	return t
}
func (i *implementation) Any(x any) any {
	for range 2 {
		ckp.Checkpoint()
		i.log = append(i.log, fmt.Sprint(x))
	}
	return x
}
func (i *implementation) Numbers(a float32, c complex128, b bool, d int8) (float32, complex128, bool, int8) {
	for range 3 {
		ckp.Checkpoint()
		a *= 1.5
		c *= 2i
		b = !b
		d++
	}
	return a, c, b, d
}

// wrap sets the fields of a proxy to functions that call the methods of a target.
func wrap(target any, proxy any, log *[]string) {
	p := reflect.ValueOf(proxy).Elem()
	tv := reflect.ValueOf(target)
	for i := range p.NumField() {
		ckp.Checkpoint()
		name := p.Type().Field(i).Name
		m := tv.MethodByName(name)
		ft := p.Type().Field(i).Type
		p.Field(i).Set(reflect.MakeFunc(ft, func(args []reflect.Value) []reflect.Value {
			*log = append(*log, "enter "+name)
			var out []reflect.Value
			if ft.IsVariadic() {
				out = m.CallSlice(args)
			} else {
				out = m.Call(args)
			}
			for range 2 {
				ckp.Checkpoint()
				*log = append(*log, "leave "+name)
			}
			return out
		}))
	}
}

// forwarded returns a function that calls f, for which there is no literal.
func forwarded(f any) any {
	v := reflect.ValueOf(f)
	return reflect.MakeFunc(v.Type(), v.Call).Interface()
}

// made calls functions that package reflect has made.
func made() {
	var log []string
	var s service
	im := &implementation{}
	wrap(im, &s, &log)
	fmt.Println(s.Sum(1, 4))
	fmt.Println(s.Join("-", "a", "b", "c"))
	fmt.Println(s.Big(triple{1, 2, 3, "s"}, 2.5, [5]int{1, 2, 3, 4, 5}))
	s.Nop()
	fmt.Println(s.Err(3))
	fmt.Println(s.Inner(func(k int) int {
		t := 0
		for j := range k {
			ckp.Checkpoint()
			t += s.Sum(j, 2)
		}
		return t
	}, 4))
	fmt.Println(s.Any(im.log[0]), s.Any(nil) == nil)
	fmt.Println(s.Numbers(1, 1, true, 3))
	fmt.Println(strings.Join(log, " "), im.log)
	add := forwarded(func(a int, b string) string {
		for i := range a {
			ckp.Checkpoint()
			b += fmt.Sprint(i)
		}
		return b
	}).(func(int, string) string)
	fmt.Println(add(4, "x"))
	depth := 0
	var fact func(n int) int
	fact = reflect.MakeFunc(reflect.TypeOf(fact), func(a []reflect.Value) []reflect.Value {
		n := int(a[0].Int())
		r := 1
		if n > 1 {
			r = n * fact(n-1)
		}
		for range 2 {
			ckp.Checkpoint()
			depth++
		}
		return []reflect.Value{reflect.ValueOf(r)}
	}).Interface().(func(int) int)
	fmt.Println(fact(6), depth)
	ch := make(chan string)
	go s.Inner(func(k int) int { ch <- fmt.Sprint("k", k); return k }, 3)
	for range 3 {
		ckp.Checkpoint()
		fmt.Println(<-ch)
	}
	defer s.Nop()
	defer func() { fmt.Println(recover(), s.Sum(2, 3)) }()
	s.Inner(func(k int) int {
		if k == 2 {
			panic("in made")
		}
		return k
	}, 5)
}

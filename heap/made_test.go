package heap

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Functions that package reflect has made of functions are made again, of functions and types of
// functions that are saved.
func TestMakeFunc(t *testing.T) {
	type table struct {
		double func(int) int
		join   func(string, ...any) (string, error)
		any    any
		self   reflect.Value
	}
	v := &table{}
	v.double = reflect.MakeFunc(reflect.TypeOf(v.double), doubled).Interface().(func(int) int)
	v.join = reflect.MakeFunc(reflect.TypeOf(v.join), (&joiner{" and "}).join).Interface().(func(string, ...any) (string, error))
	v.any = v.double
	v.self = reflect.MakeFunc(reflect.FuncOf([]reflect.Type{reflect.TypeFor[int]()}, []reflect.Type{reflect.TypeFor[int8](), reflect.TypeFor[bool]()}, false), nil)
	w := again(t, again(t, v))
	runtime.GC()
	equal(t, 8, w.double(4))
	equal(t, 10, w.any.(func(int) int)(5))
	text, err := w.join("a", "b", "c")
	equal(t, "a and b and c", text)
	check(t, err == nil, err)
	equal(t, v.self.Type(), w.self.Type())
}

func doubled(args []reflect.Value) []reflect.Value {
	return []reflect.Value{reflect.ValueOf(2 * int(args[0].Int()))}
}

type joiner struct{ with string }

func (j *joiner) join(args []reflect.Value) []reflect.Value {
	list := []string{args[0].String()}
	for _, v := range args[1].Interface().([]any) {
		list = append(list, fmt.Sprint(v))
	}
	return []reflect.Value{reflect.ValueOf(strings.Join(list, j.with)), reflect.Zero(reflect.TypeFor[error]())}
}

// Methods that it has made functions of have the receivers of the image.
func TestMadeMethods(t *testing.T) {
	r := &receiving{1}
	v := []any{r, reflect.ValueOf(r).MethodByName("Add").Interface(), reflect.ValueOf(strings.NewReplacer("a", "b")).MethodByName("Replace").Interface(), reflect.ValueOf(*r).MethodByName("Get").Interface()}
	r.n = 5
	w := again(t, again(t, &v))
	runtime.GC()
	equal(t, 7, (*w)[1].(func(int) int)(2))
	equal(t, 7, (*w)[0].(*receiving).n)
	equal(t, "bbc", (*w)[2].(func(string) string)("abc"))
	equal(t, 1, (*w)[3].(func() int)())
	equal(t, 5, r.n)
}

// Package reflect calls Get of a pool of its own before it calls a method that it has made a
// function of.
func TestMadeOfPool(t *testing.T) {
	get := reflect.ValueOf(new(sync.Pool)).MethodByName("Get").Interface()
	_, err := Capture([]Root{{"get", &get}}, Options{})
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported), err)
	check(t, strings.HasPrefix(unsupported.Why, "it is a method of a sync.Pool"), err)
}

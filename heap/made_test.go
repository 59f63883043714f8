package heap

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// A function that package reflect has made of one is no closure that could be rewritten.
func TestMakeFunc(t *testing.T) {
	v := struct{ double func(int) int }{}
	f := reflect.MakeFunc(reflect.TypeOf(v.double), func(args []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(2 * int(args[0].Int()))}
	})
	v.double = f.Interface().(func(int) int)
	_, err := Capture([]Root{{"v", &v}}, Options{})
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported), err)
	equal(t, "v.double", unsupported.Path)
	check(t, strings.HasPrefix(unsupported.Why, "reflect.MakeFunc has made it"), err)
}

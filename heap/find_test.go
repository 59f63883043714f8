package heap

import (
	"reflect"
	"testing"
)

// TestEndlessType looks for types without names that are part of themselves: some image may describe them, and
// programs can make them with package reflect and unsafe conversions.
func TestEndlessType(t *testing.T) {
	pointer := &Type{Kind: reflect.Pointer}
	pointer.Elem = pointer
	_, err := newFinder().find(pointer)
	check(t, err != nil)
	node := &Type{Kind: reflect.Struct}
	node.Fields = []Field{{Name: "Next", Type: &Type{Kind: reflect.Pointer, Elem: node}}, {Name: "N", Type: &Type{Kind: reflect.Int, Name: "int"}}}
	f := newFinder()
	_, err = f.find(node)
	check(t, err != nil)
	number, err := f.find(&Type{Kind: reflect.Slice, Elem: node.Fields[1].Type})
	check(t, err == nil && number == reflect.TypeFor[[]int](), err)
}

package heap

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

// TestEndlessType looks for types without names that are part of themselves: some image may
// describe them, and programs can make them with package reflect and unsafe conversions.
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

// TestEmbeddedUnexported holds structs without a name that embed what is not exported, which
// package reflect can't make.
func TestEmbeddedUnexported(t *testing.T) {
	type inner struct{ n int }
	type holder struct {
		list  []any
		first *inner
	}
	h := &holder{first: &inner{7}}
	h.list = []any{
		struct {
			error
			int
		}{io.EOF, 3},
		&struct {
			*inner
			string
		}{h.first, "text"},
		struct {
			error
			int `key:"tag"`
		}{io.EOF, 4},
		struct{ inner }{*h.first},
	}
	w := again(t, h)
	for i := range h.list {
		equal(t, reflect.TypeOf(h.list[i]), reflect.TypeOf(w.list[i]))
	}
	check(t, w.list[0] == h.list[0] && w.list[2] == h.list[2] && w.list[3] == h.list[3])
	p := w.list[1].(*struct {
		*inner
		string
	})
	check(t, p.inner == w.first && p.inner != h.first && p.n == 7 && p.string == "text")
}

// TestNamedPointers captures values of named types that are pointers, which the binary lists only
// if another type leads to them.
func TestNamedPointers(t *testing.T) {
	type unlisted *int
	type listed *int
	type holder struct{ _ listed }
	n := 7
	var v struct{ x, holder any }
	v.x = unlisted(&n)
	_, err := Capture([]Root{{"v", &v}}, Options{})
	var u *UnsupportedError
	check(t, errors.As(err, &u))
	check(t, strings.Contains(err.Error(), "give a field of a struct this type"))

	v.x, v.holder = listed(&n), &holder{}
	w := again(t, &v)
	equal(t, 7, *w.x.(listed))
}

// TestFieldsOf compares the descriptions of all structs of the binary with what package reflect
// tells.
func TestFieldsOf(t *testing.T) {
	structs := 0
	for _, rt := range append(linkedTypes(), reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int8]()}, {Name: "B", Type: reflect.TypeFor[string]()}})) {
		if rt.Kind() != reflect.Struct {
			continue
		}
		structs++
		fields := fieldsOf(rt)
		equal(t, rt.NumField(), len(fields))
		for i, f := range fields {
			g := rt.Field(i)
			check(t, described(f.typ) == g.Type && f.offset == g.Offset && (*f.name&nameEmbedded != 0) == g.Anonymous, rt, g.Name)
		}
	}
	check(t, structs > 100, structs)
}

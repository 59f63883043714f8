package heap

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// TestReflectValues saves values of reflection: of variables, of copies, of what is a single
// reference, and of what is bound by name.
func TestReflectValues(t *testing.T) {
	type pair struct{ a, b int }
	type holder struct {
		p     *pair
		m     map[string]int
		field reflect.Value
		copy  reflect.Value
		ptr   reflect.Value
		maps  reflect.Value
		str   reflect.Value
		fn    reflect.Value
		typ   reflect.Value
		eof   reflect.Value
		none  reflect.Value
		empty reflect.Value
		wrap  reflect.Value
		list  []reflect.Value
	}
	type wrapped struct{ p *pair }
	h := &holder{p: &pair{1, 2}, m: map[string]int{"x": 3}}
	h.field = reflect.ValueOf(h.p).Elem().Field(1)
	h.copy = reflect.ValueOf(*h.p)
	h.ptr = reflect.ValueOf(h.p)
	h.maps = reflect.ValueOf(h.m)
	h.str = reflect.ValueOf("text")
	h.fn = reflect.ValueOf(double)
	h.typ = reflect.ValueOf(reflect.TypeFor[pair]())
	h.eof = reflect.ValueOf(io.EOF)
	h.empty = reflect.ValueOf(struct{}{})
	h.wrap = reflect.ValueOf(wrapped{h.p})
	for i := range 10 {
		h.list = append(h.list, reflect.ValueOf(i), reflect.ValueOf(int8(i)))
	}
	b := *again(t, &h)
	b.p.b = 7
	equal(t, int64(7), b.field.Int())
	equal(t, int64(2), b.copy.Field(1).Int())
	check(t, b.ptr.Interface() == any(b.p))
	b.maps.SetMapIndex(reflect.ValueOf("y"), reflect.ValueOf(4))
	equal(t, 4, b.m["y"])
	equal(t, "text", b.str.String())
	equal(t, 6, b.fn.Interface().(func(int) int)(3))
	check(t, b.typ.Interface() == any(reflect.TypeFor[pair]()))
	check(t, b.eof.Interface() == any(io.EOF))
	check(t, !b.none.IsValid())
	equal(t, struct{}{}, b.empty.Interface())
	check(t, b.wrap.Field(0).UnsafePointer() == b.ptr.UnsafePointer())
	for i := range 10 {
		equal(t, i, b.list[2*i].Interface())
		equal(t, int8(i), b.list[2*i+1].Interface())
	}
}

type methodical struct{ n int }

func (m methodical) Plus(list ...int) (int, error) { return m.n + len(list), nil }
func (m *methodical) Set(n int)                    { m.n = n }

type digit int8

func (d digit) Next() digit { return d + 1 }

// TestReflectedMethods saves methods of values: of pointers, of variables, of copies, and of what
// an interface holds.
func TestReflectedMethods(t *testing.T) {
	type holder struct {
		m        methodical
		p        *methodical
		set      reflect.Value
		plus     reflect.Value
		copied   reflect.Value
		next     reflect.Value
		variable fmt.Stringer
		text     reflect.Value
		of       reflect.Value
	}
	h := &holder{m: methodical{1}, p: &methodical{10}, variable: reflect.ValueOf(7)}
	h.set = reflect.ValueOf(h.p).MethodByName("Set")
	h.plus = reflect.ValueOf(&h.m).Elem().MethodByName("Plus")
	h.copied = reflect.ValueOf(h.m).MethodByName("Plus")
	h.next = reflect.ValueOf(digit(3)).MethodByName("Next")
	h.text = reflect.ValueOf(&h.variable).Elem().MethodByName("String")
	h.of = reflect.ValueOf(reflect.ValueOf(int64(5))).MethodByName("Int")
	b := *again(t, &h)
	b.m.n = 2
	b.set.Call([]reflect.Value{reflect.ValueOf(11)})
	equal(t, 11, b.p.n)
	equal(t, 3, b.plus.Call([]reflect.Value{reflect.ValueOf(0)})[0].Interface())
	equal(t, 2, b.copied.Call([]reflect.Value{reflect.ValueOf(0)})[0].Interface())
	equal(t, digit(4), b.next.Call(nil)[0].Interface())
	equal(t, "<int Value>", b.text.Call(nil)[0].Interface())
	b.variable = time.Second
	equal(t, "1s", b.text.Call(nil)[0].Interface())
	equal(t, int64(5), b.of.Call(nil)[0].Interface())
}

// TestDefinedReflections saves values of a type that is defined as reflect.Value.
func TestDefinedReflections(t *testing.T) {
	type list reflect.Value
	type holder struct {
		n       int
		numbers list
		to      list
		any     any
	}
	h := &holder{n: 1, numbers: list(reflect.ValueOf([]int{1, 2, 3}))}
	h.to = list(reflect.ValueOf(&h.n).Elem())
	h.any = list(reflect.ValueOf(&h.n))
	b := *again(t, &h)
	b.n = 5
	equal(t, 3, reflect.Value(b.numbers).Index(2).Interface())
	equal(t, 5, reflect.Value(b.to).Interface())
	check(t, reflect.Value(b.any.(list)).Interface() == any(&b.n))
}

// TestMethods saves methods as reflection tells them: their types are in no binary, and their
// functions are words that reflection has allocated.
func TestMethods(t *testing.T) {
	type holder struct {
		plus, set reflect.Method
		byType    map[reflect.Type]string
		fields    reflect.Type
	}
	h := new(holder)
	h.plus, _ = reflect.TypeFor[methodical]().MethodByName("Plus")
	h.set, _ = reflect.TypeFor[*methodical]().MethodByName("Set")
	if unsafe.Sizeof(uintptr(0)) < 8 { // allocations of one word are not told from others
		h.plus.Func, h.set.Func = reflect.Value{}, reflect.Value{}
	}
	nested := reflect.FuncOf([]reflect.Type{h.set.Type, reflect.SliceOf(h.plus.Type)}, nil, false)
	h.byType = map[reflect.Type]string{h.plus.Type: "plus", nested: "nested"}
	h.fields = reflect.StructOf([]reflect.StructField{{Name: "F", Type: nested}})
	for range 2 {
		b := *again(t, &h)
		check(t, b.plus.Type == h.plus.Type && b.set.Type == h.set.Type && b.fields == h.fields)
		equal(t, h.byType, b.byType)
		if h = b; !b.set.Func.IsValid() {
			continue
		}
		m := &methodical{1}
		b.set.Func.Call([]reflect.Value{reflect.ValueOf(m), reflect.ValueOf(40)})
		sum := b.plus.Func.Call([]reflect.Value{reflect.ValueOf(*m), reflect.ValueOf(1), reflect.ValueOf(2)})
		equal(t, 42, sum[0].Interface())
	}
	captured := func() int { return h.plus.Index }
	v := struct{ f func() int }{captured}
	_, err := Capture([]Root{{"v", &v}}, Options{})
	check(t, err != nil, err)
}

// TestManyMethods saves as many as fill runs of pages: behind the last of a run the runtime knows
// no allocation, and does not survive the question.
func TestManyMethods(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) < 8 {
		t.Skip("allocations of one word are not told from others")
	}
	var list []reflect.Value
	for range 3000 {
		m, _ := reflect.TypeFor[methodical]().MethodByName("Plus")
		list = append(list, m.Func)
	}
	b := *again(t, &list)
	sum := b[2999].Call([]reflect.Value{reflect.ValueOf(methodical{1}), reflect.ValueOf(1)})
	equal(t, 2, sum[0].Interface())
}

// TestSmallValues saves values of several types that the runtime keeps at one address.
func TestSmallValues(t *testing.T) {
	type row struct{ A, B, C int }
	type holder struct {
		fields []reflect.StructField
		text   []string
		boxes  []any
		index  []*int
	}
	h := new(holder)
	for i := range reflect.TypeFor[row]().NumField() {
		f := reflect.TypeFor[row]().Field(i)
		h.fields = append(h.fields, f)
		h.text = append(h.text, string([]byte{byte(i)}))
		h.boxes = append(h.boxes, i, uint8(i), i == 1)
		h.index = append(h.index, &f.Index[0])
	}
	check(t, uintptr(unsafe.Pointer(unsafe.StringData(h.text[2])))-uintptr(unsafe.Pointer(h.index[2])) < 8) // 7 in the other byte order
	b := again(t, h)
	for i := range h.fields {
		equal(t, i, b.fields[i].Index[0])
		equal(t, i, *b.index[i])
		equal(t, h.text[i], b.text[i])
		equal(t, h.boxes[3*i:3*i+3], b.boxes[3*i:3*i+3])
	}
}

// TestCyclic refuses structs without names that are parts of themselves, and of each other: an
// interpreter makes them so, as package reflect can't. Their texts end.
func TestCyclic(t *testing.T) {
	linked := func(i int) reflect.Type { // with two fields to change
		next := reflect.StructField{Name: "Next", Type: reflect.TypeFor[*int]()}
		other := reflect.StructField{Name: "Other", Type: reflect.TypeFor[*int]()}
		id := reflect.StructField{Name: "ID", Type: reflect.ArrayOf(i+100, reflect.TypeFor[byte]())} // no other has it
		return reflect.StructOf([]reflect.StructField{next, other, id})
	}
	change := func(s reflect.Type, field int, to reflect.Type) {
		type member struct {
			_, typ unsafe.Pointer
			_      uintptr
		}
		(*struct {
			_      [4]uintptr
			_      [16]byte
			_      unsafe.Pointer
			fields []member
		})(descriptor(s)).fields[field].typ = descriptor(to)
	}
	var list []reflect.Type
	for i := range 30 {
		list = append(list, linked(i))
	}
	for i, s := range list {
		change(s, 0, reflect.PointerTo(list[(i+1)%len(list)]))
		change(s, 1, reflect.FuncOf([]reflect.Type{reflect.PointerTo(list[(i*7+3)%len(list)])}, nil, false))
	}
	var holder struct{ x any }
	holder.x = reflect.New(list[0]).Interface()
	_, err := Capture([]Root{{"holder", &holder}}, Options{})
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && unsupported.Path == "holder.x" && strings.Contains(unsupported.Why, "part of itself"), err)
	text := typeText(list[1])
	check(t, strings.HasPrefix(text, "struct{Next *struct{") && strings.Contains(text, "*struct#1") && len(text) < 10000, text)
	same := reflect.TypeFor[func(struct{ a int }, struct{ a int })]()
	pkg := reflect.TypeFor[plan]().PkgPath()
	equal(t, "func(struct{"+pkg+".a int}, struct{"+pkg+".a int})", typeText(same))
}

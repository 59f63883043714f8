package heap

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// TestPointees captures what nothing but an unsafe pointer leads to, whose type is told.
func TestPointees(t *testing.T) {
	type node struct {
		value int
		next  unsafe.Pointer // *node
	}
	type vars struct {
		first unsafe.Pointer // *node
		other unsafe.Pointer
		held  any
	}
	is := func(of reflect.Type, field string) Pointee {
		return Pointee{Of: of, Field: field, To: reflect.TypeFor[node]()}
	}
	opt := Options{Pointees: []Pointee{is(reflect.TypeFor[vars](), "first"), is(reflect.TypeFor[node](), "next")}}
	last := &node{value: 3}
	v := &vars{first: unsafe.Pointer(&node{1, unsafe.Pointer(&node{2, unsafe.Pointer(last)})}), other: unsafe.Pointer(last)}
	v.held = (*node)(v.first)
	w := new(vars)
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, opt)
	first := (*node)(w.first)
	second := (*node)(first.next)
	third := (*node)(second.next)
	equal(t, []int{1, 2, 3}, []int{first.value, second.value, third.value})
	check(t, third.next == nil && w.other == unsafe.Pointer(third) && w.held == first && w.first != v.first)

	v.other = unsafe.Pointer(new(node))
	_, err := Capture([]Root{{"v", v}}, opt)
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && unsupported.Path == "v.other", err)

	// It is part of something larger, or no memory of Go's: nobody knows what.
	array := new([4]node)
	for _, p := range []unsafe.Pointer{unsafe.Pointer(&array[1]), unsafe.Pointer(unsafe.StringData("read only"))} {
		v.first, v.other, v.held = p, nil, nil
		_, err = Capture([]Root{{"v", v}}, opt)
		check(t, errors.As(err, &unsupported) && unsupported.Path == "v.first", err)
	}
}

// TestPointeeOfPart captures what an unsafe pointer leads to of which another pointer leads to the
// first part only.
func TestPointeeOfPart(t *testing.T) {
	type node struct {
		name string
		n    [9]int
	}
	type vars struct {
		name *string
		node unsafe.Pointer   // *node
		list []unsafe.Pointer // *node
	}
	is := func(field string) Pointee {
		return Pointee{Of: reflect.TypeFor[vars](), Field: field, To: reflect.TypeFor[node]()}
	}
	opt := Options{Pointees: []Pointee{is("node"), is("list")}}
	of := &node{name: "first"}
	of.n[8] = 9
	v, w := &vars{name: &of.name, node: unsafe.Pointer(of)}, new(vars)
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, opt)
	check(t, w.name == &(*node)(w.node).name)
	equal(t, *of, *(*node)(w.node))

	for _, list := range []bool{false, true} { // as an element of an array of which nothing else is known
		of = &new([3]node)[1]
		v.name, v.node, v.list = &of.name, unsafe.Pointer(of), nil
		if list {
			v.node, v.list = nil, []unsafe.Pointer{v.node}
		}
		_, err := Capture([]Root{{"v", v}}, opt)
		check(t, err != nil && strings.Contains(err.Error(), "larger than the string"), err)
	}
}

// TestUnknownPart refuses an unsafe pointer to something of which other pointers lead to the first
// part only.
func TestUnknownPart(t *testing.T) {
	type vars struct {
		name  *string
		whole unsafe.Pointer
	}
	of := new([2]string)
	v := &vars{&of[0], unsafe.Pointer(of)}
	_, err := Capture([]Root{{"v", v}}, Options{})
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && unsupported.Path == "v.whole" && strings.Contains(err.Error(), "larger than the string"), err)

	v.name = new(string)
	v.whole = unsafe.Pointer(v.name)
	w := new(vars)
	through(t, []Root{{"v", v}}, []Root{{"v", w}})
	check(t, w.whole == unsafe.Pointer(w.name))
}

// TestPointeesInLists captures what nothing but the unsafe pointers of a slice or an array lead to.
func TestPointeesInLists(t *testing.T) {
	type bucket struct {
		n    int
		next [3]unsafe.Pointer // *bucket
		text [9]unsafe.Pointer // *string
		more []unsafe.Pointer  // *string
	}
	type vars struct {
		buckets []unsafe.Pointer // *bucket
		same    []unsafe.Pointer
		maps    []unsafe.Pointer // *map[string]int
	}
	is := func(of reflect.Type, field string, to reflect.Type) Pointee {
		return Pointee{Of: of, Field: field, To: to}
	}
	opt := Options{Pointees: []Pointee{
		is(reflect.TypeFor[vars](), "buckets", reflect.TypeFor[bucket]()),
		is(reflect.TypeFor[vars](), "maps", reflect.TypeFor[map[string]int]()),
		is(reflect.TypeFor[bucket](), "next", reflect.TypeFor[bucket]()),
		is(reflect.TypeFor[bucket](), "text", reflect.TypeFor[string]()),
		is(reflect.TypeFor[bucket](), "more", reflect.TypeFor[string]()),
	}}
	text, more, m := "text", "more", map[string]int{"a": 1}
	last := &bucket{n: 3}
	last.text[8] = unsafe.Pointer(&text)
	second := &bucket{n: 2, more: []unsafe.Pointer{unsafe.Pointer(&more)}}
	second.next[2] = unsafe.Pointer(last)
	v := &vars{buckets: []unsafe.Pointer{nil, unsafe.Pointer(&bucket{n: 1}), unsafe.Pointer(second), unsafe.Pointer(last)}[:3]}
	v.same, v.maps = v.buckets[2:], []unsafe.Pointer{unsafe.Pointer(&m)}
	w := new(vars)
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, opt)
	first, then := (*bucket)(w.buckets[1]), (*bucket)(w.same[0])
	check(t, w.buckets[0] == nil && first.n == 1 && then.n == 2 && then != second)
	end := (*bucket)(then.next[2])
	check(t, end.n == 3 && end.next[0] == nil && *(*string)(end.text[8]) == "text" && *(*string)(then.more[0]) == "more" && unsafe.Pointer(end) == w.buckets[:4][3])
	equal(t, m, *(*map[string]int)(w.maps[0]))

	// Small ones share an allocation.
	type small struct{ n int32 }
	type holder struct{ list []unsafe.Pointer }
	h, g := new(holder), new(holder)
	for i := range 9 {
		h.list = append(h.list, unsafe.Pointer(&small{int32(i)}))
	}
	throughWith(t, []Root{{"h", h}}, []Root{{"h", g}}, Options{Pointees: []Pointee{is(reflect.TypeFor[holder](), "list", reflect.TypeFor[small]())}})
	for i, p := range g.list {
		equal(t, int32(i), (*small)(p).n)
	}

	array := new([4]bucket)
	v.buckets[0] = unsafe.Pointer(&array[1]) // a part of something larger: nobody knows of what
	_, err := Capture([]Root{{"v", v}}, opt)
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && unsupported.Path == "v.buckets[0]", err)
}

// TestTold captures the words of interfaces that were taken apart, and strings without their
// headers.
func TestTold(t *testing.T) {
	type value struct {
		_   [0]func()
		num uint64
		ptr unsafe.Pointer
		typ unsafe.Pointer
	}
	type wide struct{ a, b *int }
	type vars struct {
		values []value
		one    value
		number *int
		text   string
		bytes  []byte
	}
	opt := Options{Pointees: []Pointee{{Of: reflect.TypeFor[value](), Field: "ptr", Type: "typ", Count: "num"}}}
	taken := func(x any) value {
		w := (*words)(unsafe.Pointer(&x))
		return value{ptr: w.data, typ: w.typ}
	}
	put := func(v value) (x any) {
		*(*words)(unsafe.Pointer(&x)) = words{v.typ, v.ptr}
		return x
	}
	typeOf := func(x any) unsafe.Pointer { return (*words)(unsafe.Pointer(&x)).typ }
	textOf := func(s string) value {
		return value{typ: typeOf(""), ptr: unsafe.Pointer(unsafe.StringData(s)), num: uint64(len(s))}
	}
	bytesOf := func(b []byte) value {
		return value{typ: typeOf([]byte(nil)), ptr: unsafe.Pointer(unsafe.SliceData(b)), num: uint64(len(b))}
	}
	text := func(v value) string { return unsafe.String((*byte)(v.ptr), int(v.num)) }
	slice := func(v value) []byte { return unsafe.Slice((*byte)(v.ptr), int(v.num)) }

	n := 7
	long := strings.Repeat("long ", 100)
	v := &vars{number: &n, text: long, bytes: []byte("some bytes")}
	v.values = []value{
		taken(3.5), taken(&n), taken(wide{&n, nil}), taken(map[string]*int{"n": &n}), taken(strings.ToUpper),
		taken(struct{}{}), taken([2]any{1, "two"}), taken(reflect.TypeFor[wide]()), taken(unsafe.Pointer(&n)), taken(unsafe.Pointer(nil)),
		textOf(long[5:9]), textOf(strings.Clone("of its own")), textOf("constant"), textOf(""), textOf(long[:0]),
		bytesOf(v.bytes[2:4:4]), bytesOf([]byte("alone")), bytesOf(nil), bytesOf([]byte{}), {}, {num: 5, typ: typeOf(0)},
	}
	v.one = v.values[1]
	c := make(chan int, 1)
	c <- 8
	v.values = append(v.values, taken(c))
	w := new(vars)
	throughWith(t, []Root{{"v", v}}, []Root{{"v", w}}, opt)
	is := w.values
	check(t, w.number != &n && put(w.one) == any(w.number))
	check(t, put(is[0]) == 3.5 && put(is[1]) == any(w.number) && put(is[2]) == any(wide{w.number, nil}) && put(is[3]).(map[string]*int)["n"] == w.number)
	equal(t, "ABC", put(is[4]).(func(string) string)("abc"))
	check(t, put(is[5]) == struct{}{} && put(is[6]) == [2]any{1, "two"} && put(is[7]) == any(reflect.TypeFor[wide]()))
	check(t, put(is[8]) == any(unsafe.Pointer(w.number)) && put(is[9]) == any(unsafe.Pointer(nil)))
	equal(t, []string{"long", "of its own", "constant", "", ""}, []string{text(is[10]), text(is[11]), text(is[12]), text(is[13]), text(is[14])})
	check(t, is[10].ptr == unsafe.Pointer(unsafe.StringData(w.text[5:])) && is[15].ptr == unsafe.Pointer(&w.bytes[2]))
	equal(t, []string{"me", "alone"}, []string{string(slice(is[15])), string(slice(is[16]))})
	check(t, slice(is[17]) == nil && slice(is[18]) != nil && is[19].typ == nil && is[20].num == 5 && is[20].typ == typeOf(0))
	equal(t, 8, <-put(is[21]).(chan int))

	// What is not told, or lies, is refused.
	broken := textOf(long)
	broken.num = 1 << 60
	for _, x := range []value{{ptr: unsafe.Pointer(new(int))}, {ptr: unsafe.Pointer(new(int)), typ: unsafe.Pointer(&n)}, broken} {
		v.values = []value{x}
		_, err := Capture([]Root{{"v", v}}, opt)
		var unsupported *UnsupportedError
		check(t, errors.As(err, &unsupported) && strings.HasPrefix(unsupported.Path, "v.values[0]."), err)
	}
}

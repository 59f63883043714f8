package heap

//lint:file-ignore SA1019 programs use these types
//lint:file-ignore U1000 fields that nobody uses take room

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// A header is a view of a slice or string; alone it is a number that means nothing elsewhere.
func TestHeaders(t *testing.T) {
	type vars struct {
		list    []float64
		header  *reflect.SliceHeader
		text    *string
		letters *reflect.StringHeader
	}
	v := &vars{list: []float64{1, 2, 3}, text: new(string)}
	*v.text = "letters"
	v.header = (*reflect.SliceHeader)(unsafe.Pointer(&v.list))
	v.letters = (*reflect.StringHeader)(unsafe.Pointer(v.text))
	w := again(t, v)
	equal(t, v.list, w.list)
	equal(t, unsafe.Pointer(&w.list), unsafe.Pointer(w.header))
	equal(t, unsafe.Pointer(w.text), unsafe.Pointer(w.letters))
	equal(t, "letters", *w.text)

	alone := struct{ header *reflect.SliceHeader }{(*reflect.SliceHeader)(unsafe.Pointer(&[3]uintptr{uintptr(unsafe.Pointer(&v.list[0])), 1, 1}))}
	_, err := Capture([]Root{{"alone", &alone}}, Options{})
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported))
}

// TestUnsafePointersToPointers captures addresses of pointers, maps, channels and functions that
// are also those of unsafe pointers.
func TestUnsafePointersToPointers(t *testing.T) {
	type node struct {
		number int
		next   *node
		after  *unsafe.Pointer // of next
	}
	type vars struct {
		list  *node
		pair  [2]*node
		words [2]*unsafe.Pointer
		m     map[string]int
		c     chan int
		f     func()
		of    [3]*unsafe.Pointer
		alone **node
		same  *unsafe.Pointer
		none  *node
		nil   *unsafe.Pointer
	}
	v := &vars{list: &node{number: 1, next: &node{number: 2}}, m: map[string]int{"a": 1}, c: make(chan int, 1), f: func() {}, alone: new(*node)}
	v.list.after, v.list.next.after = (*unsafe.Pointer)(unsafe.Pointer(&v.list.next)), (*unsafe.Pointer)(unsafe.Pointer(&v.list.next.next))
	v.pair = [2]*node{v.list.next, {number: 3}}
	v.words = [2]*unsafe.Pointer{(*unsafe.Pointer)(unsafe.Pointer(&v.pair[1])), (*unsafe.Pointer)(unsafe.Pointer(&v.pair[0]))}
	v.of = [3]*unsafe.Pointer{(*unsafe.Pointer)(unsafe.Pointer(&v.m)), (*unsafe.Pointer)(unsafe.Pointer(&v.c)), (*unsafe.Pointer)(unsafe.Pointer(&v.f))}
	*v.alone, v.same = v.list, (*unsafe.Pointer)(unsafe.Pointer(v.alone))
	v.nil = (*unsafe.Pointer)(unsafe.Pointer(&v.none))

	w := again(t, v)
	equal(t, unsafe.Pointer(&w.list.next), unsafe.Pointer(w.list.after))
	equal(t, unsafe.Pointer(&w.list.next.next), unsafe.Pointer(w.list.next.after))
	equal(t, 2, (*node)(*w.list.after).number)
	equal(t, 3, (*node)(*w.words[0]).number)
	equal(t, w.list.next, (*node)(*w.words[1]))
	equal(t, unsafe.Pointer(&w.pair[1]), unsafe.Pointer(w.words[0]))
	equal(t, unsafe.Pointer(&w.m), unsafe.Pointer(w.of[0]))
	equal(t, unsafe.Pointer(&w.c), unsafe.Pointer(w.of[1]))
	equal(t, unsafe.Pointer(&w.f), unsafe.Pointer(w.of[2]))
	equal(t, 1, w.m["a"])
	equal(t, unsafe.Pointer(w.alone), unsafe.Pointer(w.same))
	equal(t, w.list, *w.alone)
	equal(t, unsafe.Pointer(&w.none), unsafe.Pointer(w.nil))

	// So are slices of pointers looked at as slices of unsafe pointers, or of structs of one.
	type pointer struct{ p unsafe.Pointer }
	type several struct {
		views []pointer
		nodes []*node
		words []unsafe.Pointer
		maps  [2]map[string]int
		map2  []pointer
		part  []pointer
	}
	s := &several{nodes: []*node{v.list, nil, v.list.next}, maps: [2]map[string]int{{"x": 1}, {"y": 2}}}
	s.views = *(*[]pointer)(unsafe.Pointer(&s.nodes))
	s.words = unsafe.Slice((*unsafe.Pointer)(unsafe.Pointer(&s.nodes[1])), 2)
	s.map2 = unsafe.Slice((*pointer)(unsafe.Pointer(&s.maps)), 2)
	s.part = s.views[1:2]
	r := again(t, s)
	equal(t, unsafe.Pointer(&r.nodes[0]), unsafe.Pointer(&r.views[0]))
	equal(t, unsafe.Pointer(&r.nodes[1]), unsafe.Pointer(&r.words[0]))
	equal(t, unsafe.Pointer(&r.nodes[1]), unsafe.Pointer(&r.part[0]))
	equal(t, unsafe.Pointer(&r.maps), unsafe.Pointer(&r.map2[0]))
	equal(t, 3, len(r.views))
	equal(t, unsafe.Pointer(r.nodes[2]), r.views[2].p)
	equal(t, r.nodes[0].next, r.nodes[2])
	equal(t, 2, r.maps[1]["y"])

	// A variable that is an unsafe pointer stays one.
	list := v.list
	variable, other := unsafe.Pointer(list), struct{ p **node }{}
	other.p = (**node)(unsafe.Pointer(&variable))
	_, err := Capture([]Root{{"variable", &variable}, {"other", &other}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "the same memory is also used as"), err)
}

// TestViews captures pointers to the words of values, in the types that programs declare for that.
func TestViews(t *testing.T) {
	type iface struct{ typ, word unsafe.Pointer }
	type slice struct {
		data     unsafe.Pointer
		len, cap int
	}
	type text struct {
		data uintptr
		len  int
	}
	type vars struct {
		numbers []float64
		number  any
		words   *iface
		slice   *slice
		string  string
		text    *text
		pair    *iface // of its own
		direct  any    // the unsafe pointer is its data word
	}
	v := &vars{numbers: []float64{1, 2, 3}, number: 0.5, string: "letters"}
	v.words = (*iface)(unsafe.Pointer(&v.number))
	v.words.word = unsafe.Pointer(&v.numbers[1])
	v.slice = (*slice)(unsafe.Pointer(&v.numbers))
	v.text = (*text)(unsafe.Pointer(&v.string))
	v.pair = &iface{unsafe.Pointer(v), unsafe.Pointer(&v.numbers[2])}
	v.direct = struct{ p unsafe.Pointer }{unsafe.Pointer(v)}
	w := again(t, v)
	check(t, w.direct == struct{ p unsafe.Pointer }{unsafe.Pointer(w)})
	equal(t, 2.0, w.number)
	equal(t, []float64{1, 2, 3}, w.numbers)
	check(t, w != v && unsafe.Pointer(w.words) == unsafe.Pointer(&w.number) && unsafe.Pointer(w.slice) == unsafe.Pointer(&w.numbers))
	check(t, unsafe.Pointer(w.text) == unsafe.Pointer(&w.string) && w.pair.typ == unsafe.Pointer(w) && w.pair.word == unsafe.Pointer(&w.numbers[2]))
	w.words.word = unsafe.Pointer(&w.numbers[2])
	equal(t, 3.0, w.number)

	v.pair.word = unsafe.Pointer(new(int))
	_, err := Capture([]Root{{"v", v}}, Options{})
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && unsupported.Path == "v.pair.word", err)
	v.pair.word, v.direct = nil, struct{ p unsafe.Pointer }{unsafe.Pointer(new(int))}
	_, err = Capture([]Root{{"v", v}}, Options{})
	check(t, errors.As(err, &unsupported) && strings.HasPrefix(unsupported.Path, "v.direct"), err)
}

// TestSingle keeps in interfaces what takes one word there, and what seems to.
func TestSingle(t *testing.T) {
	type before struct {
		z [0]int // aligned as a word of eight bytes is, also in an image whose references have four
		p *float64
	}
	type after struct {
		p *float64
		z [0]int
	}
	type inside struct {
		a [1]before
		z struct{}
	}
	type around struct {
		z [0]complex128
		a [1]struct{ before }
	}
	type two struct {
		a [1]*float64
		b [0]*int
		c before
	}
	f := new(float64)
	for _, p := range []*float64{nil, f} {
		b := before{p: p}
		vars := []any{f, b, after{p: p}, inside{a: [1]before{b}}, around{a: [1]struct{ before }{{b}}}, two{c: b}, [1]before{b}, [1][1]*float64{{p}}, [2]before{b, b}, &b}
		again := *again(t, &vars)
		for i, x := range again {
			check(t, reflect.TypeOf(x) == reflect.TypeOf(vars[i]))
		}
		q := again[0].(*float64)
		if p == nil {
			q = nil
		}
		b.p = q
		equal(t, []any{again[0], b, after{p: q}, inside{a: [1]before{b}}, around{a: [1]struct{ before }{{b}}}, two{c: b}, [1]before{b}, [1][1]*float64{{q}}, [2]before{b, b}}, again[:9])
		check(t, again[1].(before).p == q && again[4].(around).a[0].p == q && again[8].([2]before)[1].p == q && again[9].(*before).p == q)
	}
}

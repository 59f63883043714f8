package heap

import (
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

type headPart struct{ info *int }

type headWhole struct {
	headPart
	text string
	next *headWhole
	rest [3]*int
}

type headNumber struct{ n int }

type headNumbered struct {
	headNumber
	rest [7]int
}

type headLarge struct {
	headPart
	rest [100]*int
}

// TestHeads captures beginnings of structs, of which the program makes the whole structs again.
func TestHeads(t *testing.T) {
	opt := Options{Heads: []string{reflect.TypeFor[headPart]().PkgPath() + ".headPart", reflect.TypeFor[headPart]().PkgPath() + ".headNumber"}}
	refused := func(v any) string {
		_, err := Capture([]Root{{"v", v}}, opt)
		var unsupported *UnsupportedError
		if err != nil {
			check(t, errors.As(err, &unsupported), err)
			return unsupported.Path
		}
		return ""
	}
	for range 600 { // also where an allocation is the first of a page
		var v struct {
			part  any
			other *string
			whole *headWhole
		}
		alone := &headPart{new(int)}
		v.part = alone
		equal(t, "", refused(&v))
		w := &headWhole{text: "whole"}
		v.part = (*headPart)(unsafe.Pointer(w))
		equal(t, "v.part", refused(&v))
		v.other = &w.text
		check(t, refused(&v) != "")
		v.whole = w
		equal(t, "", refused(&v))
		large := new(headLarge) // the type of an allocation of this size is known
		large.rest[99] = new(int)
		v.part = (*headPart)(unsafe.Pointer(large))
		equal(t, "", refused(&v))
		v.part = &headNumber{1}
		equal(t, "", refused(&v))
		v.part = (*headNumber)(unsafe.Pointer(new(headNumbered)))
		equal(t, "v.part", refused(&v))
	}
}

// TestSmallHeads does that with beginnings that would share their allocations with others, were
// they not beginnings.
func TestSmallHeads(t *testing.T) {
	type part[T any] struct{ kind T }
	type whole struct {
		part[int]
		_ [2]int64
	}
	opt := Options{Heads: []string{genericOf(reflect.TypeFor[part[int]]())}}
	for range 600 {
		w := &whole{part: part[int]{1}}
		v := struct{ list []*part[int] }{[]*part[int]{{2}, {3}, &w.part}}
		_, err := Capture([]Root{{"v", &v}}, opt)
		var unsupported *UnsupportedError
		check(t, errors.As(err, &unsupported) && unsupported.Path == "v.list[2]", err)
		v.list[2] = &part[int]{4}
		_, err = Capture([]Root{{"v", &v}}, opt)
		must(t, err)
		runtime.KeepAlive(w)
	}
}

// TestNumbersOfStructs does that with pointers to numbers that are nothing but the addresses of
// structs, also where such numbers may be the first of several, and where they could share their
// allocations with others.
func TestNumbersOfStructs(t *testing.T) {
	type small struct{ p *small }
	for _, opt := range []Options{{Heads: []string{"uint8"}}, {Heads: []string{"uint8"}, Firsts: map[string]bool{"uint8": true}}} {
		for range 600 {
			var v struct{ mark any }
			refused := func() string {
				_, err := Capture([]Root{{"v", &v}}, opt)
				var unsupported *UnsupportedError
				if err == nil {
					return ""
				}
				check(t, errors.As(err, &unsupported), err)
				return unsupported.Path
			}
			w, s := new(headWhole), new(small)
			w.next, s.p = w, s
			v.mark = (*byte)(unsafe.Pointer(w))
			equal(t, "v.mark", refused())
			v.mark = (*byte)(unsafe.Pointer(s))
			equal(t, "v.mark", refused())
			v.mark = new(byte)
			equal(t, "", refused())
			runtime.KeepAlive(w)
			runtime.KeepAlive(s)
		}
	}
}

// TestHeadsInPieces captures an array of beginnings of which each slice has one element.
func TestHeadsInPieces(t *testing.T) {
	opt := Options{Heads: []string{reflect.TypeFor[headPart]().PkgPath() + ".headPart"}}
	for n := 8; n < 60; n++ {
		all := make([]headPart, n)
		v := struct{ list [][]headPart }{}
		for i := range all {
			all[i].info = new(int)
			v.list = append(v.list, all[i:i:i+1])
		}
		_, err := Capture([]Root{{"v", &v}}, opt)
		must(t, err)
		v.list = v.list[: n/2 : n/2]
		_, err = Capture([]Root{{"v", &v}}, opt)
		if uintptr(n)*unsafe.Sizeof(all[0]) > headerless {
			must(t, err) // the allocation tells what is in it
			continue
		}
		var unsupported *UnsupportedError
		check(t, errors.As(err, &unsupported) && strings.HasPrefix(unsupported.Path, "v.list["), n, err)
		runtime.KeepAlive(all)
	}
}

// TestHeadsOfArrays saves pointers to elements of arrays to which the program adds: the array is
// whole again, as far as each element is known, and if it is large also if one is.
func TestHeadsOfArrays(t *testing.T) {
	type element struct {
		n    int
		next *element
		text [3]string
	}
	opt := Options{Heads: []string{genericOf(reflect.TypeFor[element]())}}
	at := func(p *element, i int) *element {
		return (*element)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
	}
	for _, n := range []int{2, 3, 5, 6, 40, 300, 900} {
		all := make([]element, n)
		for i := range all {
			all[i].n = i
			all[i].text[2] = string(rune('a' + i))
		}
		for i := range n / 2 {
			all[i].next = &all[n-1-i] // not in their order
			all[n-1-i].next = &all[i+1]
		}
		first := &all[0]
		if large := uintptr(n) * unsafe.Sizeof(element{}); large > headerless && large < 30<<10 {
			for i := range all {
				all[i].next = nil
			}
			first = &all[n/3]
		}
		first = *againWith(t, &first, opt)
		for i := range n {
			e := at(first, i-first.n)
			equal(t, i, e.n)
			equal(t, string(rune('a'+i)), e.text[2])
			check(t, e.next == nil || e.next == at(first, e.next.n-first.n))
		}
	}
	// The one that it begins is told by the allocation, too.
	large := new(headLarge)
	large.info, large.rest[99] = new(7), new(8)
	part := &large.headPart
	part = *againWith(t, &part, Options{Heads: []string{genericOf(reflect.TypeFor[headPart]())}})
	large = (*headLarge)(unsafe.Pointer(part))
	equal(t, 7, *large.info)
	equal(t, 8, *large.rest[99])
}

type headChunk[T any] struct {
	headPart
	items [90]T
}

//go:noinline
func newChunk[T any](v T) *headPart {
	c := &headChunk[T]{}
	c.items[89] = v
	return &c.headPart
}

// TestPartsInside captures beginnings of structs that are elements and fields themselves. They are
// refused where the program converts them to what they begin.
func TestPartsInside(t *testing.T) {
	type part struct {
		kind int
		next *int
	}
	type whole struct {
		_ [0]func()
		part
		text string
	}
	type number int16
	type numbered struct {
		number
		text string
	}
	opt := Options{Heads: []string{genericOf(reflect.TypeFor[part]()), genericOf(reflect.TypeFor[number]())}}
	for range 50 {
		for _, n := range []int{2, 5, 9} {
			list := make([]whole, n)
			list[1] = whole{part: part{1, new(int)}, text: "whole"}
			ofNumbers := make([]numbered, n)
			ofNumbers[1].text = "numbered"
			inField := &struct {
				id    int
				whole whole
			}{}
			var v struct {
				part   *part
				number *number
				whole  []whole
			}
			v.part, v.number = &list[n-1].part, &ofNumbers[1].number
			_, err := Capture([]Root{{"v", &v}}, opt)
			check(t, err == nil, err) // it may be that nobody asks for the whole
			opt := Options{Heads: opt.Heads, Parts: opt.Heads}
			_, err = Capture([]Root{{"v", &v}}, opt)
			check(t, err != nil && strings.Contains(err.Error(), "v.part"), err)
			v.whole = list
			_, err = Capture([]Root{{"v", &v}}, opt)
			check(t, err != nil && strings.Contains(err.Error(), "v.number"), err)
			v.number = new(number)
			_, err = Capture([]Root{{"v", &v}}, opt)
			check(t, err == nil, err)
			v.part = &inField.whole.part
			_, err = Capture([]Root{{"v", &v}}, opt)
			check(t, err != nil && strings.Contains(err.Error(), "v.part"), err)
			parts := make([]part, n)
			v.part = &parts[0]
			_, err = Capture([]Root{{"v", &v}}, opt)
			check(t, err != nil, err)
			v.part = &part{}
			_, err = Capture([]Root{{"v", &v}}, opt)
			check(t, err == nil, err)
		}
	}
}

// A pointer to what has no size may be one to anything, and need not lead to memory.
func TestWithoutSize(t *testing.T) {
	type handle struct{}
	opt := Options{Heads: []string{genericOf(reflect.TypeFor[handle]())}}
	var variable handle
	function, number := TestWithoutSize, new(int)
	findable = number // so it is on the heap
	for _, tt := range []struct {
		name string
		word uintptr
		ok   bool
	}{
		{"a value", uintptr(unsafe.Pointer(new(handle))), true},
		{"a variable", uintptr(unsafe.Pointer(&variable)), true},
		{"no memory", 1<<12 + 8, true},
		{"no memory, and no address of a word", 1<<12 + 1, true},
		{"a number", uintptr(unsafe.Pointer(number)), false},
		{"a func value", **(**uintptr)(unsafe.Pointer(&function)), true}, // its code, which no pointer of the program has
		{"what a func value leads to", *(*uintptr)(unsafe.Pointer(&function)), false},
	} {
		var v struct{ h *handle }
		*(*uintptr)(unsafe.Pointer(&v.h)) = tt.word
		_, err := Capture([]Root{{"v", &v}}, opt)
		check(t, (err == nil) == tt.ok, tt.name, err)
	}
}

// TestHolders captures later fields of structs that the program finds by them: the whole struct, if
// the allocation can be one of them only.
func TestHolders(t *testing.T) {
	type link struct{ next, prev *link }
	type small struct {
		name string
		link
		to *int
	}
	type twin struct {
		n, m int
		link
		to *int
	}
	type large struct {
		names [50]string
		in    struct{ by link }
	}
	opt := Options{Heads: []string{genericOf(reflect.TypeFor[link]())}, Holders: []reflect.Type{reflect.TypeFor[small](), reflect.TypeFor[large]()}}
	opt.Parts = opt.Heads
	for range 50 {
		head := new(link)
		s, l := &small{name: "small", to: new(int)}, &large{}
		l.names[49] = "large"
		head.next, s.next, l.in.by.next = &s.link, &l.in.by, head
		head.prev, s.prev, l.in.by.prev = &l.in.by, head, &s.link
		w := *againWith(t, &head, opt)
		s = (*small)(unsafe.Add(unsafe.Pointer(w.next), -int(unsafe.Offsetof(s.link))))
		l = (*large)(unsafe.Add(unsafe.Pointer(w.prev), -int(unsafe.Offsetof(l.in))))
		check(t, w.next.next == w.prev && w.next.prev == w && s.name == "small" && *s.to == 0 && l.names[49] == "large")

		refused := func(x *link, opt Options) {
			t.Helper()
			_, err := Capture([]Root{{"x", &x}}, opt)
			check(t, err != nil && strings.Contains(err.Error(), "x (") && strings.Contains(err.Error(), "something larger"), err)
		}
		list := make([]small, 3)
		refused(&list[1].link, opt)
		refused(&new(struct {
			other [7]int
			link
		}).link, opt)
		both := opt
		both.Holders = append(both.Holders[:1:1], reflect.TypeFor[twin]())
		empty := &small{}
		refused(&empty.link, both)
		// Two numbers are no string.
		x := &(&twin{n: 1, m: 2, to: new(int)}).link
		x = *againWith(t, &x, both)
		y := (*twin)(unsafe.Add(unsafe.Pointer(x), -int(unsafe.Offsetof(twin{}.link))))
		check(t, y.n == 1 && y.m == 2 && *y.to == 0)
	}
}

// TestHoldersOfNumbers captures later fields that are numbers: the whole struct, if that can be
// told, and nothing is refused since most such pointers are of no struct.
func TestHoldersOfNumbers(t *testing.T) {
	type holder struct {
		name string
		to   *int
		n    int
	}
	opt := Options{Heads: []string{"int"}, Parts: []string{"int"}, Holders: []reflect.Type{reflect.TypeFor[holder]()}}
	h := &holder{"holder", new(int), 3}
	list := []int{1, 2, 3, 4}
	v := struct{ field, element, alone, of *int }{&h.n, &list[3], new(int), nil}
	v.of = h.to
	h = nil
	w := againWith(t, &v, opt)
	h = (*holder)(unsafe.Add(unsafe.Pointer(w.field), -int(unsafe.Offsetof(h.n))))
	check(t, h.name == "holder" && h.to == w.of && *w.field == 3 && *w.element == 4 && *w.alone == 0)
}

// TestHeadsOfStrings saves pointers to the first of several values with references that are no
// structs: the whole array if its allocation tells that, or nothing.
func TestHeadsOfStrings(t *testing.T) {
	opt := Options{Heads: []string{"string"}}
	for _, n := range []int{1, 2, 5, 40, 500} {
		all := make([]string, n)
		for i := range all {
			all[i] = string(rune('a' + i))
		}
		first := &all[0]
		if n > 1 && uintptr(n)*unsafe.Sizeof("") <= headerless {
			_, err := Capture([]Root{{"first", &first}}, opt)
			check(t, err != nil && strings.Contains(err.Error(), "beginning of something larger"), err)
			list := all
			_, err = Capture([]Root{{"first", &first}, {"list", &list}}, opt)
			check(t, err == nil, err)
			continue
		}
		first = *againWith(t, &first, opt)
		for i, s := range unsafe.Slice(first, n) {
			equal(t, string(rune('a'+i)), s)
		}
	}
}

// TestHeadsOfGenerics captures beginnings of structs that the code of a generic function has
// allocated, which doesn't tell which pointers are in them.
func TestHeadsOfGenerics(t *testing.T) {
	opt := Options{Heads: []string{genericOf(reflect.TypeFor[headPart]())}}
	text := newChunk("text")
	text = *againWith(t, &text, opt)
	equal(t, "text", (*headChunk[string])(unsafe.Pointer(text)).items[89])
	pointer := newChunk(&headNumbered{rest: [7]int{6: 8}})
	_, err := Capture([]Root{{"pointer", &pointer}}, opt)
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && unsupported.Path == "pointer", err)
	equal(t, 8, (*headChunk[*headNumbered])(unsafe.Pointer(pointer)).items[89].rest[6])
}

type headCount struct {
	n    int
	text [1000]byte // more than what follows
}

// headLeaf and headBranch are nodes of a tree that leads to each by its beginning, which has no
// references itself.
type headLeaf[T any] struct {
	headCount
	items [60]T
}

type headBranch struct {
	headCount
	children [60]*headCount
}

// TestHeadsOfTrees saves large structs by their beginnings without references: the allocation tells
// what they are, if the whole has some.
func TestHeadsOfTrees(t *testing.T) {
	opt := Options{Heads: []string{genericOf(reflect.TypeFor[headCount]())}}
	leaf := &headLeaf[string]{headCount{n: 1}, [60]string{59: "last"}}
	branch := &headBranch{headCount{n: 2}, [60]*headCount{3: &leaf.headCount}}
	root := &branch.headCount
	root = *againWith(t, &root, opt)
	equal(t, 2, root.n)
	root = (*headBranch)(unsafe.Pointer(root)).children[3]
	equal(t, 1, root.n)
	equal(t, "last", (*headLeaf[string])(unsafe.Pointer(root)).items[59])

	// One without references has no type before it, whatever it begins with.
	numbers := &headLeaf[int]{}
	*(*unsafe.Pointer)(unsafe.Pointer(&numbers.n)) = *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(branch), -headerWord))
	root = &numbers.headCount
	_, err := Capture([]Root{{"root", &root}}, opt)
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && unsupported.Path == "root", err)
	runtime.KeepAlive(numbers)
}

type (
	headStem  struct{ kind, n int32 }
	headShort struct {
		headStem
		list [50]int16
	}
	headLong struct {
		headStem
		list [200]int16
	}
	headTwin struct {
		headStem
		_ [100]int8
	}
	headNamed struct {
		headStem
		name string
	}
	headPadded struct { // allocations of it and of a head with five numbers are of one size
		headFive
		last int64
	}
	headFive struct{ n [5]int64 }

	headNode struct {
		kind int64
		next *headNode
	}
	headNodeOne struct {
		headNode
		a, b, c, d uint64
	}
	headNodeTwo struct { // as large
		headNode
		of *headNode
		_  [3]uint64
	}
	headNodeThree struct { // with other references, and more of them
		kind          int64
		next          *headNode
		first, second *headNode
		_             [2]int64
	}
)

// TestOtherWholes refuses structs by their beginnings where a type to which no unsafe pointer is
// converted, but that is in the binary, can be there.
func TestOtherWholes(t *testing.T) {
	node := genericOf(reflect.TypeFor[headNode]())
	opt := Options{Heads: []string{node}, Parts: []string{node}, Wholes: []string{genericOf(reflect.TypeFor[headNodeOne]())}}
	linked := []any{(*headNodeOne)(nil), (*headNodeTwo)(nil), (*headNodeThree)(nil)}
	for range 100 {
		leaf, tree, bush := &headNodeOne{a: 1, d: 4}, &headNodeTwo{of: new(headNode)}, &headNodeThree{kind: 1}
		bush.second = new(headNode)
		v := &leaf.headNode
		w := *againWith(t, &v, opt)
		equal(t, uint64(4), (*headNodeOne)(unsafe.Pointer(w)).d)
		for _, other := range []*headNode{&tree.headNode, (*headNode)(unsafe.Pointer(bush))} {
			v := other
			_, err := Capture([]Root{{"v", &v}}, opt)
			var unsupported *UnsupportedError
			check(t, errors.As(err, &unsupported) && unsupported.Path == "v", err)
		}
	}
	runtime.KeepAlive(linked)
}

// TestWholes saves structs by their beginnings where nothing but their sizes, and what is in them,
// tells what begins so.
func TestWholes(t *testing.T) {
	stem, five := genericOf(reflect.TypeFor[headStem]()), genericOf(reflect.TypeFor[headFive]())
	opt := Options{Heads: []string{stem, five}, Parts: []string{stem, five}}
	for _, rt := range []reflect.Type{reflect.TypeFor[headShort](), reflect.TypeFor[headLong](), reflect.TypeFor[headNamed](), reflect.TypeFor[headPadded]()} {
		opt.Wholes = append(opt.Wholes, genericOf(rt))
	}
	more := opt
	more.Wholes = append(more.Wholes, genericOf(reflect.TypeFor[headTwin]()))
	linked := []any{(*headShort)(nil), (*headLong)(nil), (*headNamed)(nil), (*headPadded)(nil), &headTwin{headStem: headStem{}}}
	for range 300 {
		s, l, n := &headShort{}, &headLong{}, &headNamed{name: "named"}
		s.list[49], l.list[199] = 1, 2
		five := &headPadded{last: 3}
		v := struct {
			list []*headStem
			five *headFive
		}{[]*headStem{&s.headStem, &l.headStem, &n.headStem, {4, 5}}, &five.headFive}
		w := againWith(t, &v, opt)
		equal(t, int16(1), (*headShort)(unsafe.Pointer(w.list[0])).list[49])
		equal(t, int16(2), (*headLong)(unsafe.Pointer(w.list[1])).list[199])
		equal(t, "named", (*headNamed)(unsafe.Pointer(w.list[2])).name)
		equal(t, headStem{4, 5}, *w.list[3])
		equal(t, int64(3), (*headPadded)(unsafe.Pointer(w.five)).last)

		_, err := Capture([]Root{{"v", &v}}, more) // it could be a twin
		var unsupported *UnsupportedError
		check(t, errors.As(err, &unsupported) && unsupported.Path == "v.list[0]", err)
		v.list[0] = nil
		_, err = Capture([]Root{{"v", &v}}, more)
		must(t, err)
		runtime.KeepAlive(s)
	}
	runtime.KeepAlive(linked)
}

// TestWideHeads captures structs of which only the beginning is there: what follows in memory is
// something else.
func TestWideHeads(t *testing.T) {
	opt := Options{Wide: []string{reflect.TypeFor[headWhole]().PkgPath() + ".headWhole"}}
	for range 600 {
		parts := [3]*headPart{{new(int)}, {new(int)}, {new(int)}}
		wide := *(**headWhole)(unsafe.Pointer(&parts[1])) // a conversion of the pointer itself is refused by the race detector
		v := struct{ list []*headWhole }{[]*headWhole{{text: "whole"}, wide}}
		_, err := Capture([]Root{{"v", &v}}, opt)
		var unsupported *UnsupportedError
		check(t, errors.As(err, &unsupported) && unsupported.Path == "v.list[1]", err)
		v.list[1] = &headWhole{next: v.list[0]}
		_, err = Capture([]Root{{"v", &v}}, opt)
		must(t, err)
		runtime.KeepAlive(parts)
	}
}

// TestWideArrays captures pointers to arrays that are larger than the slices whose elements they lead
// to: what follows these in memory is something else, and may be a gigabyte.
func TestWideArrays(t *testing.T) {
	list := make([]int32, 12)
	first := &list[0]
	v := struct{ whole, part *[1 << 28]int32 }{part: *(**[1 << 28]int32)(unsafe.Pointer(&first))}
	_, err := Capture([]Root{{"v", &v}}, Options{})
	var unsupported *UnsupportedError
	check(t, errors.As(err, &unsupported) && unsupported.Path == "v.part", err)
	w := struct{ list *[12]int32 }{(*[12]int32)(list)}
	_, err = Capture([]Root{{"w", &w}}, Options{})
	must(t, err)
	runtime.KeepAlive(list)
}

type headInfo struct {
	name string
	of   reflect.Type
}

type headTelling struct{ info *headInfo }

type headOther headTelling

type headMessage struct {
	state headOther
	text  string
	next  any
}

// TestTellingHeads captures beginnings that tell what they begin, as messages of protocol buffers
// do: nothing else leads to the whole.
func TestTellingHeads(t *testing.T) {
	opt := Options{Heads: []string{reflect.TypeFor[headTelling]().PkgPath() + ".headTelling"}}
	info := &headInfo{"message", reflect.TypeFor[*headMessage]()}
	head := func(text string, next any) *headTelling {
		return (*headTelling)(&(&headMessage{headOther{info}, text, next}).state)
	}
	first := &struct{ heads []any }{[]any{head("a", head("b", nil)), head("c", nil)}}
	_, err := Capture([]Root{{"first", &first}}, Options{})
	must(t, err) // as what it seems to be
	s, err := Capture([]Root{{"first", &first}}, opt)
	must(t, err)
	back := first
	im, err := Parse(written(t, s))
	must(t, err)
	must(t, im.Rebuild([]Root{{"first", &back}}, opt))
	text := func(x any) *headMessage { return (*headMessage)(unsafe.Pointer(x.(*headTelling))) }
	equal(t, "a", text(back.heads[0]).text)
	equal(t, "b", text(text(back.heads[0]).next).text)
	equal(t, "c", text(back.heads[1]).text)
	check(t, text(back.heads[0]) != text(first.heads[0]))
	runtime.KeepAlive(first)

	// What is not of the size that it tells is refused.
	info.of = reflect.TypeFor[*struct {
		headTelling
		rest [40]*int
	}]()
	_, err = Capture([]Root{{"first", &first}}, opt)
	check(t, err != nil)
}

package main

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// Words are what a string consists of, and rows what a slice does.
type (
	words struct {
		p *note
		n int
	}
	row struct {
		p      *rune
		n, cap int
	}
	note byte
)

func (w words) String() string { return *(*string)(unsafe.Pointer(&w)) }

func (r *row) runes() []rune { return *(*[]rune)(unsafe.Pointer(r)) }

// A page and a grid have the first element, and make the header of a slice.
type (
	page struct {
		p *int16
		n int
	}
	grid struct {
		p *spot
		n int
	}
	spot struct{ x, y uint8 }
)

func (p page) numbers() (list []int16) {
	h := (*reflect.SliceHeader)(unsafe.Pointer(&list))
	h.Data = uintptr(unsafe.Pointer(p.p))
	h.Len, h.Cap = p.n, p.n
	return list
}

func (g grid) spots() (list []spot) {
	h := (*reflect.SliceHeader)(unsafe.Pointer(&list))
	h.Data, h.Len, h.Cap = uintptr(unsafe.Pointer(g.p)), g.n, g.n
	return list
}

// What is kept of the others is the first number, pair or triple, and what is made of it is smaller, or found by adding to its address.
type (
	ints        struct{ p *int32 }
	pairs       struct{ p *pair }
	pair        struct{ a, b int16 }
	triples     struct{ p *triple }
	triple      [3]uint8
	arena       struct{ p *byte }
	room[T any] struct {
		value T
		used  bool
	}
)

func (i ints) bytes(n int) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(i.p)), n) }

func (p pairs) halves(n int) []int16 { return unsafe.Slice((*int16)(unsafe.Pointer(p.p)), n) }

func (t triples) list(n int) []triple { return unsafe.Slice(t.p, n) }

func (t triples) at(i uintptr) *[3]uint8 {
	return (*[3]uint8)(unsafe.Pointer(uintptr(unsafe.Pointer(t.p)) + i*unsafe.Sizeof(triple{})))
}

// A vector has elements of any type.
type vector[T any] struct {
	p      *T
	n, cap int
}

func (v *vector[T]) all() []T { return unsafe.Slice(v.p, v.n) }

func (v *vector[T]) at(i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(v.p), i*int(unsafe.Sizeof(*v.p))))
}

func (v *vector[T]) push(x T) {
	if v.n == v.cap {
		v.cap = 2*v.cap + 1
		list := make([]T, v.cap)
		copy(list, v.all())
		v.p = unsafe.SliceData(list)
	}
	v.n++
	*v.at(v.n - 1) = x
}

func vectors() {
	var u vector[uint32]
	var g vector[grade]
	for i := range 9 {
		u.push(uint32(i))
		g.push(grade{int16(i)})
		ckp.Checkpoint()
	}
	fmt.Println(u.all(), g.all())
	list := make([]legend, 60)
	l := vector[legend]{&list[0], 0, 60}
	rows := [40]mapped{3: {"a row on the stack", 3}}
	m := column[mapped]{&rows[0]}
	list = nil
	for i := range 60 {
		l.push(legend{fmt.Sprint("legend ", i), &i})
		ckp.Checkpoint()
	}
	for _, l := range l.all() {
		fmt.Print(l.text, " ", *l.n, " ")
	}
	fmt.Println(*m.at(3), *m.at(39))
	var anys vector[any]
	anys.p, anys.cap = &make([]any, 40)[0], 40
	pages := book{}
	first, words := &pages.pages[0], &make([][]string, 30)[0]
	for i := range 40 {
		anys.push(i)
		unsafe.Slice(first, 80)[2*i] = &i
		unsafe.Slice(words, 30)[i%30] = []string{fmt.Sprint(i)}
		ckp.Checkpoint()
	}
	lists := stack[map[int]string]{&make([]map[int]string, 70)[0]}
	*lists.at(69) = map[int]string{69: "nice"}
	ckp.Checkpoint()
	calls := stack[func(int, ...string) (bool, error)]{&make([]func(int, ...string) (bool, error), 70)[0]}
	*calls.at(69) = func(n int, s ...string) (bool, error) { return n == len(s), nil }
	signals := stack[<-chan chan int]{&make([]<-chan chan int, 70)[0]}
	nodes := stack[*column[*string]]{&make([]*column[*string], 70)[0]}
	name := new("of an instance")
	*nodes.at(69) = &column[*string]{&name}
	signal := make(chan chan int, 1)
	signal <- make(chan int, 5)
	*signals.at(69) = signal
	points := stack[struct {
		grade
		X *int `json:"x"`
		y []string
	}]{}
	points.p = &make([]struct {
		grade
		X *int `json:"x"`
		y []string
	}, 70)[0]
	points.at(69).y = []string{"last"}
	ckp.Checkpoint()
	fmt.Print(**(*nodes.at(69)).p, points.at(69).y, cap(<-*signals.at(69)), " ")
	fmt.Println((*calls.at(69))(2, "a", "b"))
	fmt.Println(*lists.at(69), anys.all(), *unsafe.Slice(first, 80)[78], unsafe.Slice(words, 30))
}

type grade [1]int16

// Legends and what is mapped have references, and only type parameters stand for them where slices are made of the first, or is added to its address.
type (
	legend struct {
		text string
		n    *int
	}
	mapped struct {
		key   any
		value int
	}
	column[T any] struct{ p *T }
	stack[T any]  struct{ p *T }
)

func (s stack[T]) at(i uintptr) *T { return (*T)(after(unsafe.Pointer(s.p), i*unsafe.Sizeof(*s.p))) }

func (c column[T]) at(i uintptr) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(c.p), i*unsafe.Sizeof(*c.p)))
}

// Rows of texts are larger than what is allocated without a word that tells their type.
type texts struct {
	p *titled
	n int
}

type titled struct {
	title string
	n     int
}

func (t texts) all() []titled { return unsafe.Slice(t.p, t.n) }

func newTexts(n int) texts {
	list := make([]titled, n)
	for i := range list {
		list[i] = titled{fmt.Sprint(i), i}
	}
	return texts{&list[0], n}
}

// Of a book only the number that it begins with is kept.
type number uint16

type book struct {
	number
	title string
	pages [80]*int
}

//go:noinline
func newBook(title string, pages ...int) *number {
	b := &book{title: title}
	for i := range pages {
		b.pages[i] = &pages[i]
	}
	b.number = number(len(pages))
	return &b.number
}

func (n *number) book() *book { return (*book)(unsafe.Pointer(n)) }

func in[T any](a arena) *room[T] { return (*room[T])(unsafe.Pointer(a.p)) }

func others() {
	a, b, c, d := make([]int32, 9), make([]pair, 9), make([]triple, 9), make([]byte, 99)
	for i := range 9 {
		a[i], b[i], c[i] = int32(i), pair{int16(i), int16(-i)}, triple{uint8(i), 0, 1}
	}
	i, p, t, r := ints{&a[0]}, pairs{&b[0]}, triples{&c[0]}, arena{&d[0]}
	in[uint64](r).value, in[uint64](r).used = 1, true
	ckp.Checkpoint()
	fmt.Println(i.bytes(36), p.halves(18), t.list(9), *t.at(8), *in[uint64](r))
}

func headers() {
	notes, runes, numbers, spots := make([]note, 9), make([]rune, 9), make([]int16, 9), make([]spot, 9)
	for i := range 9 {
		notes[i], runes[i], numbers[i], spots[i] = note('a'+i), rune(i), int16(-i), spot{uint8(i), uint8(i * i)}
	}
	w, r, p, g := words{&notes[0], 9}, &row{&runes[0], 9, 9}, page{&numbers[0], 9}, grid{&spots[0], 9}
	ckp.Checkpoint()
	fmt.Println(w.String(), r.runes(), p.numbers(), g.spots())
	others()
	vectors()
	t := newTexts(40)
	ckp.Checkpoint()
	fmt.Println(t.all())
	b := newBook("Heads", 4, 5, 6)
	ckp.Checkpoint()
	fmt.Println(*b, b.book().title, *b.book().pages[*b-1])
}

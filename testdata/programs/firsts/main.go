// Firsts keeps slices and strings as pointers to their first elements, and makes slices and strings of these again.
package main

import (
	"fmt"
	"image"
	"net/url"
	"strings"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A value is a number, or a text somewhere in a page.
type value struct {
	ptr *byte
	num uint64
}

func text(b []byte) value { return value{unsafe.SliceData(b), uint64(len(b))} }

func (v value) String() string {
	if v.ptr == nil {
		return fmt.Sprint(v.num)
	}
	return unsafe.String(v.ptr, v.num)
}

// A table is a row of counters of a kind of their own.
type table struct {
	first *counter
	n     uint16
}

type counter struct {
	hits, misses uint32
}

func newTable(n uint16) *table { return &table{&make([]counter, n)[0], n} }

func (t *table) counters() []counter { return unsafe.Slice(t.first, t.n) }

// A series is walked by its address.
type series struct{ begin, end *float64 }

func newSeries(n int) series {
	s := make([]float64, n)
	for i := range s {
		s[i] = float64(i) / 4
	}
	return series{&s[0], &s[n-1]}
}

func (s series) sum() (sum float64) {
	for p := s.begin; ; p = (*float64)(unsafe.Add(unsafe.Pointer(p), 8)) {
		sum += *p
		if p == s.end {
			return sum
		}
	}
}

// A mark is kept only while the length is computed.
type mark uint16

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

func marks(n int) string {
	list := make([]mark, n)
	for i := range list {
		list[i] = mark(i)
	}
	return fmt.Sprint(unsafe.Slice(unsafe.SliceData(list[1:]), pt(n-1)))
}

// A sign is kept behind a pointer that has a name.
type (
	sign    int8
	signPtr *sign
)

func signs() []sign {
	p := signPtr(unsafe.SliceData([]sign{1, 0, -1}))
	ckp.Checkpoint()
	return unsafe.Slice((*sign)(p), 3)
}

type letter byte

var alphabet *letter

// A plot keeps the first of its rows, which are arrays, and of its corners, which are structs of another package, as pointers that become ones to more, at once, later or elsewhere. Another waits in a channel.
type plot struct {
	row     *[2]int
	corner  *image.Point
	mark    *image.Rectangle
	waiting chan *int32
	label   *string
	link    *url.URL
	user    *url.Userinfo
}

func after(p unsafe.Pointer, n uintptr) unsafe.Pointer { return unsafe.Pointer(uintptr(p) + n) }

func newPlot(n int) *plot {
	rows, corners, marks, numbers := make([][2]int, n), make([]image.Point, n), make([]image.Rectangle, n), make([]int32, n)
	labels, links, users := make([]string, n), make([]url.URL, n), make([]url.Userinfo, n)
	for i := range n {
		rows[i], corners[i], marks[i], numbers[i] = [2]int{i, n}, image.Pt(i, -i), image.Rect(0, 0, i, i), int32(-i)
		labels[i], links[i].Path = fmt.Sprint("label ", i), fmt.Sprint("/", i)
		users[i] = *url.User(fmt.Sprint("user ", i))
	}
	g := &plot{&rows[0], &corners[0], &marks[0], make(chan *int32, 1), &labels[0], &links[0], &users[0]}
	g.waiting <- &numbers[0]
	return g
}

func (g *plot) last(n int) string {
	marks := unsafe.Pointer(g.mark)
	return fmt.Sprint((*[1 << 20][2]int)(unsafe.Pointer(g.row))[n-1], (*[1 << 20]image.Point)(unsafe.Pointer(g.corner))[:n][n-1],
		*(*image.Rectangle)(unsafe.Add(marks, uintptr(n-1)*unsafe.Sizeof(image.Rectangle{}))), unsafe.Slice(<-g.waiting, n)[n-1],
		(*[1 << 20]string)(unsafe.Pointer(g.label))[n-1], *(*url.Userinfo)(after(unsafe.Pointer(g.user), uintptr(n-1)*unsafe.Sizeof(url.Userinfo{}))), *(*url.URL)(unsafe.Pointer(uintptr(unsafe.Pointer(g.link)) + uintptr(n-1)*unsafe.Sizeof(url.URL{}))))
}

func main() {
	var values []value
	t := newTable(300)
	s, g := newSeries(700), newPlot(90)
	alphabet = &[]letter(strings.ToLower("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))[0]
	var last byte // one
	first := &last
	for i := range 40 {
		page := []byte(strings.Repeat(fmt.Sprint("page ", i, " "), i+1))
		ckp.Checkpoint()
		values = append(values, text(page[:i%7+1]), text(page[len(page)/2:]), value{num: uint64(i)}, text([]byte(fmt.Sprint(i))))
		c := &t.counters()[i*i%300]
		if c.hits++; i%3 == 0 {
			c.misses++
		}
		ckp.Checkpoint()
		*first += page[i]
	}
	fmt.Println(values, last)
	var hits, misses uint32
	for _, c := range t.counters() {
		hits, misses = hits+c.hits, misses+c.misses
	}
	fmt.Println(hits, misses, t.counters()[39*39%300], s.sum())
	fmt.Println(marks(6), signs(), digits(), g.last(90))
	headers()
	named()
	farther()
	beginnings()
	holders()
	for _, l := range unsafe.Slice(alphabet, 26) {
		fmt.Printf("%c", l)
	}
	fmt.Println()
}

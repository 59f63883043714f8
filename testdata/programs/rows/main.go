// Rows keeps slices as unsafe pointers to their first elements, which nothing with a type leads to, and makes slices of these again.
package main

import (
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A row has elements of any type.
type row[T any] struct{ ptr unsafe.Pointer }

func newRow[T any](n int) row[T] {
	return row[T]{unsafe.Pointer(unsafe.SliceData(make([]T, n)))}
}

func (r row[T]) at(i int) *T { return &unsafe.Slice((*T)(r.ptr), i+1)[i] }

// A column has elements of one, which another function makes a slice of, and a bar has them without references.
type (
	column struct {
		ptr unsafe.Pointer
		n   int
	}
	node struct {
		n int
		p *int
	}
	bar struct {
		ptr unsafe.Pointer
		n   int
	}
	stripe struct{ from, to int32 }
)

func newColumn(n int) column { return column{unsafe.Pointer(&make([]node, n)[0]), n} }

func (c column) nodes() []node { return nodesAt(c.ptr, c.n) }

func nodesAt(p unsafe.Pointer, n int) []node { return unsafe.Slice((*node)(p), n) }

func newBar(n int) bar { return bar{unsafe.Pointer(&make([]stripe, n)[0]), n} }

func (b bar) stripes() []stripe { return unsafe.Slice((*stripe)(b.ptr), b.n) }

type (
	pair struct {
		n    int
		name *string
	}
	point struct{ x, y int }
	level float32
)

// fill sets n elements twice, and adds up what is there.
func fill[T any](n int, set func(*T, int), get func(*T) int) {
	r := newRow[T](n)
	for i := range 2 * n {
		set(r.at(i%n), i)
		if i%11 == 0 {
			ckp.Checkpoint()
		}
	}
	sum := 0
	for i := range n {
		sum = sum*7%1009 + get(r.at(i))
	}
	fmt.Println(sum)
}

func main() {
	fill(40, func(p *pair, i int) { s := fmt.Sprint(i); p.n, p.name = p.n+i, &s }, func(p *pair) int { return p.n + len(*p.name) })
	fill(40, func(p *point, i int) { p.x, p.y = p.x+i, p.y-i }, func(p *point) int { return 3*p.x - p.y })
	fill(90, func(p *level, i int) { *p += level(i) }, func(p *level) int { return int(*p) })
	fill(50, func(p *string, i int) { *p += fmt.Sprint(i) }, func(p *string) int { return len(*p) })
	fill(90, func(p **int, i int) { *p = &i }, func(p **int) int { return **p })

	c, b := newColumn(50), newBar(30)
	for i := range 100 {
		c.nodes()[i%50] = node{i, &i}
		b.stripes()[i%30].to = int32(i)
		if i%11 == 0 {
			ckp.Checkpoint()
		}
	}
	sum := 0
	for _, n := range c.nodes() {
		sum = sum*7%1009 + n.n + *n.p
	}
	fmt.Println(sum, b.stripes())
}

package main

import (
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A bare is a slice without its length.
type bare[T any] struct{ first unsafe.Pointer }

func bareOf[T any](s []T) bare[T] { return bare[T]{unsafe.Pointer(unsafe.SliceData(s))} }

func (b bare[E]) at(i int) *E {
	var e E
	return (*E)(unsafe.Add(b.first, uintptr(i)*unsafe.Sizeof(e)))
}

type square[K comparable, V any] struct {
	key   K
	value V
	used  bool
}

// noSquare is what an empty grid has in the place of its squares.
var noSquare = func() []byte { return make([]byte, 4) }()

// A grid has its squares in rows, and all of these behind unsafe pointers. The one row of a new one
// is a field of it, and has no squares.
type grid[K comparable, V any] struct {
	width int
	count int
	only  bare[square[K, V]]
	rows  bare[bare[square[K, V]]]
}

func newGrid[K comparable, V any]() *grid[K, V] {
	none := (*square[K, V])(unsafe.Pointer(unsafe.SliceData(noSquare)))
	g := &grid[K, V]{count: 1, only: bareOf(unsafe.Slice(none, 1))}
	g.rows = bareOf(unsafe.Slice(&g.only, 1))
	return g
}

// put sets the value of a key, in a grid that grows by rows, and then in width.
func (g *grid[K, V]) put(key K, value V) {
	for row := range g.count {
		for i := range g.width {
			c := g.rows.at(row).at(i)
			ckp.Checkpoint()
			if !c.used || c.key == key {
				*c = square[K, V]{key, value, true}
				return
			}
		}
	}
	old := *g
	if g.width == 0 {
		g.width = 3
	} else {
		g.count++
	}
	rows := make([]bare[square[K, V]], g.count)
	for i := range rows {
		rows[i] = bareOf(make([]square[K, V], g.width))
	}
	g.only, g.rows = bare[square[K, V]]{}, bareOf(rows)
	for row := range old.count {
		for i := range old.width {
			c := *old.rows.at(row).at(i)
			g.put(c.key, c.value)
		}
	}
	g.put(key, value)
}

func (g *grid[K, V]) all(yield func(K, V) bool) {
	for row := range g.count {
		for i := range g.width {
			if c := g.rows.at(row).at(i); c.used && !yield(c.key, c.value) {
				return
			}
		}
	}
}

// A ledger steps through its entries by a number.
type ledger struct{ entries unsafe.Pointer }

type posting struct {
	text string
	sums [2]int
	last *posting
}

func (l *ledger) at(i uintptr) *posting {
	return (*posting)(unsafe.Pointer(uintptr(l.entries) + i*unsafe.Sizeof(posting{})))
}

// several counts in tables whose lengths are nowhere.
func several() {
	words, numbers, shared := newGrid[string, *int](), newGrid[int, float64](), newGrid[[2]byte, []*int]()
	empty := newGrid[string, string]()
	sum := new(int)
	for i := range 40 {
		n := i * i % 17
		words.put(fmt.Sprint("word ", n), &[]int{i, n}[1])
		numbers.put(n, float64(i)/2)
		shared.put([2]byte{byte(n % 5), 1}, []*int{sum, nil})
		*sum += i
	}
	for word, n := range words.all {
		fmt.Print(word, " ", *n, ",")
	}
	for n, x := range numbers.all {
		fmt.Print(n, " ", x, ",")
	}
	for key, list := range shared.all {
		*list[0]++
		fmt.Print(key, *list[0], list[0] == sum, ",")
	}
	ckp.Checkpoint()
	for range empty.all {
		fmt.Print("not empty")
	}
	fmt.Println()
	for _, n := range []uintptr{1, 4, 30} {
		l := ledger{unsafe.Pointer(unsafe.SliceData(make([]posting, n)))}
		for i := range 3 * n {
			p := l.at(i % n)
			p.text, p.last = fmt.Sprint(p.text, i), l.at(i*i%n)
			p.sums[i%2] += int(i)
			ckp.Checkpoint()
		}
		for i := range n {
			p := l.at(i)
			fmt.Print(p.text, p.sums, p.last.sums, ",")
		}
		fmt.Println()
	}
}

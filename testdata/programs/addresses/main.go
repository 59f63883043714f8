// Addresses looks up objects by hashes of their addresses, made by package hash/maphash: of pointers, also into structs and arrays and to
// variables, of channels, and of structs, arrays and interfaces that have them.
package main

import (
	"fmt"
	"hash/maphash"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A table is a hash table as programs write one: with buckets that are found by the hash, once and for all.
type table[K comparable] struct {
	seed    maphash.Seed
	buckets [8][]entry[K]
}

type entry[K comparable] struct {
	key   K
	hash  uint64
	value int
}

func (t *table[K]) at(k K) *int {
	h := maphash.Comparable(t.seed, k)
	b := &t.buckets[h%uint64(len(t.buckets))]
	for i := range *b {
		if e := &(*b)[i]; e.key == k {
			if e.hash != h {
				panic("the hash of a key has changed")
			}
			return &e.value
		}
	}
	*b = append(*b, entry[K]{k, h, 0})
	return &(*b)[len(*b)-1].value
}

func (t *table[K]) len() (n int) {
	for _, b := range t.buckets {
		n += len(b)
	}
	return n
}

type node struct {
	next  *node
	left  int
	right [4]int
}

type named struct {
	name string
	of   any
}

type pointer *node

type blank struct{ n, _ int }

var (
	variable node
	counters [3]int
)

func newTable[K comparable]() *table[K] { return &table[K]{seed: maphash.MakeSeed()} }

func main() {
	nodes := newTable[*node]()
	ints := newTable[*int]()
	chans := newTable[<-chan string]()
	anys := newTable[any]()
	structs := newTable[named]()
	arrays := newTable[[2]*node]()
	pointers := newTable[pointer]()
	unsafes := newTable[unsafe.Pointer]()
	var list *node
	var channels []chan string
	var guard sync.Mutex
	for round := range 12 {
		// Objects that are gone leave their addresses to others, or to nobody.
		for range 20 {
			*nodes.at(&node{}) = -1
			maphash.Comparable(nodes.seed, new([1 << 16]byte))
		}
		nodes = kept(nodes)
		runtime.GC()
		ckp.Checkpoint()

		list = &node{next: list}
		channels = append(channels, make(chan string, 1))
		var done sync.WaitGroup
		for range 2 {
			done.Go(func() {
				guard.Lock()
				defer guard.Unlock()
				for n := list; n != nil; n = n.next {
					*nodes.at(n)++
					*ints.at(&n.left)++
					*ints.at(&n.right[3])++
					ckp.Checkpoint()
					*anys.at(n)++
					*structs.at(named{"node", n})++
					*arrays.at([2]*node{n, n.next})++
					*pointers.at(n)++
					*unsafes.at(unsafe.Pointer(n))++
				}
			})
		}
		done.Wait()
		for i, c := range channels {
			*chans.at(c)++
			*anys.at(c)++
			ckp.Checkpoint()
			*structs.at(named{fmt.Sprint(i % 2), c})++
		}
		*nodes.at(&variable)++
		*ints.at(&counters[round%3])++
		*ints.at(&variable.left)++
		*anys.at(os.Stdout)++
		*anys.at(round)++
		*anys.at(named{"none", nil})++
		*anys.at(nil)++
		*anys.at(blank{round % 2, round})++
	}
	total := 0
	for n := list; n != nil; n = n.next {
		total = total*3 + *nodes.at(n) + *ints.at(&n.left) + *anys.at(n) + *arrays.at([2]*node{n, n.next})
		total %= 1_000_003
	}
	fmt.Println(total, *nodes.at(&variable), *ints.at(&counters[1]), *anys.at(os.Stdout), *chans.at(channels[0]))
	fmt.Println(unhashable(anys, named{"map", map[int]int{}}), unhashable(anys, []int{}))
	fmt.Println(ints.len(), chans.len(), anys.len(), structs.len(), arrays.len(), pointers.len(), unsafes.len())
}

// unhashable returns what a value that can't be compared is refused with.
func unhashable(t *table[any], v any) (err any) {
	defer func() { err = recover() }()
	ckp.Checkpoint()
	t.at(v)
	return nil
}

// kept returns a table without those that were made for nothing.
func kept(t *table[*node]) *table[*node] {
	for i, b := range t.buckets {
		var rest []entry[*node]
		for _, e := range b {
			if e.value >= 0 {
				rest = append(rest, e)
			}
		}
		t.buckets[i] = rest
	}
	return t
}

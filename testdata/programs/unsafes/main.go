// Unsafes keeps what it has behind unsafe pointers: in fields that are read and written atomically or not, and in a type that is
// one, of a number or a struct.
package main

import (
	"fmt"
	"math/big"
	"sync/atomic"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type tree struct {
	key         int
	left, right *tree
}

func (t *tree) with(key int) *tree {
	ckp.Checkpoint()
	if t == nil {
		return &tree{key: key}
	}
	n := *t
	if key < t.key {
		n.left = t.left.with(key)
	} else {
		n.right = t.right.with(key)
	}
	return &n
}

func (t *tree) sum() int {
	if t == nil {
		return 0
	}
	return t.key + t.left.sum() + t.right.sum()
}

// A database is read while its next version is made.
type database struct {
	root unsafe.Pointer // *tree
	next unsafe.Pointer // *database
	last unsafe.Pointer // *tree
}

func (d *database) add(key int) {
	for {
		t := (*tree)(atomic.LoadPointer(&d.root)).with(key)
		if atomic.CompareAndSwapPointer(&d.root, unsafe.Pointer(d.tree()), unsafe.Pointer(t)) {
			d.last = unsafe.Pointer(&tree{key: key})
			return
		}
	}
}

func (d *database) tree() *tree { return (*tree)(atomic.LoadPointer(&d.root)) }

type list struct {
	first unsafe.Pointer // *node
	n     int
}

type node struct {
	v    int
	next unsafe.Pointer // *node
}

func (l *list) push(v int) {
	n := &node{v: v, next: nil}
	if l.first != nil {
		n = &node{v, unsafe.Pointer((*node)(l.first))}
	}
	l.first = unsafe.Pointer(n)
	l.n++
	ckp.Checkpoint()
}

func (l *list) sum() (s int) {
	for n := (*node)(l.first); n != nil; n = (*node)(n.next) {
		s += n.v
	}
	return s
}

// A number is a big.Int.
type number unsafe.Pointer

type value struct{ n number }

func big1(x *big.Int) any { return value{number(x)} }

func (v value) big() *big.Int { return (*big.Int)(v.n) }

func main() {
	d := new(database)
	l := new(list)
	product := big1(big.NewInt(1))
	for i := 1; i < 30; i++ {
		d.add(i * 7919 % 101)
		l.push(i)
		product = big1(new(big.Int).Mul(product.(value).big(), big.NewInt(int64(i))))
		ckp.Checkpoint()
	}
	fmt.Println(d.tree().sum(), (*tree)(d.last).key, d.next == nil, l.sum(), l.n, product.(value).big())
}

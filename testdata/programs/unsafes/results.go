package main

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A byNumber keeps values that it finds by numbers. It is generic by a struct that is not, whose methods hand the values on, and return them.
type byNumber[T any] struct{ all numberedValues }

func (m *byNumber[T]) load(n int) *T { return (*T)(m.all.find(n)) }

func (m *byNumber[T]) store(n int, v *T) *T { return (*T)(m.all.insert(n, unsafe.Pointer(v))) }

type numberedValues struct{ list []numberedValue }

type numberedValue struct {
	n     int
	value unsafe.Pointer
}

func (v *numberedValues) find(n int) unsafe.Pointer {
	for i := range v.list {
		if x, found := v.list[i].is(n); found {
			return x
		}
	}
	return nil
}

func (v *numberedValue) is(n int) (unsafe.Pointer, bool) {
	if v.n != n {
		return nil, false
	}
	return atomic.LoadPointer(&v.value), true
}

func (v *numberedValues) insert(n int, x unsafe.Pointer) unsafe.Pointer {
	if known := v.find(n); known != nil {
		return known
	}
	v.list = append(v.list, numberedValue{n: n, value: x})
	return x
}

// A printer and a trio have other sizes.
type printer interface{ print() string }

type trio struct{ s [3][]string }

func (t *trio) print() string { return fmt.Sprint(t.s) }

// A latest keeps what a function that is not a method returns.
type latest struct{ p unsafe.Pointer }

func (l *latest) swap(r *row) *row {
	return (*row)(exchange(l, unsafe.Pointer(r)))
}

type row struct {
	name string
	next *row
}

func exchange(l *latest, p unsafe.Pointer) unsafe.Pointer {
	before := l.p
	l.p = p
	return before
}

func results() {
	var printers byNumber[printer]
	var trios byNumber[trio]
	var last latest
	for i := range 6 {
		ckp.Checkpoint()
		var p printer = &trio{[3][]string{{fmt.Sprint("a", i)}}}
		printers.store(i%4, &p)
		trios.store(i%5, &trio{[3][]string{1: {fmt.Sprint("b", i)}}})
		ckp.Checkpoint()
		before := last.swap(&row{fmt.Sprint("row", i), nil})
		ckp.Checkpoint()
		if before != nil {
			fmt.Println(before.name)
		}
	}
	for i := range 5 {
		ckp.Checkpoint()
		if p := printers.load(i); p != nil {
			fmt.Println((*p).print())
		}
		fmt.Println(trios.load(i).print())
	}
}

package main

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A setting is what package variables lead to that are unsafe pointers.
type setting struct {
	name     string
	previous *setting
}

var current unsafe.Pointer // *setting

var initial = unsafe.Pointer(&setting{name: "initial"})

var recent [3]unsafe.Pointer // of *setting

var names = make([]unsafe.Pointer, 2) // of *string

var erased = unsafe.Pointer(new(any))

type cell struct{ p unsafe.Pointer } // *any

var cells [2]cell

var free unsafe.Pointer // *spare

type spare struct {
	v    int
	next unsafe.Pointer
}

func (l *spare) release() {
	for {
		l.next = atomic.LoadPointer(&free)
		ckp.Checkpoint()
		if atomic.CompareAndSwapPointer(&free, l.next, unsafe.Pointer(l)) {
			return
		}
	}
}

func taken() *spare {
	for {
		l := atomic.LoadPointer(&free)
		if l == nil {
			return nil
		}
		ckp.Checkpoint()
		if atomic.CompareAndSwapPointer(&free, l, (*spare)(l).next) {
			return (*spare)(l)
		}
	}
}

// variables prints what is found behind package variables that are unsafe pointers.
func variables() {
	for i := range 12 {
		s := &setting{fmt.Sprint("s", i), (*setting)(atomic.LoadPointer(&current))}
		atomic.StorePointer(&current, unsafe.Pointer(s))
		ckp.Checkpoint()
		recent[i%3] = unsafe.Pointer(s)
		names[i%2] = unsafe.Pointer(&s.name)
		(*setting)(initial).name += s.name
		switch c := &cells[i%2]; i % 3 {
		case 0:
			var x any = i
			atomic.StorePointer(&c.p, unsafe.Pointer(&x))
		case 1:
			atomic.StorePointer(&c.p, erased)
		}
		(&spare{v: i}).release()
		if i%4 == 0 {
			names = append(names, names[i%2])
			fmt.Print(taken().v, " ")
		}
	}
	for s := (*setting)(atomic.LoadPointer(&current)); s != nil; s = s.previous {
		fmt.Print(s.name, " ")
	}
	for _, s := range recent {
		fmt.Print((*setting)(s).name, " ")
	}
	for _, n := range names {
		fmt.Print(*(*string)(n), " ")
	}
	for i := range cells {
		if p := atomic.LoadPointer(&cells[i].p); p == erased {
			fmt.Print("erased ")
		} else if p != nil {
			fmt.Print(*(*any)(p), " ")
		}
	}
	for l := taken(); l != nil; l = taken() {
		fmt.Print(l.v, " ")
	}
	fmt.Println((*setting)(initial).name)
}

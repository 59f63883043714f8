package main

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// Of each of these lists of texts the first is kept, and the address comes to where something is added to it, or a slice is made of it, on a way of its own.
type (
	numbered  string
	stepped   string
	returned  string
	literally string
	called    string
	copied    string
	listed    string
	worded    string
	headed    string
	filled    string
	assigned  string
	looked    string
	told      string
	coupled   string
)

const textSize = unsafe.Sizeof("")

// ask returns a text of a list.
type ask[T any] func(p *T, i uintptr) T

func byNumber(p *numbered, i uintptr) numbered {
	var list []numbered
	at := uintptr(unsafe.Pointer(p))
	s := (*reflect.SliceHeader)(unsafe.Pointer(&list))
	s.Data, s.Len, s.Cap = at, int(i)+1, int(i)+1
	return list[i]
}

type steps struct{ p unsafe.Pointer }

func (s *steps) next() { s.p = unsafe.Add(s.p, textSize) }

func bySteps(p *stepped, i uintptr) stepped {
	s := steps{unsafe.Pointer(p)}
	for range i {
		s.next()
	}
	return *(*stepped)(s.p)
}

func start(p *returned) (unsafe.Pointer, error) { return unsafe.Pointer(p), nil }

func byResult(p *returned, i uintptr) returned {
	at, err := start(p)
	if err != nil {
		return ""
	}
	return *(*returned)(unsafe.Add(at, i*textSize))
}

func byLiteral(p *literally, i uintptr) literally {
	at := func(p unsafe.Pointer) *literally { return (*literally)(unsafe.Add(p, i*textSize)) }
	return *at(unsafe.Pointer(p))
}

type (
	mover interface {
		move(unsafe.Pointer) unsafe.Pointer
	}
	by uintptr
)

func (b by) move(p unsafe.Pointer) unsafe.Pointer { return unsafe.Add(p, b) }

func byInterface(p *called, i uintptr) called {
	return *(*called)(mover(by(i * textSize)).move(unsafe.Pointer(p)))
}

func byCopies(p *copied, i uintptr) copied {
	at := unsafe.Pointer(p)
	for next := at; i > 0; i-- {
		next = unsafe.Add(next, textSize)
		at = next
	}
	return *(*copied)(at)
}

func byList(p *listed, i uintptr) listed {
	list := []unsafe.Pointer{unsafe.Pointer(p)}
	return *(*listed)(unsafe.Add(list[0], i*textSize))
}

type slice struct {
	p      unsafe.Pointer
	n, cap uintptr
}

func byWords(p *worded, i uintptr) worded {
	s := slice{unsafe.Pointer(p), i + 1, i + 1}
	return (*(*[]worded)(unsafe.Pointer(&s)))[i]
}

func byHeader(p *headed, i uintptr) headed {
	return (*(*[]headed)(unsafe.Pointer(&struct {
		p      *headed
		n, cap uintptr
	}{p, i + 1, i + 1})))[i]
}

func byFilling(p *filled, i uintptr) filled {
	var list []filled
	s := (*slice)(unsafe.Pointer(&list))
	s.p, s.n, s.cap = unsafe.Pointer(p), i+1, i+1
	return list[i]
}

func byAssigning(p *assigned, i uintptr) assigned {
	var list []assigned
	s := (*reflect.SliceHeader)(unsafe.Pointer(&list))
	s.Data, s.Len, s.Cap = uintptr(unsafe.Pointer(p)), int(i)+1, int(i)+1
	return list[i]
}

func byLooking(p *looked, i uintptr) looked { return (*(**[1 << 16]looked)(unsafe.Pointer(&p)))[i] }

func byTelling(p *told, i uintptr) told {
	return *(*told)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(&p)), i*textSize))
}

type couple struct{ first, second coupled }

func byCouple(p *coupled, i uintptr) coupled { return (*couple)(unsafe.Pointer(p)).second }

func list[T ~string](n int) *T {
	list := make([]T, n)
	for i := range list {
		list[i] = T(fmt.Sprint("text ", i))
	}
	return &list[0]
}

func keep[T ~string](ask ask[T], n int) {
	p := list[T](n)
	ckp.Checkpoint()
	fmt.Print(ask(p, uintptr(n-1)), " ")
}

func farther() {
	const n = 40
	keep(byNumber, n)
	keep(bySteps, n)
	keep(byResult, n)
	keep(byLiteral, n)
	keep(byInterface, n)
	keep(byCopies, n)
	keep(byList, n)
	keep(byWords, n)
	keep(byHeader, n)
	keep(byFilling, n)
	keep(byAssigning, n)
	keep(byLooking, n)
	keep(byTelling, n)
	keep(byCouple, n)
	fmt.Println()
}

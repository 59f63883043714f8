// Toolarge has a number, at its one checkpoint, that only machines with 64 bits have.
package main

import (
	"fmt"
	"os"
	"reflect"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type step struct {
	name string
	n    uint
}

// Through variables, so that the constants compile for all machines.
var (
	wide     int64 = 1 << 40
	sizes          = map[int]int{}
	anything any
)

func local() {
	total := int(wide)
	ckp.Checkpoint()
	if total != int(wide) {
		panic(total)
	}
}

func element() {
	steps := make([]step, 5)
	steps[3] = step{"third", uint(wide >> 8)}
	ckp.Checkpoint()
	if steps[3].n != uint(wide>>8) {
		panic(steps)
	}
}

func closure() {
	n := int(wide)
	f := func() int { n++; return n }
	ckp.Checkpoint()
	if f() != int(wide)+1 {
		panic(n)
	}
}

func goroutine() {
	done := make(chan bool)
	go func() {
		n := uintptr(wide << 4)
		ckp.Checkpoint()
		done <- n == uintptr(wide<<4)
	}()
	if !<-done {
		panic("changed")
	}
}

// A symbol is hashed by its address.
type symbol struct{ next *symbol }

func (s *symbol) hash() uint64 { return uint64(uintptr(unsafe.Pointer(s)) >> 3) }

func address() {
	s := &symbol{}
	h := s.hash()
	ckp.Checkpoint()
	if s.hash() != h {
		panic(h)
	}
}

func channel() {
	c := make(chan struct{}, int(wide))
	ckp.Checkpoint()
	if cap(c) != int(wide) {
		panic(cap(c))
	}
}

func array() {
	t := reflect.ArrayOf(int(wide), reflect.TypeFor[struct{}]())
	ckp.Checkpoint()
	if t.Len() != int(wide) {
		panic(t)
	}
}

func main() {
	how := os.Getenv("HOW")
	switch how {
	case "local":
		local()
	case "channel":
		channel()
	case "array":
		array()
	case "element":
		element()
	case "key":
		sizes[int(-wide>>9)-1] = 1
		ckp.Checkpoint()
	case "value":
		sizes[-5] = int(wide >> 7)
		ckp.Checkpoint()
	case "interface":
		anything = int(wide)
		ckp.Checkpoint()
	case "closure":
		closure()
	case "goroutine":
		goroutine()
	case "address":
		address()
	}
	fmt.Println("done", how)
}

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

func headers() {
	notes, runes, numbers, spots := make([]note, 9), make([]rune, 9), make([]int16, 9), make([]spot, 9)
	for i := range 9 {
		notes[i], runes[i], numbers[i], spots[i] = note('a'+i), rune(i), int16(-i), spot{uint8(i), uint8(i * i)}
	}
	w, r, p, g := words{&notes[0], 9}, &row{&runes[0], 9, 9}, page{&numbers[0], 9}, grid{&spots[0], 9}
	ckp.Checkpoint()
	fmt.Println(w.String(), r.runes(), p.numbers(), g.spots())
}

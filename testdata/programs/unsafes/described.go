package main

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A described is the words of an interface, the first as a pointer to what stands for the runtime's description of a type.
type described struct {
	typ  *stands
	data unsafe.Pointer
}

type stands struct{}

// An abiDescribed is the same, by a struct that begins as the runtime's does.
type abiDescribed struct {
	typ  *abiType
	data unsafe.Pointer
}

type abiType struct {
	size, pointers uintptr
	hash           uint32
	flags          uint8
}

func describedBy(x any) *described { return (*described)(unsafe.Pointer(&x)) }

func abiDescribedBy(x any) *abiDescribed { return (*abiDescribed)(unsafe.Pointer(&x)) }

func (d *described) value() any { return *(*any)(unsafe.Pointer(d)) }

// viewedWords keeps nothing but the pointers to the words.
func viewedWords(n int) (list []string) {
	a, b := describedBy(&sample{a: n, text: "of a sample"}), abiDescribedBy(fmt.Sprint("text ", n))
	ckp.Checkpoint()
	sum := summed(a.data, 2)
	ckp.Checkpoint()
	list = append(list, fmt.Sprint(a.value().(*sample).text, sum, b.typ.size), *(*string)(b.data))
	x := any(&sample{a: n, b: 4})
	w := (*described)(unsafe.Pointer(&x))
	ckp.Checkpoint()
	list = append(list, fmt.Sprint(summed(w.data, 2)))
	c := describedBy(map[string]int{"n": n})
	d := describedBy(reflect.TypeFor[sample]())
	ckp.Checkpoint()
	return append(list, fmt.Sprint(c.value(), d.value(), c.typ == describedBy(map[string]int(nil)).typ))
}

package main

import (
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A reading has its kind in the name of the pointer to the first of what it consists of.
type (
	reading struct {
		n int
		p any
	}
	readingsPtr *reading
	levelsPtr   *level
	linesPtr    *string
	level       int16
)

func readings(list ...reading) reading {
	return reading{len(list), readingsPtr(unsafe.SliceData(list))}
}

func levels(list []level) reading { return reading{len(list), levelsPtr(&list[0])} }

func lines(list []string) reading { return reading{len(list), linesPtr(&list[0])} }

func (r reading) String() string {
	switch p := r.p.(type) {
	case readingsPtr:
		return fmt.Sprint(unsafe.Slice((*reading)(p), r.n))
	case levelsPtr:
		return fmt.Sprint(unsafe.Slice(((*level)(p)), r.n))
	case linesPtr:
		return fmt.Sprint(unsafe.Slice((*string)(p), r.n))
	}
	return fmt.Sprint(r.n)
}

func named() {
	var list []reading
	var texts []string
	for i := range 40 {
		list = append(list, reading{n: i})
		texts = append(texts, fmt.Sprint("line ", i))
	}
	r := readings(append(list, levels([]level{3, -1, 4}), lines(texts))...)
	ckp.Checkpoint()
	fmt.Println(r)
}

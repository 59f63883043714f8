package main

import (
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A sample is looked at by unsafe pointers while nothing else is read of it.
type sample struct {
	a, b int
	text string
}

// summed goes over the words of what it has no type for.
func summed(p unsafe.Pointer, n uintptr) (sum int) {
	for i := range n {
		v := unsafe.Pointer(uintptr(p) + i*unsafe.Sizeof(0))
		ckp.Checkpoint()
		sum += *(*int)(v) * (int(i) + 1)
	}
	return sum
}

func ofPointer(s *sample) int { return summed(unsafe.Pointer(s), 2) }

func ofVariable(n int) int {
	s := sample{a: n, b: 7, text: "variable"}
	return summed(unsafe.Pointer(&s), 2)
}

func ofElements(n int) (sum int) {
	list := []sample{{a: n, b: 1}, {a: 2, b: n}}
	p := unsafe.Pointer(unsafe.SliceData(list))
	q := p
	for i := range uintptr(2) {
		sum += summed(unsafe.Add(q, i*unsafe.Sizeof(sample{})), 2)
	}
	return sum
}

func ofField(s *sample) int {
	p := unsafe.Pointer(&s.b)
	ckp.Checkpoint()
	return *(*int)(p)
}

// dataOf is not rewritten, and what it returns leads to what is on the stack of the caller, for all that the compiler knows.
func dataOf(x any) unsafe.Pointer { return (*words)(unsafe.Pointer(&x)).data }

func ofInterface(x any) int { return summed(dataOf(x), 2) }

func ofWords(x any) int {
	p := (*words)(unsafe.Pointer(&x)).data
	return summed(p, 2)
}

func borne() (sum int) {
	for i := range 3 {
		sum = sum*3 + ofPointer(&sample{a: i, b: 2, text: "pointer"})
		sum = sum*3 + ofVariable(i)
		sum = sum*3 + ofElements(i)
		sum = sum*3 + ofField(&sample{a: i, b: 5})
		sum = sum*3 + ofInterface(&sample{a: i, b: 3})
		sum = sum*3 + ofWords(&sample{a: i, b: 3})
	}
	return sum
}

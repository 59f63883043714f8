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

// A spot is an unsafe pointer with methods.
type spot struct{ p unsafe.Pointer }

func placeOf(x any) (spot, bool) { return spot{dataOf(x)}, true }

func (s *sample) spot() spot { return spot{unsafe.Pointer(s)} }

func (p spot) summed() int { return summed(p.p, 2) }

// places returns the pointers of a slice, whatever they lead to.
func (p spot) places() []spot { return *(*[]spot)(p.p) }

func (p spot) each() (sum int) {
	list := p.places()
	for _, v := range list {
		sum = sum*5 + v.summed()
	}
	return sum
}

func ofPlace(s *sample) int { return s.spot().summed() }

func sampleOf(x any) int {
	var p spot
	if s, ok := x.(*sample); ok {
		p = s.spot()
	} else {
		p, _ = placeOf(x)
	}
	return p.summed()
}

func ofPlaces(list []*sample) int { return spot{unsafe.Pointer(&list)}.each() }

func borne() (sum int) {
	for i := range 3 {
		sum = sum*3 + ofPointer(&sample{a: i, b: 2, text: "pointer"})
		sum = sum*3 + ofVariable(i)
		sum = sum*3 + ofElements(i)
		sum = sum*3 + ofField(&sample{a: i, b: 5})
		sum = sum*3 + ofInterface(&sample{a: i, b: 3})
		sum = sum*3 + ofWords(&sample{a: i, b: 3})
		sum = sum*3 + ofPlace(&sample{a: i, b: 4})
		sum = sum*3 + sampleOf(&sample{a: i, b: 5})
		sum = sum*3 + sampleOf(&[2]int{i, 5})
		sum = sum*3 + ofPlaces([]*sample{{a: i, b: 6}, {a: 2, b: i}})
	}
	return sum
}

// Views uses memory as numbers of several types: floats as their bytes, pages as structs, parts of a variable, of an array on the stack and of
// the text in a map as words. After a checkpoint they are shared as they were.
package main

import (
	"fmt"
	"math"
	"strings"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

type head struct {
	number uint32
	flags  uint16
	sums   [2]uint8
}

type series struct {
	raw    []byte
	values []float64
	text   string
	head   *head
}

var page [64]byte

//go:noinline
func fill(b []byte, words *[8]uint64, n int) (sum uint64) {
	for i := range n {
		words[i%8] += uint64(i) * 0x10101
		b[i*7%64]++
		ckp.Checkpoint()
		sum += uint64(b[i%64])
	}
	return sum
}

func main() {
	var local [64]byte
	fmt.Println(fill(local[:], (*[8]uint64)(unsafe.Pointer(&local)), 50), local)
	fmt.Println(fill(page[:], (*[8]uint64)(unsafe.Pointer(&page)), 50), page)

	values := make([]float64, 60)
	for i := range values {
		values[i] = math.Sqrt(float64(i))
	}
	s := &series{values: values, raw: unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), 8*len(values))}
	s.text = unsafe.String(&s.raw[100], 50)
	s.head = (*head)(unsafe.Pointer(&s.raw[401]))
	count := map[string]int{s.text: 1, strings.Clone(s.text): 2}
	for i := range 20 {
		s.values[i] += float64(pt(i))
		s.head.number++
		s.head.sums[1] += s.head.sums[0] + s.raw[8*i+3]
	}
	text := strings.Clone(s.text)
	fmt.Println(s.values, *s.head, fmt.Sprintf("%x", pt(text)), len(count))
	ring()
}

// An entry has what not every machine has the same bytes of: an int, a bool, padding.
type entry struct {
	hash    uint32
	length  int
	deleted bool
}

// ring writes entries into a ring of bytes, by way of a buffer that it looks at as one.
func ring() {
	const size = unsafe.Sizeof(entry{})
	var buffer [size]byte
	e := (*entry)(unsafe.Pointer(&buffer))
	memory := make([]byte, 10*size)
	ints := make([]int, 5)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&ints[1])), 8)
	last := (*entry)(unsafe.Pointer(&memory[9*size]))
	for i := range 30 {
		e.hash, e.length, e.deleted = uint32(pt(i))*0x9e3779b9, -i, i%3 == 0
		copy(memory[uintptr(i)%10*size:], buffer[:])
		bytes[pt(i)%8]++
		ints[0] += last.length
	}
	fmt.Printf("%x %v %v %v\n", memory, ints, *last, *e)
}

// Backs keeps addresses as numbers of the types uintptr and uint64, in a table, in structs, in environments and in variables of frames, and makes pointers of them again.
package main

import (
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type function struct {
	n    int
	next *function
}

func number(f *function) uintptr { return uintptr(unsafe.Pointer(f)) }

// word does not number functions by identity, as pointers are made of the numbers.
func word(f *function) uint64 { return uint64(uintptr(unsafe.Pointer(f))) }

// of hides the conversion from the checks of pointers.
func of(number uintptr) *function {
	at := &number
	return *(**function)(unsafe.Pointer(at))
}

type reference uint64

type machine struct {
	functions []function
	table     []uintptr
	current   uintptr
	first     [2]uintptr
	long      []reference
	stack     [4]uint64
}

type option func() []byte

// from keeps an address in an environment.
func from(p, n uintptr) option {
	return func() []byte {
		ckp.Checkpoint()
		return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p))), n)
	}
}

func main() {
	m := &machine{functions: make([]function, 10), table: make([]uintptr, 10)}
	for i := range m.functions {
		m.functions[i].n = i
		m.functions[i].next = &m.functions[(i+3)%10]
		m.table[i] = number(&m.functions[i])
		m.long = append(m.long, reference(uintptr(unsafe.Pointer(&m.functions[9-i]))))
	}
	m.first[1] = m.table[0]
	memory := []byte("the memory of a machine")
	options := []option{from(uintptr(unsafe.Pointer(&memory[0])), 10), from(uintptr(unsafe.Pointer(&memory[4])), 6)}
	for i := range 12 {
		m.current = m.table[i*7%10]
		m.stack[i%4] = word(of(uintptr(m.long[i%10])))
		local := number(of(m.current).next)
		ckp.Checkpoint()
		of(local).n += i
		of(uintptr(word(&m.functions[i%10]))).n += 2
		last := m.stack[i%4]
		ckp.Checkpoint()
		of(uintptr(last)).n += 3
		memory[i] ^= ' '
		fmt.Println(of(m.current).n, of(m.first[1]).n, of(local) == &m.functions[(i*7+3)%10], string(options[i%2]()))
	}
	// The array is followed by no other, as nothing has so many bytes.
	numbers := make([]function, 1500)
	end := uintptr(unsafe.Pointer(&numbers[0])) + unsafe.Sizeof(numbers[0])*uintptr(len(numbers))
	visited := 0
	for p := uintptr(unsafe.Pointer(&numbers[0])); p != end; p += unsafe.Sizeof(numbers[0]) {
		of(p).n = visited
		if visited++; visited%500 == 0 {
			ckp.Checkpoint()
		}
	}
	fmt.Println(visited, numbers[1499].n)
}

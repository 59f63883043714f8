// Numbers hashes structs by their addresses, in a table of its own and in maps, also such as are part of another
// struct, held by package variables, or elements.
package main

import (
	"fmt"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A symbol is what it is: no two are equal.
type symbol struct {
	name string
	next *symbol
}

func (s *symbol) hash() uint64 { return uint64(uintptr(unsafe.Pointer(s)) >> 3) }

// An identity is an address as a number that has a name, as github.com/jakecoffman/cp keeps them.
type identity uintptr

func pair(a, b *symbol) identity {
	return identity(unsafe.Pointer(a))*31 ^ identity(unsafe.Pointer(b))
}

type table struct {
	buckets [64][]*entry
	size    int
}

type entry struct {
	key   *symbol
	value int
}

func (t *table) set(key *symbol, value int) {
	b := &t.buckets[key.hash()%64]
	for _, e := range *b {
		if e.key == key {
			e.value = value
			return
		}
	}
	*b = append(*b, &entry{key, value})
	t.size++
}

func (t *table) get(key *symbol) int {
	for _, e := range t.buckets[key.hash()%64] {
		if e.key == key {
			return e.value
		}
	}
	return -1
}

var (
	wellKnown = &symbol{name: "iterator"}
	variable  symbol
	lookups   int
)

type holder struct {
	before int
	symbol
}

func main() {
	t := new(table)
	seen := make(map[uintptr]string)
	pairs := make(map[identity]string)
	var all []*symbol
	add := func(s *symbol) {
		t.set(s, len(all))
		if was, ok := seen[uintptr(unsafe.Pointer(s))]; ok {
			fmt.Println("two have the number of", was)
		}
		seen[uintptr(unsafe.Pointer(s))] = s.name
		pairs[pair(s, wellKnown)] = s.name
		all = append(all, s)
	}
	add(wellKnown)
	add(&variable)
	array := make([]symbol, 5)
	holders := []*holder{{symbol: symbol{name: "held"}}, {}}
	for i := range array {
		add(&array[i])
	}
	for _, h := range holders {
		add(&h.symbol)
	}
	for i := range 40 {
		ckp.Checkpoint()
		add(&symbol{name: fmt.Sprint("s", i)})
		for k, s := range all {
			if got := t.get(s); got != k {
				fmt.Println("lost", s.name, got, k)
			}
			if seen[uintptr(unsafe.Pointer(s))] != s.name {
				fmt.Println("not seen", s.name)
			}
			if pairs[pair(s, wellKnown)] != s.name {
				fmt.Println("not paired", s.name)
			}
			lookups++
		}
	}
	fmt.Println(t.size, len(seen), lookups, t.get(wellKnown), t.get(&variable), t.get(&array[3]), t.get(&holders[1].symbol))
}

// Handles are equal to others of their values, and weak pointers lead where they led, in another process.
package main

import (
	"fmt"
	"maps"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"unique"
	"weak"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type symbol struct {
	pkg  unique.Handle[string]
	name string
}

type node[T comparable] struct {
	value unique.Handle[T]
	next  *node[T]
}

var (
	first  = unique.Make("first")
	latest any
)

// count counts symbols in tables by their handles.
func count(words []string) {
	table := map[unique.Handle[symbol]]int{}
	anys := map[any]int{}
	for _, w := range words {
		h := unique.Make(symbol{unique.Make(w[:1]), strings.ToLower(w)})
		table[h]++
		ckp.Checkpoint()
		anys[h] += table[h]
		latest = h
		table[unique.Make(symbol{unique.Make("z"), fmt.Sprint(len(table))})]++
	}
	var lines []string
	for h, n := range table {
		lines = append(lines, fmt.Sprint(h.Value().pkg.Value(), h.Value().name, n, anys[h], latest == any(h)))
	}
	slices.Sort(lines)
	fmt.Println(lines)
	fmt.Println(first == unique.Make("fir"+words[0][:0]+"st"), first.Value())
}

func list() {
	var all *node[any]
	for i := range 5 {
		all = &node[any]{unique.Make(any(fmt.Sprint("value", i%2))), all}
		ckp.Checkpoint()
	}
	for n := all; n != nil; n = n.next {
		fmt.Print(n.value == all.value, n.value.Value(), " ")
	}
	fmt.Println()
}

func addresses() {
	seen := map[netip.Addr][]netip.Prefix{}
	for _, s := range []string{"10.0.0.1", "fe80::1%eth0", "::1", "10.0.0.1", "fe80::1%eth1", "fe80::1%eth0"} {
		a := netip.MustParseAddr(s)
		ckp.Checkpoint()
		seen[a] = append(seen[a], netip.PrefixFrom(a.WithZone(""), 8).Masked())
	}
	for _, a := range slices.SortedFunc(maps.Keys(seen), netip.Addr.Compare) {
		fmt.Println(a, seen[a])
	}
}

type page struct {
	name string
	text []byte
}

func weakly() {
	cache := map[string]weak.Pointer[page]{}
	held := []*page{}
	var parts []*[]byte
	for i := range 6 {
		p := &page{fmt.Sprint("page", i), []byte{byte(i)}}
		cache[p.name] = weak.Make(p)
		switch i % 3 {
		case 0:
			held = append(held, p)
		case 1:
			parts = append(parts, &p.text)
		}
		p = nil
		runtime.GC()
		ckp.Checkpoint()
	}
	for _, name := range slices.Sorted(maps.Keys(cache)) {
		p := cache[name].Value()
		fmt.Println(name, p != nil, p != nil && p.name == name, slices.Contains(held, p), cache[name] == weak.Make(p))
	}
	ckp.Checkpoint()
	fmt.Println(len(parts), *parts[1], &cache["page4"].Value().text == parts[1])
}

func main() {
	count(strings.Fields("The cat the dog the cat and The mouse"))
	list()
	addresses()
	weakly()
}

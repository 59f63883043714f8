package main

import (
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A tray is one for all kinds of items, which a function of its own list goes over.
type tray struct {
	items [2]unsafe.Pointer // *item[K]
	next  unsafe.Pointer    // *tray
}

type item[K comparable] struct {
	key K
	n   int
}

type trays[K comparable] struct {
	first *tray
	isOf  func(K) bool
}

func (t *trays[K]) put(k K, n int) {
	x := t.first
	for ; x.items[1] != nil; x = (*tray)(x.next) {
		if x.next == nil {
			x.next = unsafe.Pointer(new(tray))
		}
	}
	i := 0
	if x.items[0] != nil {
		i = 1
	}
	x.items[i] = unsafe.Pointer(&item[K]{k, n})
	ckp.Checkpoint()
}

func (t *trays[K]) each(f func(K, int)) {
	var none unsafe.Pointer
	var late []unsafe.Pointer
	all := make([]unsafe.Pointer, 0, 4)
	for x := t.first; x != nil; x = (*tray)(x.next) {
		for i := range x.items {
			if x.items[i] != nil {
				all = append(all, x.items[i])
				late = append(late, x.items[i])
			}
		}
		for i := range all {
			e := (*item[K])(all[i])
			ckp.Checkpoint()
			if t.isOf(e.key) {
				f(e.key, e.n)
			}
			all[i] = none
		}
		all = all[:0]
	}
	for i := range late {
		f((*item[K])(late[i]).key, 1)
	}
}

// wordsOf are those of an interface, with its type as a number.
type wordsOf struct {
	typ  uintptr
	data unsafe.Pointer
}

// kindOf returns a function that has the words of an interface which nothing else leads to.
func kindOf[K comparable]() func(K) bool {
	var zero K
	var x any = zero
	h := (*wordsOf)(unsafe.Pointer(&x))
	return func(k K) bool {
		var y any = k
		return h.typ == 0 || h.typ == (*wordsOf)(unsafe.Pointer(&y)).typ
	}
}

func listed() (sum int) {
	texts := trays[string]{new(tray), kindOf[string]()}
	others := trays[any]{new(tray), kindOf[any]()}
	pairs := trays[pair[int, [4]int]]{new(tray), kindOf[pair[int, [4]int]]()}
	for i := range 7 {
		texts.put("text"[:1+i%4], i)
		others.put(i*1000, i)
		others.put("other", i)
		pairs.put(pair[int, [4]int]{i, [4]int{2}}, i)
	}
	texts.each(func(s string, n int) { sum += len(s) * n })
	others.each(func(x any, n int) {
		if i, ok := x.(int); ok {
			sum += i * n
		}
	})
	pairs.each(func(p pair[int, [4]int], n int) { sum += p.a * n })
	return sum
}

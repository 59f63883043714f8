// Mapiterators takes checkpoints while iterators over maps stand in them: those of package reflect, and one that the program makes
// with the runtime's functions.
package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// each calls visit for the entries of a map, whose order varies.
func each(m any, visit func(key, value reflect.Value)) {
	for it := reflect.ValueOf(m).MapRange(); it.Next(); {
		ckp.Checkpoint()
		visit(it.Key(), it.Value())
	}
}

// text writes a value with its maps in order, as an encoder does.
func text(v reflect.Value) string {
	ckp.Checkpoint()
	switch v.Kind() {
	case reflect.Map:
		var list []string
		each(v.Interface(), func(key, value reflect.Value) { list = append(list, text(key)+":"+text(value)) })
		slices.Sort(list)
		return "{" + strings.Join(list, " ") + "}"
	case reflect.Interface, reflect.Pointer:
		return text(v.Elem())
	}
	return fmt.Sprint(v)
}

// A cursor holds an iterator that goes on when it is asked to.
type cursor struct{ it *reflect.MapIter }

func (c *cursor) sum(n int) (sum int64) {
	for range n {
		if !c.it.Next() {
			break
		}
		ckp.Checkpoint()
		sum += c.it.Key().Int() * c.it.Value().Int()
	}
	return sum
}

// removed counts what comes while others are deleted.
func removed() (came, gone int) {
	m := make(map[int]*int)
	for i := range 40 {
		m[i] = &i
	}
	for it := reflect.ValueOf(&m).Elem().MapRange(); it.Next(); {
		k := int(it.Key().Int())
		came++
		if other := k ^ 1; m[other] != nil {
			delete(m, other)
			gone++
		}
		ckp.Checkpoint()
		if *m[k] != k {
			panic(k)
		}
	}
	return came, gone
}

type hiter struct {
	key, elem unsafe.Pointer
	typ, it   unsafe.Pointer
	rest      [12]uintptr
}

//go:linkname mapiterinit reflect.mapiterinit
//go:noescape
func mapiterinit(typ, m unsafe.Pointer, it *hiter)

//go:linkname mapiternext reflect.mapiternext
//go:noescape
func mapiternext(it *hiter)

// nodes goes over a map as packages do that know how the runtime keeps it.
type nodes struct {
	m     *words
	begun bool
	it    hiter
}

type words struct{ typ, word unsafe.Pointer }

func over(m map[string]float64) *nodes { return &nodes{m: wordsOf(m)} }

func wordsOf(x any) *words { return (*words)(unsafe.Pointer(&x)) }

func (n *nodes) next() bool {
	if n.begun {
		mapiternext(&n.it)
	} else {
		n.begun = true
		mapiterinit(n.m.typ, n.m.word, &n.it)
	}
	return n.it.key != nil
}

func (n *nodes) at() (string, float64) { return *(*string)(n.it.key), *(*float64)(n.it.elem) }

func own() {
	weights := make(map[string]float64)
	for i := range 11 {
		weights[fmt.Sprint("n", i)] = float64(i) / 2
	}
	var list []string
	for n := over(weights); n.next(); ckp.Checkpoint() {
		key, weight := n.at()
		list = append(list, fmt.Sprint(key, "=", weight))
	}
	slices.Sort(list)
	fmt.Println(list)
}

func main() {
	deep := map[string]any{
		"small": map[int]string{1: "one", 2: "two"},
		"none":  map[int]int(nil),
		"inner": &map[string]any{"a": map[bool][]int{true: {1}, false: nil}, "b": 1.5},
	}
	fmt.Println(text(reflect.ValueOf(deep)))

	squares := make(map[int]int)
	for i := range 100 {
		squares[i] = i
	}
	c := &cursor{reflect.ValueOf(squares).MapRange()}
	fmt.Println(c.sum(3) + c.sum(50) + c.sum(100))
	fmt.Println(removed())
	own()
}

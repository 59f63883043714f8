package main

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// A key has holes.
type key struct {
	a byte
	n int
	s string
	f float32
}

// keys has maps with keys of many kinds.
type keys struct {
	ints     map[int]int
	uints    map[uint]string
	ptrs     map[uintptr]int8
	bytes    map[byte]uintptr
	longs    map[int64][]int
	strings  map[string]map[string]int
	floats   map[float64]int
	pairs    map[complex128]uint
	bools    map[bool]float32
	arrays   map[[3]int16]key
	structs  map[key]int64
	any      map[any]int
	pointers map[*key]int
	chans    map[chan int]string
	order    []*key
	channels []chan int
}

func newKeys() *keys {
	k := &keys{ints: map[int]int{}, uints: map[uint]string{}, ptrs: map[uintptr]int8{}, bytes: map[byte]uintptr{}, longs: map[int64][]int{},
		strings: map[string]map[string]int{}, floats: map[float64]int{}, pairs: map[complex128]uint{}, bools: map[bool]float32{},
		arrays: map[[3]int16]key{}, structs: map[key]int64{}, any: map[any]int{}, pointers: map[*key]int{}, chans: map[chan int]string{}}
	k.floats[math.Inf(1)] = 1
	k.floats[math.Copysign(0, -1)] = 2
	return k
}

func (k *keys) step(n int) {
	for i := range 6 {
		x := n*6 + i
		k.ints[x-9] += pt(x)
		k.uints[math.MaxUint32-uint(x)] = fmt.Sprint(x)
		k.ptrs[uintptr(x)<<20] = int8(x)
		k.bytes[byte(x*50)] = uintptr(x)
		k.longs[int64(x)<<44] = append(k.longs[int64(x)<<44], x)
		s := strings.Repeat("ä", x%4)
		if k.strings[s] == nil {
			k.strings[s] = map[string]int{}
		}
		k.strings[s][fmt.Sprint(x)] = x
		k.floats[float64(x)/3]++
		k.floats[math.NaN()] = x
		k.pairs[complex(float64(x), -1)] = uint(x)
		k.bools[x%2 == 0] += float32(x)
		k.arrays[[3]int16{int16(x), -1, int16(-x)}] = key{byte(x), x, s, 0.5}
		k.structs[key{byte(x), -x, s, float32(x) / 4}] = int64(x) << 35
		p := &key{n: x}
		k.order = append(k.order, p)
		k.pointers[p] = x
		c := make(chan int, 1)
		k.channels = append(k.channels, c)
		k.chans[c] = fmt.Sprint("c", x)
		for _, y := range []any{x, uint(x), int64(x) << 33, uintptr(x), s, byte(x), float64(x), complex64(1), [2]int{x, 1}, key{n: x}, p, nil, true, struct{}{}} {
			k.any[y]++
		}
	}
	for _, p := range k.order {
		k.pointers[p] += n
	}
}

func (k *keys) end() string {
	sum := 0
	for _, p := range k.order {
		sum += k.pointers[p] * p.n
	}
	for _, c := range k.channels {
		sum += len(k.chans[c])
	}
	nan := 0
	for f, n := range k.floats {
		if f != f {
			nan += n
			delete(k.floats, f) // it stays
		}
	}
	var any []string
	for y, n := range k.any {
		if p, ok := y.(*key); ok {
			y = *p
		}
		any = append(any, fmt.Sprintf("%T %v %d", y, y, n))
	}
	sort.Strings(any)
	pairs := []string{}
	for p, u := range k.pairs {
		pairs = append(pairs, fmt.Sprint(p, u))
	}
	slices.Sort(pairs)
	structs := []string{}
	for s, n := range k.structs {
		structs = append(structs, fmt.Sprint(s, n))
	}
	slices.Sort(structs)
	lookups := fmt.Sprint(k.floats[0], k.floats[math.Inf(1)], k.any[7], k.any[uint(7)], k.any[int64(7)<<33], k.any[uintptr(7)], k.any[[2]int{7, 1}], k.any[key{n: 7}],
		k.arrays[[3]int16{4, -1, -4}], k.structs[key{5, -5, "ä", 1.25}], k.uints[math.MaxUint32-3], k.longs[3<<44])
	return fmt.Sprint(k.ints, k.uints, k.ptrs, k.bytes, k.longs, k.strings, len(k.floats), k.bools, k.arrays, sum, nan, any, pairs, structs, lookups)
}

type shape interface{ area() float64 }

type (
	square  float64
	rect    struct{ w, h float32 }
	circle  struct{ r *float64 }
	named   int
	letters []string
	table   map[string]int
	op      func(int) int
)

func (s square) area() float64    { return float64(s * s) }
func (r rect) area() float64      { return float64(r.w * r.h) }
func (c *circle) area() float64   { return *c.r * *c.r * 3 }
func (n named) area() float64     { return float64(n) }
func (l letters) area() float64   { return float64(len(l)) }
func (t table) area() float64     { return float64(t["area"]) }
func (o op) area() float64        { return float64(o(2)) }
func (n named) String() string    { return fmt.Sprintf("named %d", int(n)) }
func double(n int) int            { return 2 * n }
func (c *circle) String() string  { return fmt.Sprint("circle ", *c.r) }
func (l letters) Error() string   { return strings.Join(l, "+") }
func (r *rect) scaled(by float32) { r.w *= by }

// held has interfaces that hold many types.
type held struct {
	shapes []shape
	any    []any
	errs   []error
	nested any
	f      func(float32)
	r      *rect
}

func newHeld() *held {
	radius := 2.5
	c := &circle{&radius}
	h := &held{shapes: []shape{square(3), rect{2, 3}, c, named(-7), letters{"a", "b"}, table{"area": 12}, op(double), c}}
	h.any = []any{int(-1), int8(-2), int16(-3), int32(-4), int64(-5) << 40, uint(1), uint8(2), uint16(3), uint32(4), uint64(5) << 60, uintptr(6),
		float32(1.5), math.Pi, complex64(1i), complex(2, -3), "text", true, nil, []int{1, -2}, [2]uint{7, 8}, map[int]string{1: "one"},
		struct {
			b byte
			n int64
		}{1, 1 << 45}, &radius, c, named(9), [0]int{}, struct{}{}, error(letters{"x"}), 'x', []any{1, "two", 3.0}}
	h.errs = []error{letters{"p", "q"}, fmt.Errorf("wrapped: %w", letters{"r"})}
	h.nested = any([]any{&h.any[0], &h.shapes[2]})
	h.r = &rect{1, 1}
	h.f = h.r.scaled
	return h
}

func (h *held) step(n int) {
	for i, x := range h.any {
		switch x := x.(type) {
		case int:
			h.any[i] = pt(x) * 1000
		case uint:
			h.any[i] = x<<9 | uint(n)
		case uintptr:
			h.any[i] = x << 7
		case int64:
			h.any[i] = x - 1
		case [2]uint:
			x[n%2]++
			h.any[i] = x
		case map[int]string:
			x[n-5] = "step"
		case *float64:
			*x += 0.25
		case named:
			h.any[i] = x + 1
		}
	}
	*h.nested.([]any)[0].(*any) = h.any[0].(int) + 1
	h.f(1.5)
}

func (h *held) end() string {
	sum := 0.0
	for _, s := range h.shapes {
		sum += pt(s).area()
	}
	for i, x := range h.any {
		if p, ok := x.(*float64); ok {
			h.any[i] = *p
		}
	}
	again := *h.nested.([]any)[1].(*shape)
	return fmt.Sprintf("%v %v %v %v %v %v", sum, h.any, h.errs, again == h.shapes[7], *h.r, h.any[0].(int))
}

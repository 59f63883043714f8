package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// The functions here are long, with resume points outside of loops. What follows on such a point is in a function of its own.

type node struct {
	op   string
	list []*node
	num  int
	tab  map[string]int
}

type wide struct{ a, b, c, d, e, f, g, h, i, j int }

func (w *wide) add(n int) int { w.a += n; w.j = w.a; return w.a }

// eval has clauses with large variables of their own, loops in them, in blocks in them and in none, and calls itself.
func eval(n *node, depth int) (value int, name string) {
	acc := 0
	acc += len("This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. ")
	value = pt(acc) % 7
	switch n.op {
	case "num":
		return pt(n.num), "num"
	case "neg":
		w := wide{a: depth, c: 3}
		x, s := eval(n.list[0], depth+1)
		w.add(pt(x))
		return -w.a + w.c, "-" + s
	case "sum":
		var w, u wide
		for i, e := range n.list {
			x, s := eval(e, depth+1)
			w.add(x)
			u.b += pt(i)
			if s == "" {
				goto empty
			}
			name += s + "+"
		}
		value += pt(w.a) + u.b
	case "few":
		for i := range pt(n.num) {
			if value += pt(i); value%4 == 3 {
				break
			}
			value += pt(1)
		}
		{ // which begins with a loop, to which the one before leads
			for value < 100 {
				var w wide
				w.add(pt(value))
				value += pt(10) + w.j%3
			}
		}
		name = fmt.Sprint("few ", pt(value))
	case "tab":
		w := wide{b: depth}
		keys := []string{}
		for k, v := range n.tab {
			keys = append(keys, k)
			w.add(pt(v))
		}
		sort.Strings(keys)
		if len(keys) > 1 {
			u := [12]int{3: len(keys)}
			for i := range u {
				if i%5 == 4 {
					continue
				}
				for j := range i {
					u[i] += pt(j) * w.a
				}
			}
			name = fmt.Sprint(u, w)
			value += pt(u[11])
		}
		name += strings.Join(keys, ",")
	case "fun":
		total, names := depth, ""
		each := func(e *node) { x, s := eval(e, depth+1); total += x; names += s }
		for _, e := range n.list {
			each(e)
		}
		value += pt(total)
		name = names
	default:
		w := wide{}
		ckp.Checkpoint()
		defaulted := w.add(pt(depth))
		value, name = defaulted, fmt.Sprint("?", w.j)
	}
	for value > 100 {
		value /= pt(2)
	}
	ckp.Checkpoint()
	return value, name
empty:
	w := wide{d: pt(depth)}
	return w.d, "empty"
}

// tied is a loop that is entered in the middle, and by a goto from behind.
func tied(n int) (list []int) {
	acc := 0
	acc += len("This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. ")
	if pt(n)%2 == 0 {
		goto middle
	}
top:
	list = append(list, pt(n))
	if n < -3 {
		goto out
	}
middle:
	n--
	list = append(list, n*pt(10))
	if n > 0 {
		goto top
	}
	list = append(list, acc%pt(11))
	if n == 0 {
		n = -3
		goto top
	}
out:
	ckp.Checkpoint()
	return append(list, pt(n))
}

// steps is a loop that is entered at its switch, with points before and behind it, and in a block.
func steps(code string, n int) (out []string, err error) {
	acc := 0
	acc += len("This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. ")
	out = append(out, pt(fmt.Sprint(acc)))
	if n > 0 {
		w := wide{a: n}
		pc := 0
		for pc < len(code) {
			if pt(pc) > 100 {
				return out, errEmpty
			}
			switch code[pc] {
			case 'a':
				w.a++
			case 'b':
				w.b++
			case 'c':
				w.c++
			case 'd':
				w.d++
			case 'e':
				w.e++
			case 'f':
				w.f++
			case 'g':
				w.g++
			case 'h':
				w.h += w.add(w.g)
			case 'x':
				out = append(out, pt("x"))
			case 'q':
				goto out
			}
			pc++
		}
		out = append(out, fmt.Sprint(w))
		ckp.Checkpoint()
		out = append(out, fmt.Sprint(w, pc))
	}
out:
	if len(out) < 3 {
		_, err = failing(pt(n))
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func failing(n int) (int, error) {
	ckp.Checkpoint()
	if n%2 == 1 {
		return 0, errEmpty
	}
	return n, nil
}

// rescued recovers a panic itself, long as it is.
func rescued(what string, result *string) {
	acc := 0
	acc += len("This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. ")
	ckp.Checkpoint()
	*result += pt(fmt.Sprint(what, acc%10))
	*result += fmt.Sprint(recover())
	ckp.Checkpoint()
}

func panics(n int) (result string) {
	defer rescued("rescued ", &result)
	if pt(n) > 1 {
		panic(fmt.Sprint("panic ", n))
	}
	return "none "
}

// A ring is generic.
type ring[T any] struct{ of []T }

func (r *ring[T]) turn(n int, show func(T) string) (text string, last T) {
	acc := 0
	acc += len("This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. This makes the function long. ")
	text = pt(show(r.of[acc%len(r.of)]))
	if n > 1 {
		w := [10]T{3: r.of[0]}
		last = pt(w[n])
		for i, x := range r.of {
			w[i] = x
			text += pt(show(w[i]))
		}
		text += show(pt(w[2]))
	}
	text += "."
	return text, last
}

func straight() {
	num := func(n int) *node { return &node{op: "num", num: n} }
	tab := &node{op: "tab", tab: map[string]int{"one": 1, "two": 2, "three": 3}}
	for _, n := range []*node{
		num(3), {op: "neg", list: []*node{num(8)}}, {op: "sum", list: []*node{num(1), tab, {op: "?"}}}, tab, {op: "tab"}, {op: "few", num: 5},
		{op: "fun", list: []*node{num(500), {op: "sum", list: []*node{num(2), {op: "sum"}, num(7)}}, {op: "neg", list: []*node{{op: "other"}}}}},
	} {
		fmt.Println(eval(n, 1))
	}
	for n := range 3 {
		fmt.Println(tied(n))
	}
	for n, code := range []string{"abxh", "aabbxghhx", "abcxq", "", "gggghhq"} {
		fmt.Println(steps(code, n))
	}
	fmt.Println(panics(1), panics(2))
	r := &ring[string]{[]string{"a", "b", "c"}}
	fmt.Println(r.turn(2, func(s string) string { return "<" + s + ">" }))
	s := &ring[float64]{[]float64{1.5, 2.5, 3.5, 4.5}}
	fmt.Println(s.turn(1, func(x float64) string { return fmt.Sprint(x) }))
	fmt.Println(s.turn(3, func(x float64) string { return pt(fmt.Sprint(x)) }))
}

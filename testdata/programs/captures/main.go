// Captures changes variables after closures captured them, in loops with and without
// checkpoints, and declares variables again in each turn of a loop.
package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func cp(x int) int { ckp.Checkpoint(); return x }

type op struct {
	name string
	f    func(...int) int
}

// closures in loops without checkpoint beside loops with
func mixed() {
	var fs []func() int
	for i := 0; i < 3; i++ {
		for j := 0; j < 2; j++ {
			x := i * j
			fs = append(fs, func() int { x++; return x + i*10 + j*100 })
		}
	}
	for i := 0; i < 2; i++ {
		sum := 0
		for j := 0; j < 3; j++ {
			fs = append(fs, func() int { sum += j; return sum })
		}
		cp(sum)
		sum += 1000
	}
	for _, f := range fs {
		fmt.Print(f(), " ", f(), " ")
	}
	fmt.Println()
}

// captured then changed after
func changed() {
	a, b := 1, 2
	var c int
	f := func() int { return a + b + c }
	if cp(1) == 1 {
		c = 10
	}
	fmt.Println(f())
	var d struct{ x, y int }
	g := func() int { return d.x }
	d.x = 5
	cp(1)
	fmt.Println(g())
	e := [3]int{}
	h := func() int { return e[1] }
	e[1]++
	cp(1)
	fmt.Println(h())
	for e[2] = range 3 {
		cp(1)
	}
	k := func() int { return e[2] }
	fmt.Println(k())
	var m map[string]int
	l := func() int { return m["a"] }
	m = map[string]int{"a": 1}
	cp(1)
	m["a"]++
	fmt.Println(l())
	ch := make(chan int, 1)
	ch <- 4
	var v int
	var ok bool
	w := func() string { return fmt.Sprint(v, ok) }
	cp(1)
	select {
	case v, ok = <-ch:
	}
	fmt.Println(w())
	var err error
	chk := func() bool { return err != nil }
	_, err = fmt.Sscan("x", &v)
	cp(1)
	fmt.Println(chk())
	x, y := 1, 2
	sw := func() { x, y = y, x }
	cp(1)
	sw()
	fmt.Println(x, y)
	var p *int
	getp := func() *int { return p }
	p = &x
	*p = 77
	cp(1)
	fmt.Println(*getp(), x)
}

func params(a int, b []string, c ...int) (func() int, func() string) {
	inc := func() int { a++; c[0]++; return a + c[0] }
	ckp.Checkpoint()
	b = append(b, "q")
	return inc, func() string { b = append(b, "z"); return strings.Join(b, ",") }
}

func nested() func() func() int {
	x := 1
	return func() func() int {
		y := x
		x++
		ckp.Checkpoint()
		return func() int {
			x++
			y += x
			ckp.Checkpoint()
			z := func() int { x++; return x + y }
			return z()
		}
	}
}

func gen(n int) func() (int, bool) {
	i := 0
	return func() (v int, ok bool) {
		if i >= n {
			return
		}
		v, ok = i*i, true
		i++
		ckp.Checkpoint()
		return
	}
}

type visitor interface{ visit(n *nd) visitor }
type nd struct {
	v    int
	kids []*nd
}
type cnt struct {
	n     *int
	depth int
}

func (c cnt) visit(n *nd) visitor { *c.n += n.v * c.depth; ckp.Checkpoint(); c.depth++; return c }
func walk(v visitor, n *nd) {
	if v = v.visit(n); v == nil {
		return
	}
	for _, k := range n.kids {
		walk(v, k)
	}
}

type vf func(n *nd) visitor

func (f vf) visit(n *nd) visitor { return f(n) }

func dyn() {
	ops := []op{
		{"sum", func(xs ...int) int {
			s := 0
			for _, x := range xs {
				s += cp(x)
			}
			return s
		}},
		{"len", func(xs ...int) int { return len(xs) }},
	}
	for i := range ops {
		o := &ops[i]
		fmt.Println(o.name, o.f(1, 2, 3), ops[i].f([]int{4, 5}...))
	}
	m := map[string]op{"a": ops[0]}
	fmt.Println(m["a"].f(7))
	x := 0
	n := &nd{1, []*nd{{2, nil}, {3, []*nd{{4, nil}}}}}
	walk(cnt{&x, 1}, n)
	fmt.Println(x)
	var fv vf
	tr := []int{}
	fv = func(n *nd) visitor {
		tr = append(tr, n.v)
		if cp(n.v) == 3 {
			return nil
		}
		return fv
	}
	walk(fv, n)
	fmt.Println(tr)
	hs := map[string]func(string) string{"up": strings.ToUpper, "my": func(s string) string { cp(1); return s + x2(1) }}
	keys := []string{}
	for k := range hs {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Println(k, hs[k]("s"))
	}
}
func x2(i int) string { return fmt.Sprint(cp(i)) }

func stale(n int) (out []int) {
	var last int
	var p *int
	for i := 0; i < n; i++ {
		var x int
		if p != nil {
			out = append(out, *p, last)
		}
		x += i * 10
		p = &x
		cp(1)
		last = x
		x++
	}
	var acc [4]int
	for i := range acc {
		var tmp [2]int
		tmp[i%2] += cp(i)
		acc[i] = tmp[0] + tmp[1]
	}
	out = append(out, acc[:]...)
	i := 0
	for i < 2 {
		var s []int
		s = append(s, cp(i))
		var e error
		if i == 0 {
			e = fmt.Errorf("x")
		}
		cp(1)
		out = append(out, len(s))
		if e != nil {
			out = append(out, -1)
		}
		i++
	}
	return
}

func deep(n int, f func(int) int) int {
	var big [64]int
	big[n%64] = n
	if n == 0 {
		return f(cp(1))
	}
	r := deep(n-1, func(x int) int { return f(x) + big[n%64]%7 })
	return r + big[n%64]
}

// last captures variables that were assigned before, on some way or in another turn, and are not after
func last(n int) (fs []func() int) {
	n *= 2
	limit := n
	if cp(n) > 3 {
		limit = 3 * n
	}
	fs = append(fs, func() int { return limit + n })
	for i := range 3 {
		fresh := i
		if cp(i) == 1 {
			fresh = 10
		}
		fs = append(fs, func() int { return cp(fresh) + limit })
		switch at := limit + fresh; {
		case i == 0:
			fs = append(fs, func() int { return at })
			continue
		case cp(at) > 0:
			at++
			fs = append(fs, func() int { return cp(at) })
		}
	}
	total := 0
again:
	total += cp(n)
	defer func() { fmt.Println("deferred", total, limit) }()
	if total < 3*n {
		goto again
	}
	return fs
}

func main() {
	for n := range 3 {
		for _, f := range last(n) {
			fmt.Print(f(), " ")
		}
		fmt.Println()
	}
	mixed()
	changed()
	f, g := params(1, []string{"s"}, 5, 6)
	fmt.Println(f(), g(), f(), g())
	o := nested()
	a, b := o(), o()
	fmt.Println(a(), b(), a(), b())
	for nx, v, ok := gen(4), 0, true; ok; {
		if v, ok = nx(); ok {
			fmt.Print(v, " ")
		}
	}
	fmt.Println()
	dyn()
	fmt.Println(stale(3))
	fmt.Println(deep(500, func(x int) int { ckp.Checkpoint(); return x }))
}

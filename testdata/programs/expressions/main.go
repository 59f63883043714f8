// Expressions has calls in operands of every kind, in the order of evaluation, and
// labels with all the ways to jump to them.
package main

import (
	"fmt"
	. "strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func cp(x int) int { ckp.Checkpoint(); return x }

type T struct {
	n    int
	name string
	a    [3]int
}

func (t *T) Inc() int     { ckp.Checkpoint(); t.n++; return t.n }
func (t T) Get() int      { ckp.Checkpoint(); return t.n }
func (t *T) Add(k int) *T { ckp.Checkpoint(); t.n += k; return t }

type E struct {
	*T
	I
}
type I interface{ Do(int) int }
type impl struct{ k int }

func (i impl) Do(x int) int { ckp.Checkpoint(); return i.k * x }

type F func(int) int

func (f F) Do(x int) int { ckp.Checkpoint(); return f(x) + 1 }

type L struct {
	F  F
	fs map[string]func(int) int
}

func captured() {
	var t T
	f := func() int {
		ckp.Checkpoint()
		a := t.Inc()
		b := t.Get()
		g := func() int { return t.Inc() + t.a[cp(1)] + len(t.name) }
		t.Add(1).Add(2).Inc()
		return a*100 + b*10 + g()
	}
	fmt.Println(f(), t)
	h := t.Inc
	k := t.Get
	t.n = 50
	ckp.Checkpoint()
	fmt.Println(h(), k(), t.n)
	m1 := (*T).Inc
	m2 := T.Get
	m3 := (*T).Get
	ckp.Checkpoint()
	fmt.Println(m1(&t), m2(t), m3(&t), (*T).Inc(&t), T.Get(t))
}

func embedded() {
	e := E{&T{n: 3}, impl{4}}
	fmt.Println(e.Inc(), e.Get(), e.Do(5), e.T.Add(7).n)
	f := e.Do
	g := e.Inc
	h := E.Do
	e.I = F(func(x int) int { return cp(x) * 1000 })
	fmt.Println(f(1), g(), h(e, 2), e.Do(3))
	var d I = e
	fmt.Println(d.Do(4))
	var dd interface{ Inc() int } = e
	fmt.Println(dd.Inc(), dd.(interface{ Get() int }).Get())
	l := L{F: func(x int) int { return cp(x) + 1 }, fs: map[string]func(int) int{"a": func(x int) int { return cp(x) + e.n }}}
	fmt.Println(l.F(1), l.fs["a"](2), l.F.Do(3))
	ch := make(chan func(int) int, 3)
	ch <- l.F
	ch <- l.fs["a"]
	ckp.Checkpoint()
	fmt.Println((<-ch)(1), (<-ch)(2))
	arr := [2]func() int{func() int { return cp(1) }, func() int { return e.n }}
	brr := arr
	ckp.Checkpoint()
	fmt.Println(brr[0]() + arr[1]())
}

type St struct{ x int }

func order() {
	var log []string
	f := func(s string, v int) int { ckp.Checkpoint(); log = append(log, s); return v }
	g := func(s string, v int) int { log = append(log, s); return v }
	a := make([]int, 10)
	m := map[int]int{1: 1}
	a[f("a", 1)] += f("b", 2)
	a[g("c", 1)] += f("d", 2)
	a[f("e", 1)], m[g("f", 2)] = f("g", 3), g("h", 4)
	m[f("i", 1)] += g("j", 10)
	m[1] += f("k", 1)
	a[f("l", 3)]++
	*func() *int { f("m", 1); return &a[4] }() -= f("n", 5)
	x := g("o", 1) + f("p", 2)*g("q", 3) - f("r", 4)
	y := f("s", 1) == 1 && g("t", 0) == 1 || f("u", 1) == 1
	z := []int{f("v", 1), g("w", 2), 5: f("x", 3)}
	mm := map[int]string{f("y", 1): fmt.Sprint(f("z", 2)), g("A", 3): "b"}
	st := struct{ p, q int }{q: f("B", 1), p: f("C", 2)}
	ch := make(chan int, f("D", 5))
	ch <- f("E", 7)
	v, ok := <-ch
	ch <- 8
	w := <-ch + f("F", 1)
	sl := a[f("G", 1):f("H", 5):f("I", 7)]
	var i any = f("J", 2)
	q := i.(int) + f("K", 1)
	i = q
	switch f("L", 3) {
	case g("M", 1), f("N", 2):
		fmt.Println("no")
	case f("O", 3):
		fmt.Println("yes")
		fallthrough
	case f("P", 4):
		fmt.Println("through")
	default:
		fmt.Println("default")
	}
	switch {
	case f("Q", 1) == 2:
	case y && f("R", 1) == 1:
		fmt.Println("R")
		if x > 0 {
			break
		}
		fmt.Println("not here")
	}
	switch x := i.(type) {
	case int, string:
		fmt.Printf("%T %v %v\n", x, x, f("S", 1))
	}
	switch x := fmt.Sprint(f("T", 1)); x {
	case "1":
		fmt.Println("T1")
	}
	copy(a[f("U", 0):], z)
	delete(m, f("V", 1))
	z = append(z, f("W", 1), g("X", 2))
	fmt.Println(a, m, x, y, z, mm, st, v, ok, w, sl, q, Join(log, ""))
	b := []byte("abc")
	for i, c := range b {
		b[i] = c + byte(f("", 1))
	}
	fmt.Println(string(b), min(f("", 3), g("", 2)), max(1, f("", 4)))
	clear(m)
	fmt.Println(len(m), f("", 0))
	var p *St
	func() {
		defer func() { fmt.Println("recovered", recover()) }()
		fmt.Println(p.x)
	}()
	s1, s2 := St{f("", 1)}, St{1}
	fmt.Println(s1 == s2, St{f("", 2)} == s2, any(s1) == any(St{f("", 1)}))
	k := 0
	inc := func() int { k++; ckp.Checkpoint(); return k }
	fmt.Println(k, inc(), k, inc())
	k = k + inc()
	k += inc()
	fmt.Println(k)
	xs := []int{k, inc(), k}
	fmt.Println(xs)
	xs[0], k = k, inc()
	fmt.Println(xs, k)
	mk := map[string]int{"a": 1}
	mk["a"] += func() int { mk["a"] = 100; ckp.Checkpoint(); return 1 }()
	fmt.Println(mk)
	ptr := &St{1}
	ptr.x, ptr = cp(5), &St{7}
	fmt.Println(ptr.x)
	ss := []int{1, 2, 3}
	ii := 0
	ii, ss[ii] = 2, cp(9)
	fmt.Println(ii, ss)
	ii, ss[ii] = func() (int, int) { ckp.Checkpoint(); return 0, 77 }()
	fmt.Println(ii, ss)
	ss, ss[0] = []int{cp(5)}, 6
	fmt.Println(ss)
}

func labels() {
	i := 0
again:
	i += cp(1)
	if i < 5 {
		goto again
	}
	goto end
end:
	fmt.Println(i)
Outer:
	for a := 0; a < 3; a++ {
	Inner:
		for b := range 3 {
			switch {
			case b == 1 && a == 1:
				continue Outer
			case a == 2:
				break Outer
			case b == 2:
				break Inner
			}
			fmt.Println(a, b, cp(a*b))
		}
	}
	{
	Blk:
		switch {
		default:
			if cp(1) == 1 {
				break Blk
			}
			fmt.Println("not")
		}
	}
Sw:
	switch cp(1) {
	case 1:
		for {
			if cp(2) == 2 {
				break Sw
			}
		}
	}
	ch := make(chan int, 1)
	for n := 0; ; n++ {
		select {
		case ch <- n:
			continue
		case v := <-ch:
			fmt.Println("got", v)
			if n > 4 {
				goto out
			}
		}
		ckp.Checkpoint()
	}
out:
	fmt.Println("out")
	if cp(1) == 1 {
		goto inner
	}
	return
inner:
	for range 2 {
		cp(1)
	}
	{
		j := 0
	loop:
		if j < 3 {
			j++
			goto loop
		}
		fmt.Println(j, cp(2))
	}
}

func never() int {
	for {
		if cp(1) == 1 {
			panic("x" + fmt.Sprint(cp(2)))
		}
	}
}
func never2(x int) int {
	switch cp(x) {
	case 1:
		return 1
	default:
		panic("y")
	}
}

func main() {
	captured()
	embedded()
	order()
	labels()
	fmt.Println(never2(1))
	fmt.Println(ToUpper("done"))
}

// Iterations has loop variables of each iteration, gotos that execute declarations
// again, values passed on from call to call, and a main function that calls itself.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func cp(x int) int { ckp.Checkpoint(); return x }

// spread of an uninstrumented multi-valued call
func two() (int, string)       { return 1, "one" }
func three() (int, int, error) { return 1, 2, io.EOF }
func takes(n int, s string) string {
	ckp.Checkpoint()
	return fmt.Sprint(n, s)
}
func takesV(n int, rest ...any) string { ckp.Checkpoint(); return fmt.Sprint(n, rest) }

type rc struct{ n int }

func (r *rc) take(a, b int, e error) bool {
	ckp.Checkpoint()
	r.n += a + b
	return errors.Is(e, io.EOF)
}

func spread() {
	takes(two())
	s := takes(two())
	fmt.Println(s)
	r := &rc{}
	ok := r.take(three())
	fmt.Println(ok, r.n)
	fmt.Println(takesV(three()))
	if takes(two()) == "1 one" {
		fmt.Println("eq")
	}
	f := takes
	s = f(two())
	fmt.Println(s, func(a int, b string) string { ckp.Checkpoint(); return b }(two()))
}
func ret2() (int, string) { return two() }
func ret3() (n int, s string) {
	ckp.Checkpoint()
	return two()
}

// recursion of main
var depth int

func again() {
	if depth < 3 {
		depth++
		ckp.Checkpoint()
		main()
		fmt.Println("back", depth)
	}
}

// method value of nil interface panics where it stands
type I interface{ M() int }
type im int

func (i im) M() int { ckp.Checkpoint(); return int(i) }

func try(f func()) (s string) {
	defer func() {
		if e := recover(); e != nil {
			s = fmt.Sprint("panic: ", e)
		}
	}()
	f()
	return "fine"
}

func nilMethod() {
	fmt.Println(try(func() {
		var i I
		f := i.M
		fmt.Println("not reached", f == nil)
	}))
	fmt.Println(try(func() {
		var p *im
		f := p.M
		fmt.Println("not reached", f == nil)
	}))
	var i I = im(4)
	f := i.M
	i = im(5)
	ckp.Checkpoint()
	fmt.Println(f(), i.M())
}

// goto in the midst of blocks
func gotos() {
	n := 0
retry:
	for i := 0; i < 3; i++ {
		n++
		if n == 2 {
			goto retry
		}
		if n == 4 {
			goto retry
		}
		cp(i)
		fmt.Println("i", i, n)
	}
	var fs []func() int
	j := 0
loop:
	k := j * 2
	fs = append(fs, func() int { k++; return k })
	ckp.Checkpoint()
	j++
	if j < 3 {
		goto loop
	}
	for _, f := range fs {
		fmt.Println(f(), f(), cp(0))
	}
	x := 1
	p := &x
	for q := 0; q < 2; q++ {
		y := q
		p2 := &y
		defer1 := func() { *p += *p2 }
		ckp.Checkpoint()
		defer1()
	}
	fmt.Println(x, *p)
}

// per iteration loop variables
func loops() {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i += 10; return i })
		i += 0
	}
	ckp.Checkpoint()
	for i := 0; i < 4; i++ {
		fs = append(fs, func() int { i += 10; return i })
		ckp.Checkpoint()
		i++
	}
	for i, v := range []string{"a", "b"} {
		fs = append(fs, func() int { ckp.Checkpoint(); return i + len(v) })
	}
	for i, v := range []string{"a", "b"} {
		fs = append(fs, func() int { i++; v += "x"; return i + len(v) })
		ckp.Checkpoint()
	}
	for k, v := range map[string]int{"z": 1} {
		fs = append(fs, func() int { v++; k += "x"; return v + len(k) })
		ckp.Checkpoint()
	}
	for i := range 2 {
		p := &i
		fs = append(fs, func() int { *p += 3; return i })
		ckp.Checkpoint()
	}
	for i, j := 0, 10; i < j; i, j = i+1, j-3 {
		fs = append(fs, func() int { j--; return i*100 + j })
		if i == 1 {
			continue
		}
		ckp.Checkpoint()
	}
	for _, f := range fs {
		fmt.Print(f(), " ", f(), " ")
	}
	fmt.Println()
	for p := &(struct{ n int }{3}); p.n > 0; p.n-- {
		f := func() int { return p.n }
		ckp.Checkpoint()
		fmt.Print(f(), " ")
	}
	// closure in the condition and the post statement
	for i := 0; func() bool { return i < 3 }(); func() { i++ }() {
		ckp.Checkpoint()
		fmt.Print(i, " ")
	}
	for i := cp(0); cp(i) < cp(3); i += cp(1) {
		fmt.Print(i, " ")
	}
	fmt.Println()
	for i := 0; i < 3; func() { i++; ckp.Checkpoint() }() {
		g := func() *int { return &i }
		fmt.Print(*g(), " ")
	}
	fmt.Println()
}

type big [300]int

func values() {
	a := big{1: 5}
	b := a
	ckp.Checkpoint()
	f := func() int { return a[1] + b[1] }
	b[1] = 7
	ckp.Checkpoint()
	fmt.Println(f(), a == b, len(a))
	c := [2]big{a, b}
	d := c
	d[0][1] = 9
	ckp.Checkpoint()
	fmt.Println(c[0][1], d[0][1], unsafe.Sizeof(c))
	type key struct {
		a string
		b any
		c [2]int8
	}
	m := map[key]int{{"a", 1, [2]int8{1, 2}}: 1}
	ckp.Checkpoint()
	fmt.Println(m[key{"a", 1, [2]int8{1, 2}}], m[key{"a", int8(1), [2]int8{1, 2}}])
	var e1, e2 any = key{"x", "y", [2]int8{}}, key{"x", "y", [2]int8{}}
	ckp.Checkpoint()
	fmt.Println(e1 == e2)
	err := fmt.Errorf("wrap: %w", io.EOF)
	ckp.Checkpoint()
	fmt.Println(errors.Is(err, io.EOF), errors.Unwrap(err) == io.EOF)
	w := io.Writer(os.Stdout)
	ckp.Checkpoint()
	fmt.Fprintln(w, "to stdout", w == os.Stdout)
	var anon struct {
		X int `json:"x"`
		y []struct{ z *int }
	}
	anon.X = 3
	anon.y = append(anon.y, struct{ z *int }{&anon.X})
	ckp.Checkpoint()
	*anon.y[0].z = 8
	fmt.Println(anon.X)
	sl := a[2:4:6]
	ckp.Checkpoint()
	sl = append(sl, 42)
	fmt.Println(a[4], cap(sl))
	pa := &a
	for i := range pa {
		if i > 2 {
			break
		}
		pa[i] = cp(i)
	}
	for i, v := range pa[:3] {
		fmt.Print(i, v, " ")
		ckp.Checkpoint()
	}
	fmt.Println()
	ck := ckp.Checkpoint
	ck()
	hs := []func(){ck, ckp.Checkpoint}
	for _, h := range hs {
		h()
	}
	apply(ckp.Checkpoint)
	q := func(s ...string) (n int, _ error) {
		for range s {
			n++
			ckp.Checkpoint()
		}
		return
	}
	fmt.Println(q("a", "b"))
	var fib func(n int) int
	fib = func(n int) int {
		if n < 2 {
			ckp.Checkpoint()
			return n
		}
		return fib(n-1) + fib(n-2)
	}
	fmt.Println(fib(6))
	type rec func(rec, int) int
	fact := rec(func(r rec, n int) int {
		if n == 0 {
			ckp.Checkpoint()
			return 1
		}
		return n * r(r, n-1)
	})
	fmt.Println(fact(fact, 5))
}
func apply(f func()) { f() }

type chain struct {
	next *chain
	v    int
}

func (c *chain) sum() int {
	if c == nil {
		ckp.Checkpoint()
		return 0
	}
	return c.v + c.next.sum()
}

func main() {
	if depth > 0 {
		fmt.Println("main at", depth)
		again()
		return
	}
	again()
	spread()
	fmt.Println(ret2())
	fmt.Println(ret3())
	nilMethod()
	gotos()
	loops()
	values()
	var c *chain
	for i := range 3000 {
		c = &chain{c, i}
	}
	fmt.Println(c.sum())
}

// Lent passes addresses of local variables to functions that only use them and to functions that keep them, in all the ways that
// an address can be kept, with checkpoints before, between and after.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

type counter struct {
	n    int
	name string
	next *counter
	log  []int
	own  [4]int
}

var (
	kept   *counter
	keptBy = map[string]*counter{}
	keeper func()
	bytesK []byte
	anyK   any
	anyG   any
	ch     = make(chan *counter, 4)
)

// These only use what they are given.
func (c *counter) add(k int)     { c.n += k; c.log = append(c.log, k); c.own[k&3]++ }
func (c *counter) total() int    { return c.n + len(c.log) }
func (c *counter) through(k int) { c.twice(k); c.add(k) }
func (c *counter) twice(k int)   { c.add(k); c.add(k) }
func (c *counter) deep(k int) int {
	if k == 0 {
		return c.n
	}
	c.n++
	return c.deep(k - 1)
}
func fill(b []byte, x byte) int {
	for i := range b {
		b[i] = x + byte(i)
	}
	return len(b)
}
func swap(a, b *counter) { *a, *b = *b, *a }
func either(a, b *counter, first bool) int {
	p := a
	if !first {
		p = b
	}
	p.n++
	return p.n
}
func sum(list *[4]int) (s int) {
	for _, x := range list {
		s += x
	}
	return s
}

// These keep it.
func (c *counter) keep()              { kept = c }
func (c *counter) keepIn(name string) { keptBy[name] = c }
func (c *counter) self() *counter     { return c }
func (c *counter) chain(d *counter)   { d.next = c }
func (c *counter) loop()              { c.next = c }
func (c *counter) later()             { keeper = func() { c.n *= 2 } }
func (c *counter) box()               { anyG = c }
func (c *counter) send()              { ch <- c }
func (c *counter) window()            { c.log = c.own[:2] }
func (c *counter) throw()             { panic(c) }
func (c *counter) indirect()          { (*counter).keepAll(c) }
func (c *counter) keepAll()           { kept, anyK = c, &c.n }
func keepBytes(b []byte)              { bytesK = b[1:] }
func first(b []byte) *byte            { return &b[0] }

func used() {
	var c counter
	c.name = pt("used")
	c.add(pt(1))
	c.through(2)
	pt(0)
	c.twice(3)
	fmt.Println(c.total(), c.deep(3), pt(c.n), c.own, sum(&c.own))
	var d counter
	d.add(pt(5))
	swap(&c, &d)
	pt(0)
	fmt.Println(c.n, d.n, either(&c, &d, true), either(&c, &d, false), pt(c.n)+d.n, c.log, d.log)
	f := func() int { c.add(1); return c.n } // shares it
	fmt.Println(f(), pt(f()), c.n, c.total()+pt(f())+c.total())
	for i := range pt(3) {
		var e counter
		e.add(i)
		pt(i)
		e.add(e.n)
		fmt.Print(e.total(), e.own, " ")
	}
	fmt.Println()
}

func grow(i *int) int          { *i += 10; return *i }
func lengthen(s *string) int   { *s += "+"; return len(*s) }
func drop(list *[]int) int     { *list = (*list)[:1]; return len(*list) }
func double(n int) int         { return 2 * n } // of which it makes no difference when it is called
func words(list ...any) string { return fmt.Sprint(list...) }

// What an address is lent to changes the variable, while it is ranged over, counts, or has been an operand.
func changing() {
	n, s, list := 3, "abc", []int{1, 2, 3}
	for i := range n {
		fmt.Print(pt(i), grow(&n), " ")
	}
	for i := range 3 {
		fmt.Print(pt(i), grow(&i), i, " ")
	}
	for i, c := range s {
		fmt.Print(pt(i), string(c), lengthen(&s), " ")
	}
	for i, x := range list {
		fmt.Print(pt(i), x, drop(&list), " ")
	}
	for i, x := range list {
		fmt.Print(pt(x), grow(&i), i, " ")
	}
	fmt.Println(n, s, list)
	in, out := make(chan int, 1), make(chan int)
	select {
	case in <- n: // before the next operand changes it
	case out <- grow(&n):
		pt(0)
	}
	fmt.Println(<-in, n)
	fmt.Println(double(n), grow(&n), pt(1), words(double(double(n)), grow(&n), pt(2), double(n)))
}

func buffers() {
	var scratch [16]byte
	n := binary.PutUvarint(scratch[:], uint64(pt(300)))
	out := append([]byte(nil), scratch[:n]...)
	pt(0)
	n += fill(scratch[pt(2):6], 'a')
	fmt.Println(n, scratch, out, string(scratch[3:5]), len(scratch[:]), utf8.EncodeRune(scratch[:], pt('ü')), scratch[:3])
	var b bytes.Buffer
	b.WriteString(pt("buffer "))
	b.WriteByte('x')
	pt(0)
	fmt.Println(b.String(), b.Len(), pt(b.Cap() >= b.Len()))
	var s strings.Builder
	s.WriteString(pt("builder "))
	pt(0)
	s.WriteByte('y')
	fmt.Fprintf(&s, " %d", pt(3))
	fmt.Println(s.String())
	copy(scratch[8:], "copied")
	pt(0)
	fmt.Println(string(scratch[:]), bytes.Equal(scratch[8:10], []byte("co")))
}

func keeps() {
	var a, b, c, d, e, f, g, h, i, j counter
	a.keep()
	b.keepIn(pt("b"))
	p := c.self()
	d.chain(&a)
	e.loop()
	f.later()
	g.box()
	h.send()
	i.window()
	j.indirect()
	pt(0)
	a.n, b.n, c.n, d.n, e.n, f.n, g.n, h.n, j.n = 1, 2, 3, 4, 5, 6, 7, 8, 9
	i.own[1] = pt(10)
	keeper()
	fmt.Println(kept.n, keptBy["b"].n, p.n, a.next.n, e.next.next.n, f.n, *anyK.(*int), anyG.(*counter).n, (<-ch).n, i.log)
	kept.n++
	keptBy["b"].n++
	p.n++
	a.next.n++
	e.next.n++
	pt(0)
	fmt.Println(j.n, b.n, c.n, d.n, e.n, kept == &j, p == &c, keptBy["b"] == &b, e.next == &e)
	var raw [8]byte
	keepBytes(raw[:])
	q := first(raw[4:])
	pt(0)
	raw[1], raw[4] = 11, 44
	fmt.Println(bytesK[0], *q)
	func() {
		defer func() {
			k := recover().(*counter)
			pt(0)
			k.n++
			fmt.Println(k.n, k == &a, a.n)
		}()
		a.throw()
	}()
	fmt.Println(a.n)
}

// between has checkpoints between the evaluation of an address and the call.
func (c *counter) set(n int, more ...int) int { c.n = n + len(more); return c.n }

func between() {
	var c counter
	fmt.Println(c.set(pt(1)), c.set(pt(2), pt(3))+c.n, c.n+c.set(pt(5)), c.set(1)+pt(c.n)+c.set(9))
	defer c.add(pt(4))
	defer func() { fmt.Println(c.n) }()
	list := []int{c.set(7), pt(8), c.n, c.set(pt(c.n) + 1)}
	fmt.Println(list)
	if err := parse("17", &c); err != nil || pt(c.n) != 17 {
		fmt.Println(err, c.n)
	}
	if err := parse("x", &c); err != nil {
		fmt.Println(pt(err), c.n)
	}
}

func parse(s string, into *counter) error {
	into.n = 0
	for _, r := range s {
		if r < '0' || r > '9' {
			return errors.New("no digit: " + s)
		}
		into.n = 10*into.n + int(r-'0')
	}
	return nil
}

func recursive(depth int) int {
	var c counter
	c.add(depth)
	if depth > 0 {
		c.add(recursive(depth - 1))
	}
	pt(0)
	return c.total()
}

// These only use what they are given, and have checkpoints meanwhile.
func (c *counter) slow(k int) int {
	c.add(pt(k))
	c.own[pt(k)&3] += 10
	return pt(c.n)
}
func collect(into *[4]int, from []int) (s int) {
	for i, x := range from {
		into[i&3] += pt(x)
		s += into[pt(i)&3]
	}
	return s
}
func down(c *counter, k int) int {
	if k > 0 {
		c.n += down(c, pt(k-1))
	}
	return pt(c.n)
}

// These keep it, some only at times.
func (c *counter) keepOdd(k int) int {
	if pt(k)%2 == 1 {
		keptBy[fmt.Sprint("odd", k)] = c
	}
	return c.slow(k)
}
func (c *counter) self2(k int) *counter { c.slow(k); return c }

// repeated has variables that are declared in each iteration of a loop anew, whose addresses are in frames below at checkpoints.
func repeated() {
	total := 0
	for i, d := range [][4]int{{1, 2}, {3, 4, 5}, {pt(6)}} {
		var sums [4]int
		total += collect(&sums, d[:i+1]) + collect(&d, sums[:])
		var c counter
		total += c.slow(i) + down(&c, 3) + len(c.name)
		c.name = pt("named")
		fmt.Print(sums, d, c.n, c.log, c.own, " ")
	}
	for i := 0; pt(i) < 4; i++ {
		c := counter{n: i}
		if i%2 == 0 {
			var c counter // another one of that name, which is kept
			total += c.keepOdd(i + 1)
			c.n += 1000
		}
		e, n := counter{name: "e"}, c.slow(i)
		e.add(n)
		total += e.slow(pt(n)) + c.n
		p := c.self2(i)
		keptBy[fmt.Sprint("self", i)] = p
		fmt.Print(c.n, e.n, e.own, p == &c, " ")
	}
	for i := 0; i < 12; i++ { // whose address is passed, and which is assigned to so
		total += advance(&i, pt(1))
		fmt.Print(i, " ")
	}
	k := 0
again:
	var c counter
	total += c.slow(k) + c.set(pt(k), pt(k)) + down(&c, pt(2))
	for _, x := range []byte("ab") {
		buf := [3]byte{x}
		total += fillSlowly(buf[1:], x) + int(buf[0]+buf[2])
	next:
		for range 2 {
			var buf [3]byte
			if total += fillSlowly(buf[:], pt(x)); x == 'b' {
				continue next
			}
			total += int(buf[1])
		}
	}
	if k++; k < 3 {
		goto again
	}
	for n := range three {
		var c counter
		total += c.slow(n) + down(&c, n)
	}
	fmt.Println(total)
	for _, name := range []string{"odd1", "odd3", "self0", "self1", "self2", "self3"} {
		fmt.Print(name, " ", keptBy[name].n, keptBy[name].own, " ")
	}
	fmt.Println()
}

func advance(i *int, by int) int {
	*i += pt(by)
	return pt(*i)
}

func fillSlowly(b []byte, x byte) (n int) {
	for i := range b {
		n += int(b[i])
		b[i] = pt(x) + byte(i)
	}
	return n
}

func three(yield func(int) bool) {
	for i := range 3 {
		if !yield(pt(i)) {
			return
		}
	}
}

func main() {
	repeated()
	used()
	changing()
	buffers()
	keeps()
	between()
	fmt.Println(recursive(6))
}

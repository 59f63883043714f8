// Order prints the order in which operands are evaluated.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

var log []string

func f(name string, v int) int {
	log = append(log, name)
	ckp.Checkpoint()
	return v
}

func plain(name string, v int) int {
	log = append(log, name)
	return v
}

func two(name string) (int, string) {
	ckp.Checkpoint()
	log = append(log, name)
	return len(log), name
}

func truth(name string, b bool) bool {
	ckp.Checkpoint()
	log = append(log, name)
	return b
}

func show(args ...any) {
	fmt.Println(append(args, log)...)
	log = nil
}

type matrix [3][3]int

func (m *matrix) at(i, j int) *int { ckp.Checkpoint(); log = append(log, "at"); return &m[i][j] }

func pass(a int, s string) string { ckp.Checkpoint(); return fmt.Sprint(a, s) }

func multiple() (a, b int, err error) {
	a = f("ma", 1)
	b, err = f("mb", 2), nil
	return b, a, err
}

// A menu changes what its callers call in the same expression.
type menu struct {
	do   func(int) string
	more []func(int) string
	say  sayer
}

type sayer interface{ say(n int) string }
type voice string

func (v voice) say(n int) string { ckp.Checkpoint(); return fmt.Sprint(string(v), n) }

func newMenu() *menu {
	old := func(n int) string { return fmt.Sprint("old", f("old", n)) }
	return &menu{do: old, more: []func(int) string{old}, say: voice("old")}
}

func (m *menu) self() *menu { ckp.Checkpoint(); return m }
func (m *menu) none() *menu { f("none", 0); return nil }

func (m *menu) change() int {
	m.do = func(n int) string { return fmt.Sprint("new", f("new", n)) }
	m.more[0], m.say = m.do, voice("new")
	return f("change", 1)
}

// callees has functions that are read from what the arguments change, before them if something is called for that.
func callees() {
	m := newMenu
	a, b := m(), m()
	show(a.do(a.change()), b.self().do(b.change()))
	a, b = m(), m()
	show(a.more[0](a.change()), b.more[f("index", 0)](b.change()), b.more[len(b.more)-1](2))
	a, b = m(), m()
	show(a.say.say(a.change()), (b.self().say).say(b.change()))
	a = m()
	func() {
		defer a.self().do(a.change())
	}()
	for _, call := range []func(){
		func() { a.none().do(a.change()) },
		func() { a.none().say.say(a.change()) },
		func() { a.more[f("index", 5)](a.change()) },
		func() { defer a.none().do(a.change()) },
		func() { (*menu)(nil).do(a.change()) },
	} {
		func() {
			defer func() { show(recover()) }()
			call()
		}()
	}
}

// text and number are sayers that are no pointers, pointed is one.
type (
	text    struct{ s string }
	number  int
	pointed struct{ n *int }
)

func (t text) say(n int) string    { ckp.Checkpoint(); return fmt.Sprint(t.s, n) }
func (m number) say(n int) string  { ckp.Checkpoint(); return fmt.Sprint(int(m), n) }
func (p pointed) say(n int) string { ckp.Checkpoint(); return fmt.Sprint(*p.n, n) }

// converted makes interfaces for the calls of their methods of what the arguments change: before them, but for pointers.
func converted() {
	t, m, p := text{"old"}, number(1), pointed{new(int)}
	change := func() int {
		t.s, p = "new", pointed{new(int(m))}
		m++
		return f("change", 1)
	}
	show(sayer(t).say(change()), sayer(m).say(change()), sayer(sayer(m)).say(change()), sayer(p).say(change()))
	show(sayer(&t).say(change()), (sayer(m)).say(1+change()))
	func() {
		defer sayer(m).say(change())
	}()
	func() {
		defer func() { show(recover()) }()
		show(sayer(*(*text)(nil)).say(change()))
	}()
}

func main() {
	converted()
	callees()
	a := []int{10, 20, 30, 40}
	a[f("i", 1)] += f("v", 5) * plain("p", 2)
	show(a)
	a[f("i", 0)], a[plain("j", 2)] = f("x", 7), f("y", 8)
	show(a)
	x := f("a", 1) + plain("b", 2)*f("c", 3) - plain("d", 4)
	show(x)
	show(truth("l", false) && truth("r", true) || truth("s", true) && plain("t", 1) == 1)
	show(truth("l", true) || truth("r", true), plain("after", 1))
	fmt.Println(pass(two("pair")))
	m := &matrix{}
	*m.at(1, 2) = f("rhs", 9)
	*m.at(1, 2)++
	*m.at(0, 0) += f("op", 3)
	show(*m)
	s := []int{f("e0", 1), plain("e1", 2), f("e2", 3)}
	mm := map[string]int{"k": f("k", 1), "l": plain("l", 2)}
	show(s, mm)
	st := struct{ p, q int }{q: f("q", 1), p: f("p", 2)}
	show(st)
	show(multiple())
	var arr [4]int
	i := 0
	i, arr[i] = 2, f("arr", 5)
	show(arr, i)
	v, ok := mm[fmt.Sprint("k", f("zero", 0))]
	show(v, ok)
	ch := make(chan int, 3)
	ch <- f("sent", 1)
	ch <- plain("sent2", 2) + f("sent3", 3)
	show(<-ch+f("recv", 1), <-ch)
	var e any = f("conv", 3)
	n, isInt := e.(int)
	show(n, isInt, float64(f("float", 3))/2, string(rune(f("rune", 'x'))))
	y := min(f("m1", 4), plain("m2", 2), f("m3", 3))
	show(y, len(fmt.Sprint(f("len", 123))))
	func(args ...int) { show(args) }(f("v1", 1), f("v2", 2))
	show(append(append([]int(nil), f("ap1", 1)), f("ap2", 2), plain("ap3", 3)))
	c := complex(float64(f("re", 1)), float64(f("im", 2)))
	show(c, -f("neg", 1), !truth("not", false), ^f("xor", 1))
	if k := f("if", 1); k > f("cond", 0) && plain("more", 1) > 0 {
		show("then", k)
	}
	b := a[f("lo", 1):f("hi", 3)]
	show(b)
	early()
	addressed()
}

// A scanner changes what its callers read in the same expression.
type scanner struct {
	text        string
	at          int
	more        bool
	kind        any
	next        *scanner
	bytes, copy []byte
}

func (s *scanner) scan() int {
	ckp.Checkpoint()
	for s.at < len(s.text) && s.text[s.at] != ' ' {
		s.at++
	}
	s.more, s.kind, s.text, s.next = !s.more, s.at, s.text+".", &scanner{at: s.at}
	return s.at
}

func (s *scanner) begin() *scanner {
	*s = scanner{text: "some words", kind: "kind", next: &scanner{at: 7}}
	return s
}

// early has operations that the compiler orders like calls, and others that it does not.
func early() {
	s := new(scanner)
	fmt.Println(s.begin().text[s.at+1 : s.scan()])
	s.begin()
	fmt.Println(s.text[s.at:s.scan()], s.text)
	s.begin()
	at := 1
	move := func() int { at = 2; ckp.Checkpoint(); return 4 }
	fmt.Println(s.text[at:move()], s.text[at+1:move()-1])
	s.begin()
	fmt.Println(s.text[1:], s.text, s.scan())
	s.begin()
	fmt.Println(s.more || s.at > 0, !s.more && s.at == 0, s.more, s.scan(), s.more && s.at > 0)
	s.begin()
	fmt.Println(s.kind.(string), s.scan(), s.kind)
	s.begin()
	fmt.Println(len([]byte(s.text)), string([]byte(s.text)), []rune(s.text)[len(s.text)-1:], s.scan(), len(s.text))
	s.begin()
	fmt.Println(map[string]int{s.text: s.at}, []int{s.at}, s.scan(), s.next.at)
	s.begin()
	var p any = s.next
	q := &p
	set := func() int { *q = &scanner{at: 9}; ckp.Checkpoint(); return 1 }
	fmt.Println((*q).(*scanner).at, set(), (*q).(fmt.Stringer) == nil && set() > 0)
}

func (s *scanner) String() string { return fmt.Sprint("scanner at ", s.at) }

// A tally changes what its callers compare, index and put into interfaces in the same expression.
type tally struct {
	n     int
	small byte
	pair  [2]int
	word  []byte
}

func (t *tally) next() int {
	ckp.Checkpoint()
	t.n++
	t.small++
	t.pair[0]++
	t.word[0]++
	return t.n
}

func (t *tally) begin() *tally {
	*t = tally{word: []byte("a")}
	return t
}

func (t *tally) boxed() (any, int, any) { return t.n == 0, t.next(), t.n == 0 }

// addressed has operands that the compiler copies among the calls, as the runtime takes their addresses.
func addressed() {
	t := new(tally)
	fmt.Println(t.begin().n == 0, t.next(), t.n == 0)
	fmt.Println(t.n > 1, t.small+1, t.small, t.n, t.n+1, t.next(), *t)
	fmt.Println(any(t.small-1), any(t.n-1), complex(float32(t.n), 0), [1]int{t.n}, [2]int{t.n, 1}, t.next(), t.pair)
	fmt.Println(t.begin().boxed())
	x, y, z := any(t.n == 1), t.next(), any(&tally{n: t.n}).(*tally).n
	fmt.Println(x, y, z)
	x, y = -t.small, t.next()
	fmt.Println(x, y)
	list := append([]any{t.n < 4, t.next()}, t.n < 4, t.next(), t.n < 4)
	fmt.Println(list, struct{ a, b, c any }{t.n > 5, t.next(), t.n > 5})
	fmt.Println(t.begin().n == 0 == (t.next() == 1), [2]int{t.n} == t.pair == (t.next() > 0), x == (t.n == 2) == (t.next() > 0))
	t.begin()
	fmt.Println(map[int]int{t.n: t.n, t.next(): t.n, 10 + t.n: t.next()}, map[string][]int{"a": {t.n}, "b": {t.next(), t.n}})
	fmt.Println(map[byte]int{t.small - 1: t.next()}, map[int]int{t.n: t.next()}, map[[2]int]any{{t.n}: t.next() > 0})
	words, pairs := map[string]int{"a": 1, "b": 2}, map[[2]int]int{{0, 1}: 1, {1, 1}: 2}
	floats, anys := map[float64]int{0: 1, 1: 2}, map[any]int{0: 1, 1: 2, true: 3}
	t.begin()
	fmt.Println(words[string(t.word)]+10*t.next(), string(t.word) == "b", t.next(), string(t.word) == "b")
	t.begin()
	fmt.Println(pairs[[2]int{t.n, 1}]+10*t.next(), pairs[t.pair]+t.next())
	t.begin()
	fmt.Println(floats[float64(t.n)]+10*t.next(), t.begin().n)
	fmt.Println(anys[t.n]+10*t.next(), t.begin().n, anys[t.n == 0]+10*t.next(), anys[t.n])
	t.begin()
	words[string(t.word)] = t.next()
	words[string(t.word)] += t.next()
	fmt.Println(words)
}

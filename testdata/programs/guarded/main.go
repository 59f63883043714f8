// Guarded calls functions that do something in some cases only.
package main

import (
	"fmt"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type state struct {
	top, last int
	stack     []int
	name      string
}

func (s *state) check(n int) {
	if s.last-s.top <= n {
		s.grow(n)
	}
}

func (s *state) grow(n int) {
	ckp.Checkpoint()
	s.last += n + 1
	s.stack = append(s.stack, n)
}

func (s *state) push(n int) {
	s.check(2)
	s.stack[s.top%len(s.stack)] = n
	s.top++
}

type machine struct {
	state
	next    *state
	log     []string
	checked vector
	checks  *counter
}

func (m *machine) run(n int) {
	m.state.check(n)
	m.next.check(n % 3)
	m.check(n + 1)
	m.checks.check(n)
	fmt.Println(m.checked.check(n), m.checks.n)
	m.note(n > 2, "n is %d of %s", n, m.name)
}

type counter struct{ n int }

func (c *counter) check(n int) {
	if n > c.n {
		ckp.Checkpoint()
		c.n++
	}
}

func (v vector) check(n int) float64 {
	if n == 2 {
		return v.x
	}
	ckp.Checkpoint()
	return v.y
}

// The rest of the parameters are variadic.
func (m *machine) note(ok bool, format string, args ...any) {
	if !ok {
		ckp.Checkpoint()
		m.log = append(m.log, fmt.Sprintf(format, args...))
	}
}

type tree struct {
	left, right *tree
	n           int
}

func (t *tree) sum() int {
	if t == nil {
		return 0
	}
	ckp.Checkpoint()
	return t.left.sum() + t.n + t.right.sum()
}

func build(n int) *tree {
	if n == 0 {
		return nil
	}
	ckp.Checkpoint()
	return &tree{build(n - 1), build(n - 1), n}
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	if n == 7 {
		ckp.Checkpoint()
	}
	return fib(n-1) + fib(n-2)
}

// Results that are arguments.
func sorted(a, b int) (int, int) {
	if a < b {
		return a, b
	}
	ckp.Checkpoint()
	return b, a
}

func reversed(a, b int) (int, int) {
	if a > b {
		return b, a
	}
	ckp.Checkpoint()
	return a, b
}

// Constants, which the compiler calculates with as they are.
func wraps(x uint8) bool {
	if x+10 > 20 {
		return true
	}
	ckp.Checkpoint()
	return false
}

func least(x int8) int8 {
	if x == -128 {
		return x
	}
	ckp.Checkpoint()
	return -x
}

func isEmpty(s string) bool {
	if len(s) == 0 || s == "-" {
		return true
	}
	ckp.Checkpoint()
	return false
}

func search[T comparable](list []T, x T, from int) int {
	if from >= len(list) {
		return -1
	}
	ckp.Checkpoint()
	if list[from] == x {
		return from
	}
	return search(list, x, from+1)
}

var calls int

func count() int { calls++; return calls }

func counting(n int) int {
	if n < 0 {
		return count()
	}
	ckp.Checkpoint()
	return 0
}

func named(n int) (a, b int) {
	a = 5
	if n < 0 {
		return
	}
	ckp.Checkpoint()
	return n, n
}

func atOnce(n int) (a, b int) {
	if n < 0 {
		return
	}
	ckp.Checkpoint()
	return n, n
}

type vector struct{ x, y float64 }

func (v vector) scaled(by int) vector {
	if by == 1 {
		return v
	}
	ckp.Checkpoint()
	return vector{v.x * float64(by), v.y * float64(by)}
}

func failing(s *state, n int) error {
	if s == nil {
		return nil
	}
	ckp.Checkpoint()
	return fmt.Errorf("%s %d", s.name, n)
}

func lookup(t *tree, n int) (*tree, int) {
	if t == nil {
		return nil, n
	}
	ckp.Checkpoint()
	return t.left, t.n
}

func same(a, b any) bool {
	if a == b {
		return true
	}
	ckp.Checkpoint()
	return false
}

func shadowed(t *tree) int {
	nil, len, true := 1, 2, 3
	s := t.left.sum()
	if isEmpty("") {
		s += nil + len + true
	}
	return s
}

func captured() []int {
	n, m := 7, 1
	f := func(by int) { n += by; m = fib(n) }
	for i := range 4 {
		f(i)
		n, m = sorted(m, n)
		m = fib(n % 5)
	}
	return []int{n, m}
}

func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func main() {
	s := &state{name: "state"}
	for i := range 12 {
		s.push(i)
	}
	fmt.Println(*s)
	m := &machine{next: s, state: state{name: "inner"}, checked: vector{1, 2}, checks: new(counter)}
	for i := range 6 {
		m.run(i)
	}
	fmt.Println(m.state, *m.next, strings.Join(m.log, "; "))

	t := build(4)
	fmt.Println(t.sum(), t.left.left.sum(), (*tree)(nil).sum(), fib(12), fib(1))
	a, b := 5, 3
	a, b = sorted(a, b)
	fmt.Println(a, b)
	b, a = sorted(a, b)
	fmt.Println(a, b)
	a, b = reversed(b, a)
	a, b = reversed(a, b)
	_, b = reversed(b, a+20)
	sorted(a, b)
	fmt.Println(a, b)
	constants(3)
	fmt.Println(wraps(250), wraps(15), least(-128), least(5), isEmpty(""), isEmpty("-"), isEmpty("x"))
	fmt.Println(search([]string{"a", "b", "c"}, "c", 0), search([]int{1, 2}, 3, 0), search[int](nil, 1, 0))
	counting(-1)
	fmt.Println(counting(-1), counting(1), calls)
	c, d := named(-1)
	e, f := atOnce(-1)
	fmt.Println(c, d, e, f)
	v := vector{1, 2}
	fmt.Println(v.scaled(1), v.scaled(3), (&v).scaled(1).scaled(2))
	fmt.Println(failing(nil, 1), failing(s, 2), same(1, 1), same(s, nil))
	_, n := lookup(nil, 7)
	u, _ := lookup(t.left.left.left.left, 8)
	fmt.Println(n, u, shadowed(t), captured())
	fmt.Println(recovered(func() { (*state)(nil).check(1) }), recovered(func() { same([]int{}, []int{}) }))
}

type letter string

type brief int8

const few brief = 5

// What is returned as a constant keeps its type.
func constants(n int) {
	fmt.Printf("%T %T %T %T\n", whole(0), character(0), given(0, 3), text(0))
	fmt.Println(whole(n), character(n), given(n, few), text(n), apart(0.1, 0.10000000000001), twice(0.5, n))
	var kept any
	kept = short(0)
	fmt.Printf("%T %v %T %T\n", kept, kept, boxed(0), boxed(n))
	first, second := (&problem{7}).twice(0)
	fmt.Println(first == second, (&problem{8}).isOther())
	var fault error
	fault = none(0)
	fmt.Printf("%T %v %v\n", fault, fault == nil, decided(n < 0)+decided(n > 0))
	number, err := real(0)
	fmt.Printf("%T %v\n", number, err)
}

func whole(n int) any {
	if n == 0 {
		return few
	}
	ckp.Checkpoint()
	return whole(n - 1)
}

func character(n int) any {
	if n == 0 {
		return 'a'
	}
	ckp.Checkpoint()
	return character(n - 1)
}

func given(n int, m brief) any {
	if n == 0 {
		return m
	}
	ckp.Checkpoint()
	return fmt.Sprintf("%T", given(n-1, m))
}

func text(n int) any {
	if n == 0 {
		return letter("x")
	}
	ckp.Checkpoint()
	return fmt.Sprintf("%T %d", text(n-1), n)
}

func real(n int) (any, error) {
	if n == 0 {
		return 1.0, nil
	}
	ckp.Checkpoint()
	return real(n - 1)
}

func apart(a, b float32) bool {
	if a != b {
		return true
	}
	ckp.Checkpoint()
	return false
}

func twice[T int | float64](a T, n int) T {
	if n == 0 {
		return 0
	}
	ckp.Checkpoint()
	return a + a + twice(a, n-1)
}

func short(n int) int16 {
	if n == 0 {
		return 'b'
	}
	ckp.Checkpoint()
	return short(n - 1)
}

func boxed(n int) any { return short(n) }

type problem struct{ n int }

func (p *problem) twice(n int) (*problem, *problem) {
	if n == 0 {
		return p, p
	}
	ckp.Checkpoint()
	return p.twice(n - 1)
}

func (p *problem) isOther() string {
	if p != p {
		return "another one"
	}
	ckp.Checkpoint()
	return "the same"
}

func (*problem) Error() string { return "a problem" }

func none(n int) *problem {
	if n == 0 {
		return nil
	}
	ckp.Checkpoint()
	return none(n - 1)
}

type answer bool

func decided(yes answer) int {
	if yes {
		return 2
	}
	ckp.Checkpoint()
	return decided(!yes)
}

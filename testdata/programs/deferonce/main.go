// Deferonce has functions that execute each of their defer statements at most once: under conditions, in branches of
// which one is taken, after gotos, with results and variables that deferred literals change, with panics, and
// with runtime.Goexit. Checkpoints are taken before, between and inside of the calls.
package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func cp[T any](x T) T { ckp.Checkpoint(); return x }

func say(parts ...any) {
	ckp.Checkpoint()
	fmt.Println(parts...)
	ckp.Checkpoint()
}

// quiet reaches no checkpoint.
func quiet(parts ...any) { fmt.Println(parts...) }

type file struct{ name string }

func (f *file) Close() error { say("close", f.name); return nil }
func (f file) shut(n int)    { quiet("shut", f.name, n) }

// conditional defers one call for each bit of which, of several kinds.
func conditional(which int) (r int) {
	f := &file{fmt.Sprint("f", which)}
	if which&1 != 0 {
		defer f.Close()
	}
	say("one", which)
	if which&2 != 0 {
		r++
		defer f.shut(r)
	} else {
		defer quiet("else", which)
	}
	say("two", which)
	if x := cp(which * 10); which&4 != 0 {
		defer func() { x++; r += x; say("literal", x, r) }()
		say("inside", x)
	}
	f.name += "'"
	if which&8 != 0 {
		defer func() { r *= 2; quiet("quiet literal", r) }()
	}
	return cp(r + 100)
}

// branches takes one branch at most; each leaves the function, or goes on.
func branches(how int) (r int, err error) {
	switch how {
	case 0:
		defer quiet("none")
		return cp(1), nil
	case 1:
		f := &file{"branch"}
		defer f.Close()
		if cp(how) == 1 {
			return 2, nil
		}
		return 3, nil
	case 2:
		defer say("falls")
		fallthrough
	case 3:
		defer say("through")
	case 4:
		defer func() { err = errors.Join(err, errors.New("four")) }()
		if cp(true) {
			break
		}
		return 4, nil
	case 5:
		defer quiet("plain five")
		return 5, fmt.Errorf("five %d", cp(how))
	default:
		ready := make(chan int, 1)
		select {
		case r = <-ready:
			return r, nil
		default:
			defer say("selected", how)
			return 6, nil
		}
	}
	say("after", how)
	return 7, err
}

// jumps has gotos before, over and after defer statements.
func jumps(n int) (s string) {
	i := 0
again:
	i++
	s += cp("x")
	if i < n {
		goto again
	}
	if n > 2 {
		goto over
	}
	defer func() { s += "!"; say("jumped", s) }()
	cp(1)
over:
	defer say("over", n)
	k := 0
more:
	k++
	if cp(k) < 3 {
		goto more
	}
	return fmt.Sprint(s, k)
}

// sides defers a literal and a call in one branch, and only calls in the other.
func sides(one bool) (r int) {
	if one {
		defer say("one side")
		defer quiet("first")
	} else {
		defer func() { say("literal of the other", cp(one)) }()
		defer say("other side", r)
		defer func() { quiet("second literal", r) }()
		defer quiet("last")
		r = 5
	}
	return cp(r + 1)
}

// clauses does that in those of a switch statement.
func clauses(which int) (r int) {
	switch cp(which) {
	case 0:
		defer say("clause", which)
	case 1:
		defer func() { say("literal of a clause", cp(which)) }()
		defer say("call of a clause", r)
		r = 7
	default:
		defer quiet("no clause", which)
	}
	return cp(r + 1)
}

// repeats comes to its defer statement several times, by a goto.
func repeats(n int) (s string) {
	i := 0
	defer func() { s += "." }()
again:
	defer func() { s += fmt.Sprint(cp(i)) }()
	i++
	if i < n {
		goto again
	}
	return s
}

type failure struct{ at string }

func (f failure) Error() string { return "failure at " + f.at }

// results has results that deferred literals change, and recover.
func results(how string) (n int, text string, err error) {
	tries := 0
	defer func() {
		say("last", how, n, text, err, tries)
		n += 1000
	}()
	defer func() {
		switch x := recover().(type) {
		case nil:
			cp(0)
		case failure:
			text = cp(text + " recovered")
			err = x
		default:
			err = fmt.Errorf("%v", cp(x))
		}
		tries++
	}()
	n, text = cp(1), "one"
	tries += n
	switch how {
	case "panics":
		panic(failure{how})
	case "nil":
		var f *file
		n = 2
		text = cp(f.name)
	case "returns":
		return cp(3), cp("three"), nil
	case "again":
		defer func() {
			say("panics again", recover())
			panic(failure{"deferred call"})
		}()
		panic("first")
	}
	n, text = 4, "four"
	return
}

// assigned assigns to a variable that a deferred literal shares what never comes.
func assigned() (r int) {
	total := 5
	defer func() { say("assigned", total, recover()); r = total * 10 }()
	total = fails()
	return 1
}

func fails() int {
	cp(1)
	panic("after a checkpoint")
}

// shares has variables that a literal which is called, and one that is deferred, change.
func shares(n int) (sum int, list []string) {
	add := func(k int) { sum += cp(k); list = append(list, fmt.Sprint(k)) }
	defer func() { add(100); sum++ }()
	total := 0
	defer func() { say("total", total, sum) }()
	for i := range n {
		add(i)
		total += cp(i) * 2
		if total > 6 {
			return sum, append(list, "early")
		}
	}
	return -sum, list
}

// parameters defers literals with parameters.
func parameters(names ...string) (out string) {
	defer func(a, b string, rest ...int) {
		a += cp("1")
		p := &b
		*p += "2"
		f := func() { a += "3"; rest = append(rest, len(rest)) }
		f()
		out += fmt.Sprint(a, b, rest)
	}("a", names[0], cp(5), 6)
	defer func(_ int, x [3]int, _ string) (int, error) {
		x[1]++
		out += fmt.Sprint(x)
		return 1, nil
	}(1, [3]int{1, cp(2), 3}, "unused")
	defer func(n int, all ...string) string {
		if r := recover(); r != nil {
			out += fmt.Sprint("recovered ", r, n, all)
		}
		return out
	}(len(names), names...)
	defer func(none ...any) { out += fmt.Sprint(none == nil) }()
	defer func(n int, err error) { out += fmt.Sprint(n, err) }(pair())
	defer func(unread []int) { // a parameter that is only assigned
		for range 2 {
			unread = nil
		}
		cp(9)
	}([]int{cp(3)})
	names[0] = "changed"
	if len(names) > 1 {
		panic(cp(names[1]))
	}
	return "returned "
}

func pair() (int, error) { return cp(8), errors.New("pair") }

// exits defers several calls, and one in which it may exit.
type box[T any] struct {
	items []T
	mu    sync.Mutex
}

func (b *box[T]) put(x T, more func() T) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer func() { n += len(b.items); b.items = append(b.items, more()) }()
	b.items = append(b.items, x)
	y := cp(x)
	defer func(z T) { say("generic", x, y, z) }(more())
	return cp(10)
}

// literal is a function whose literal defers calls with its variables.
func literal() {
	n, seen := 1, []string{}
	f := func(k int) (s string) {
		m := k
		defer func() { n += cp(m); s += fmt.Sprint(n); seen = append(seen, s) }()
		defer func() {
			defer say("in a deferred literal", k)
			m *= 2
			s += "<"
		}()
		m++
		return cp("f")
	}
	say(f(1), f(2), n, seen)
}

// many has more deferred calls than fit, and many ways out.
func many(n int) (r int) {
	defer func() { r++ }()
	defer say("b")
	if n == 0 {
		return cp(0)
	}
	defer quiet("c")
	defer func() { r += cp(1) }()
	if n == 1 {
		return 10
	}
	defer quiet("d")
	defer say("e")
	defer func() { r *= 2 }()
	if n == 2 {
		return cp(20)
	}
	defer say("f")
	defer say("g")
	defer func() { r -= cp(3) }()
	return 30
}

// out has many return statements for one deferred call.
func out(n int) (s string, err error) {
	if n == 0 {
		return "before", nil
	}
	defer func() { s = strings.ToUpper(s) }()
	if n == 1 {
		return cp("one"), nil
	}
	if s := fmt.Sprint("inner", n); n == 2 {
		return s, nil
	}
	if n, err := pair(); err != nil && n < 0 {
		return "never", err
	}
	switch n {
	case 3:
		return "three", errors.New(cp("err three"))
	case 4:
		s, err = "four", errors.New("err four")
		return
	case 5:
		s = cp("five")
		return s + s, nil
	case 6:
		return pairs()
	case 7:
		return cp("seven"), nil
	case 8:
		return "eight", nil
	case 9:
		for i := range 3 {
			if cp(i) == 2 {
				return fmt.Sprint("nine", i), nil
			}
		}
	}
	for i := 0; ; i++ {
		if i == n {
			return fmt.Sprint(i), nil
		}
	}
}

func pairs() (string, error) { return cp("six"), errors.New("err six") }

// nothing falls off its end.
func nothing(n int) {
	defer say("nothing", n)
	if n > 0 {
		defer quiet("more than nothing")
		nothing(cp(n - 1))
	}
}

// functions defers func values, one of which is nil.
func functions() (err error) {
	defer func() { err = fmt.Errorf("%v", recover()) }()
	var none func(string, int)
	f := func(s string) { say(s) }
	defer f("value")
	defer none("", cp(1))
	f = nil
	return cp[error](nil)
}

// listens has closed what can't be saved when checkpoints are taken in its other deferred call.
func listens() {
	defer say("closed")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	quiet(l.Addr().Network())
}

// The rest is about runtime.Goexit.

func goes(f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
		quiet("returned")
	}()
	<-done
}

// nested exits in a deferred call, by way of a function with deferred calls.
func nested(how int) {
	defer say("lower", how)
	if how > 1 {
		defer func() { say("calls", how); leaves(how); quiet("never") }()
	}
	defer quiet("upper")
	if how == 3 {
		panic("before")
	}
	if how < 2 {
		leaves(how)
	}
	cp(how)
}

func leaves(how int) (r int) {
	if how == 0 {
		idle()
	}
	defer func() { r = cp(5); say("leaves", how, r) }()
	defer say("second")
	idle()
	return 3
}

// idle has a deferred call that it does not come to.
func idle() {
	if cp(true) {
		runtime.Goexit()
	}
	defer say("never")
	cp(1)
}

// looping defers calls in a loop, two of which exit.
func looping() {
	for i := range 2 {
		defer func() int { quiet("looping", i); return i }()
		defer func() { say("loop", i) }()
	}
	defer func() { defer say("inner"); leaves(8); quiet("never") }()
	defer func() { leaves(9); quiet("never") }()
	cp(1)
}

// closes exits in the deferred call of a method.
type door struct{ name string }

func (d *door) Close() {
	defer say("closed", d.name)
	d.name += "+"
	defer func() { d.name += cp("-") }()
	runtime.Goexit()
}

func closes() {
	d := &door{"door"}
	defer func() { say("last", d.name) }()
	defer d.Close()
	cp(1)
}

// changes its mind: a panic leaves what Goexit left, and the other way round.
func changes(how int) (r int) {
	defer func() { say("changed", how, r, recover()) }()
	defer func() {
		r++
		if how == 0 {
			runtime.Goexit()
		}
		panic(fmt.Sprint("out of a deferred call ", cp(how)))
	}()
	if how == 0 {
		panic("first")
	}
	runtime.Goexit()
	return 1
}

var steps = 10

// step is inlined, and the compiler takes the end of stale for a part of it.
func step() {
	steps--
	if steps < 0 {
		panic("too many")
	}
}

func number(x int) int {
	ckp.Checkpoint()
	return x
}

func show(n ...int) {
	n[0] = number(5)
	fmt.Println("stale", n, steps)
}

// stale makes a deferred call after another recovered.
func stale() {
	step()
	defer show(1)
	defer func(int) {
		fmt.Println(recover())
	}(number(2))
	defer func() {
		var p *int
		_ = *p
	}()
}

func main() {
	stale()
	for i := range 16 {
		quiet("conditional", conditional(i))
	}
	for i := range 7 {
		r, err := branches(i)
		quiet("branches", r, err)
	}
	quiet(sides(true), sides(false))
	quiet(clauses(0), clauses(1), clauses(2))
	for i := 1; i < 4; i++ {
		quiet(jumps(i), repeats(i))
	}
	for _, how := range []string{"", "panics", "nil", "returns", "again"} {
		n, text, err := results(how)
		quiet(n, text, err)
	}
	for i := range 6 {
		quiet(shares(i))
	}
	quiet(assigned())
	quiet(parameters("x"))
	quiet(parameters("y", "z"))
	b := &box[string]{}
	quiet(b.put("p", func() string { return cp("q") }), b.put("r", func() string { return "s" }), b.items)
	literal()
	for i := range 4 {
		quiet(many(i))
	}
	for i := range 12 {
		quiet(out(i))
	}
	nothing(2)
	quiet(functions())
	listens()
	for i := range 4 {
		goes(func() { nested(i) })
	}
	goes(looping)
	goes(closes)
	for i := range 2 {
		goes(func() { changes(i) })
	}
	defer os.Exit(0)
	defer say("main")
	func() {
		defer say("exits")
		runtime.Goexit()
	}()
}

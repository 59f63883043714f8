// Methodvalues keeps method values, method expressions and bound receivers
// alive across checkpoints.
package main

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type account struct {
	owner   string
	balance int
}

func (a *account) deposit(n int) int { ckp.Checkpoint(); a.balance += n; return a.balance }
func (a account) describe(prefix string, extra ...int) string {
	ckp.Checkpoint()
	return fmt.Sprint(prefix, a.owner, a.balance, extra)
}

type wallet struct {
	*account
	tags []string
}

type describer interface {
	describe(string, ...int) string
}

// Programs register functions by what this returns, and find them by it.
func name(f any) string {
	s := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return strings.TrimSuffix(s[strings.LastIndexByte(s, '.')+1:], "-fm")
}

// What stands for a function literal has these names, too.
type fields struct{ n int }

func (f *fields) code() int { ckp.Checkpoint(); f.n++; return f.n }
func (f *fields) recv() int { ckp.Checkpoint(); f.n *= 2; return f.n }
func (f *fields) call() int { ckp.Checkpoint(); f.n -= 3; return f.n }
func (f *fields) Func() any { ckp.Checkpoint(); return f.n }

type list[T any] struct{ elems []T }

func (l *list[T]) push(v T) int { ckp.Checkpoint(); l.elems = append(l.elems, v); return len(l.elems) }

type ignored[T any] = int

func (a *account) ignore(n ignored[string]) int { ckp.Checkpoint(); return n - a.balance }

// In a generic function they have the names if neither receiver nor signature depend on the type parameters. (The plain program has
// no names either for the others.)
func inGeneric[T any, D describer](a *account, d D, v T) {
	type local interface{ deposit(int) int }
	var loc local = a
	dep, des, idep, ign, ints := a.deposit, describer(d).describe, loc.deposit, a.ignore, (&list[int]{}).push
	l := &list[T]{}
	push, ddes, expr, inst := l.push, d.describe, (*list[string]).push, run2[int]
	for range 2 {
		ckp.Checkpoint()
		fmt.Println(dep(1), des("g"), idep(2), ign(100), ints(4), push(v), ddes("d", 5), expr(&list[string]{}, "s"), inst(dep, 2), l)
	}
	fmt.Println(name(dep), name(des), name(ign), name(ints))
}

// A bus finds handlers by the address of their code, as all values of a method have the same.
type bus struct{ handlers []func(string) string }

func (b *bus) add(f func(string) string) { b.handlers = append(b.handlers, f) }
func (b *bus) remove(f func(string) string) int {
	n := len(b.handlers)
	b.handlers = slices.DeleteFunc(b.handlers, func(g func(string) string) bool {
		return reflect.ValueOf(f).Pointer() == reflect.ValueOf(g).Pointer()
	})
	return n - len(b.handlers)
}

type (
	pointer struct{ n *int }
	value   struct {
		a, b int
		list [40]string
		of   map[string]int
	}
	empty   struct{}
	word    string
	handler interface{ handle(string) string }
	wrapper struct {
		name string
		handler
	}
)

// caller returns the function that calls the one which calls this.
func caller() string {
	pcs := make([]uintptr, 1)
	runtime.Callers(3, pcs)
	f, _ := runtime.CallersFrames(pcs).Next()
	return f.Function
}

func (p *pointer) handle(s string) string {
	ckp.Checkpoint()
	if p == nil {
		return s + " nowhere " + caller()
	}
	*p.n++
	return fmt.Sprint(s, *p.n, caller())
}

func (v value) handle(s string) string {
	ckp.Checkpoint()
	v.a++
	v.of[s]++
	return fmt.Sprint(s, v.a, v.b, v.list[39], v.of, caller())
}

func (empty) handle(s string) string { ckp.Checkpoint(); return s + caller() }

func (w word) handle(s string) string { ckp.Checkpoint(); return s + string(w) + caller() }

// registered keeps method values of all kinds of receivers, and looks for them.
func registered() {
	n := 5
	p, v := &pointer{&n}, value{1, 2, [40]string{39: "end"}, map[string]int{"x": 1}}
	var h handler = word("abc")
	w := wrapper{"w", &v}
	var b bus
	b.add(p.handle)
	b.add(v.handle)
	b.add(empty{}.handle)
	b.add(h.handle)
	b.add(w.handle)
	b.add((*pointer)(nil).handle)
	b.add(word("def").handle)
	v.a = 100
	for i := range 2 {
		ckp.Checkpoint()
		for _, f := range b.handlers {
			fmt.Println(i, f("s"), name(f))
		}
	}
	// A value on the stack alone.
	inner := v.handle
	ckp.Checkpoint()
	fmt.Println(inner("inner"), n, v.of)
	fmt.Println(b.remove(p.handle), b.remove(v.handle), b.remove(empty{}.handle), b.remove(w.handler.handle), b.remove(word("").handle), len(b.handlers))
}

func run2[T any](f func(T) int, v T) int { return f(v) + f(v) }

func run(f func(int) int, n int) (r int) {
	for range n {
		r = f(n)
	}
	return r
}

// A Meter has methods that package reflect finds.
type Meter struct{ ticks int64 }

func (m *Meter) Tick(by int64) int64 { m.ticks += by; ckp.Checkpoint(); return m.ticks }
func (m Meter) Show(unit string) string {
	ckp.Checkpoint()
	return fmt.Sprint(m.ticks, unit)
}

// Split has results of several kinds, and is called by itself by way of package reflect.
func (m *Meter) Split(n int, f float64, words ...string) (a float64, b string, c Meter, err error) {
	self := reflect.ValueOf(m).MethodByName("Split").Interface().(func(int, float64, ...string) (float64, string, Meter, error))
	ckp.Checkpoint()
	if n == 0 {
		return f, "end", *m, nil
	}
	a, b, c, err = self(n-1, f*2, append(words, fmt.Sprint(m.ticks))...)
	ckp.Checkpoint()
	m.ticks++
	return a + float64(n), b + strings.Join(words, "."), c, errors.Join(err, fmt.Errorf("error %d", n))
}

// byReflection keeps functions that package reflect has made, of methods and of functions that take any arguments.
func byReflection() {
	m := &Meter{1}
	methods := map[string]any{"Show": reflect.ValueOf(*m).MethodByName("Show").Interface()}
	tick := reflect.ValueOf(m).MethodByName("Tick").Interface().(func(int64) int64)
	factor := int64(2)
	var scaled func(int64, ...int64) int64
	var swap func(string, Meter) (Meter, string)
	scaled = reflect.MakeFunc(reflect.TypeOf(scaled), func(args []reflect.Value) []reflect.Value {
		factor++
		n := factor * args[0].Int()
		for i := range args[1].Len() {
			n += args[1].Index(i).Int()
		}
		return []reflect.Value{reflect.ValueOf(n)}
	}).Interface().(func(int64, ...int64) int64)
	swap = reflect.MakeFunc(reflect.TypeOf(swap), swapped).Interface().(func(string, Meter) (Meter, string))
	split := reflect.ValueOf(m).MethodByName("Split").Interface().(func(int, float64, ...string) (float64, string, Meter, error))
	fmt.Println(split(3, 0.5, "words"))
	for i := range int64(4) {
		ckp.Checkpoint()
		n := scaled(i, 10, 20)
		ckp.Checkpoint()
		x, text := swap("swapped", Meter{n})
		fmt.Println(tick(i), m.ticks, methods["Show"].(func(string) string)(" ticks"), n, factor, x, text)
	}
}

func swapped(args []reflect.Value) []reflect.Value { return []reflect.Value{args[1], args[0]} }

func main() {
	byReflection()
	a := account{"ann", 10}
	w := wallet{&a, []string{"t"}}
	dep := a.deposit
	des := a.describe
	wdep := w.deposit
	var d describer = w
	ddes := d.describe
	a.balance = 50
	ckp.Checkpoint()
	fmt.Println(dep(5), a.balance, des("<"), wdep(1), ddes("!", 1, 2))
	fmt.Println(run(dep, 3), a.balance)
	expr := (*account).deposit
	vexpr := account.describe
	iexpr := describer.describe
	ckp.Checkpoint()
	fmt.Println(expr(&a, 7), vexpr(a, "e", 1), iexpr(d, "i", 2, 3))
	table := map[string]func(int) int{"dep": w.deposit, "other": (&account{"bob", 1}).deposit}
	fmt.Println(table["dep"](1), table["other"](2), table["other"](3))
	var b strings.Builder
	add := b.WriteString
	ckp.Checkpoint()
	add("built ")
	ckp.Checkpoint()
	b.WriteString("here")
	fmt.Println(b.String())
	fmt.Println(name(dep), name(des), name(wdep), name(ddes), name(expr), name(add))
	fs := &fields{3}
	code, recv, call, get := fs.code, fs.recv, fs.call, fs.Func
	ckp.Checkpoint()
	fmt.Println(code(), recv(), call(), get(), name(dep))
	registered()
	inGeneric(&a, w, "v")
	inGeneric[any](&a, d, 1)
}

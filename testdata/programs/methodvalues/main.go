// Methodvalues keeps method values, method expressions and bound receivers
// alive across checkpoints.
package main

import (
	"fmt"
	"reflect"
	"runtime"
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

// What stands for a method value has these names, too.
type fields struct{ n int }

func (f *fields) code() int { ckp.Checkpoint(); f.n++; return f.n }
func (f *fields) recv() int { ckp.Checkpoint(); f.n *= 2; return f.n }
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

func run2[T any](f func(T) int, v T) int { return f(v) + f(v) }

func run(f func(int) int, n int) (r int) {
	for range n {
		r = f(n)
	}
	return r
}

func main() {
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
	code, recv, get := fs.code, fs.recv, fs.Func
	ckp.Checkpoint()
	fmt.Println(code(), recv(), get(), name(dep))
	inGeneric(&a, w, "v")
	inGeneric[any](&a, d, 1)
}

package random

import (
	"fmt"
	"go/format"
	"strings"

	"pgregory.net/rapid"
)

// Options choose what programs may contain.
type Options struct {
	Goroutines bool
	Locks      bool
}

// A generator writes one program.
type generator struct {
	t            *rapid.T
	goroutines   bool
	locks        bool
	types        map[string]*typ
	named        []*typ // declared types
	local        []*typ // those of the current function
	interfaces   []*typ
	parameters   []*typ // type parameters of the current function
	functions    []*callee
	iterators    []callee
	declarations []string
	variables    []*variable
	begin        int // of the current block in variables
	function     *function
	quiet        bool // no effects and no panics are allowed
	lines        *[]line
	count        int
	nested       int // arguments of arguments of generic types
	budget       int // statements that may still be written
}

// Programs returns the generator of programs.
func Programs(o Options) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		g := &generator{t: t, goroutines: o.Goroutines, locks: o.Locks, types: make(map[string]*typ)}
		return g.program()
	})
}

const head = `package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

var fuel, points int

var (
	_ sync.Mutex
	_ time.Duration
	_ iter.Seq[int]
	_ atomic.Int64
	_ context.Context
	_ = runtime.Gosched
	_ = errors.New
	_ = math.NaN
)

// step ends what goes on for too long.
func step() {
	fuel--
	if fuel < 0 {
		panic("out of fuel")
	}
}

func point() {
	points++
	ckp.Checkpoint()
}

func pt[T any](x T) T {
	point()
	return x
}

func say[T any](x T) T {
	fmt.Println("said", x)
	return x
}

// shown tells what an interface has in it.
func shown(x any) any {
	if x == nil {
		return x
	}
	return fmt.Sprint(reflect.TypeOf(x).Kind(), x)
}

// kinds tells what interfaces have in them, but addresses.
func kinds(list ...any) (s string) {
	for _, x := range list {
		v := reflect.ValueOf(x)
		switch v.Kind() {
		case reflect.Invalid:
			s += " nil"
		case reflect.Pointer:
			s += fmt.Sprint(" ", v.Type(), v.IsNil())
		default:
			s += fmt.Sprint(" ", v.Kind(), x)
		}
	}
	return s
}

func use[T any](T) bool { return true }

func with[T, U any](x T, _ U) T { return x }

func pair[A, B any](a A, b B) (A, B) {
	point()
	return a, b
}

func ref[T any](x T) *T { return &x }

// made returns a function of package reflect that has it call f.
func made[F any](f F) F {
	v := reflect.ValueOf(f)
	call := v.Call
	if v.Type().IsVariadic() {
		call = v.CallSlice
	}
	return reflect.MakeFunc(v.Type(), func(args []reflect.Value) []reflect.Value { return call(args) }).Interface().(F)
}

func is[T any](x any) bool {
	_, ok := x.(T)
	return ok
}

// A tally is used by functions that keep its address, and by such that do not.
type tally struct {
	n    int
	log  [4]int
	next *tally
}

func (t *tally) add(k int) int {
	t.n += k
	t.log[k&3]++
	return t.n
}

func (t *tally) total() int { return t.n + t.log[0] + t.log[1] + t.log[2] + t.log[3] }

func (t *tally) deep(depth, k int) int {
	if depth == 0 {
		return t.add(k)
	}
	return t.deep(depth-1, k+1)
}

func (t *tally) itself() *tally { return t }

func (t *tally) lead(to *tally) { t.next = to }

func exchange(a, b *tally) { a.n, b.n, a.log, b.log = b.n, a.n, b.log, a.log }

func spread(list []int, k int) (sum int) {
	for i := range list {
		list[i] += k & 7
		sum += list[i]
	}
	return sum
}

func raise(n *int, by int) int {
	*n += by
	return *n
}

func cut(list *[]int) int {
	*list = (*list)[:len(*list)/2]
	return len(*list)
}

func twice(n int) int { return 2 * n }

// handed and handedOn return what a function returns, which they are handed.
//
//go:noinline
func handed[T any](f func() T) T {
	step()
	return f()
}

func handedOn[T any](f func() T) T { return handed(func() T { return pt(f()) }) }

// overwrite writes over the stack that functions have had which have returned.
//
//go:noinline
func overwrite(n int) int {
	var a [64]int
	for i := range a {
		a[i] = n - i
	}
	if n > 0 {
		return overwrite(n-1) + a[n%64]
	}
	return a[0]
}

func clip[T ~string](s T) T { return s[:min(len(s), 30)] }

// full returns a channel that never blocks a receiver.
func full[T any](list ...T) chan T {
	ch := make(chan T, len(list))
	for _, x := range list {
		ch <- x
	}
	close(ch)
	return ch
}

func rescue(name string) {
	if r := recover(); r != nil {
		point()
		fmt.Println(name, r)
	}
}

func section(name string, f func()) {
	fuel = 100
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "recovered", r)
		}
	}()
	f()
	fmt.Println(name, "done", fuel)
}
`

func (g *generator) program() string {
	g.declareTypes()
	g.declareFunctions()
	var sections []string
	for i := range 2 + g.n(2) {
		name := fmt.Sprint("test", i+1)
		g.budget = 14
		body := g.declared(&function{}, g.fun(nil, nil, false), 5)
		g.declarations = append(g.declarations, "func "+name+body)
		sections = append(sections, fmt.Sprintf("section(%q, %s)", name, name))
	}
	var globals []string
	for _, v := range g.variables {
		globals = append(globals, "var "+v.name+" "+v.typ.text)
	}
	start := g.capture(func() {
		for _, v := range g.variables {
			if g.chance(80) {
				g.quiet = true
				lit, _ := g.literal(v.typ, freedom{depth: 1})
				g.quiet = false
				g.emit("%s = %s", v.name, lit)
			}
		}
	})
	end := ""
	switch g.n(12) {
	case 0:
		end = "os.Exit(3)\n"
	case 1:
		end = "panic(\"the end\")\n"
	}
	text := head + places + "\n" + strings.Join(globals, "\n") + "\n\n" + strings.Join(g.declarations, "\n\n") +
		"\n\nfunc main() {\n" + start + strings.Join(sections, "\n") + "\nfmt.Fprintln(os.Stderr, \"points\", points)\n" + end + "}\n"
	formatted, err := format.Source([]byte(text))
	if err != nil {
		panic(fmt.Sprintf("the generator wrote what is no Go: %v\n%s", err, text))
	}
	return string(formatted)
}

// declared writes a function from its parameters on.
func (g *generator) declared(fn *function, sig *typ, n int) string {
	var head string
	fn.results = sig.results
	body := g.capture(func() {
		g.lengthen(40)
		head = g.functionBody(fn, sig, n)
	})
	return head + " {\n" + body + "}"
}

func (g *generator) declareTypes() {
	for range g.n(3) {
		t := g.intern(&typ{text: fmt.Sprint("num", g.fresh()), kind: intKind, named: true})
		g.declarations = append(g.declarations, "type "+t.text+" "+pick(g, []string{"int", "int8", "uint16", "int64"}))
		g.named = append(g.named, t)
	}
	for range g.n(3) {
		t := g.intern(&typ{text: fmt.Sprint("face", g.fresh()), kind: interfaceKind, named: true})
		var lines []string
		for range 1 + g.n(2) {
			m := &method{name: fmt.Sprint("M", g.fresh()), sig: g.funcType(1)}
			t.methods = append(t.methods, m)
			lines = append(lines, m.name+strings.TrimPrefix(m.sig.text, "func"))
		}
		g.declarations = append(g.declarations, "type "+t.text+" interface {\n"+strings.Join(lines, "\n")+"\n}")
		g.interfaces = append(g.interfaces, t)
		g.named = append(g.named, t)
	}
	for range 1 + g.n(2) {
		g.declareStruct(false)
	}
	if g.chance(60) {
		g.declareStruct(true)
	}
	// Which types have the methods of an interface, and methods of their own.
	for _, t := range g.named {
		if t.kind == interfaceKind {
			continue
		}
		generic := len(t.args) > 0 && t.origin == nil
		for _, face := range g.interfaces {
			if generic || g.chance(40) {
				continue
			}
			pointer := t.kind == structKind && g.chance(50)
			for _, m := range face.methods {
				if !g.embeds(t, face) {
					t.methods = append(t.methods, &method{m.name, pointer, m.sig, nil})
				}
			}
		}
		g.parameters = nil
		if generic {
			g.parameters = t.args
		}
		for range g.n(3) {
			t.methods = append(t.methods, &method{fmt.Sprint("M", g.fresh()), g.chance(50), g.funcType(1), nil})
		}
		for _, m := range t.methods {
			if g.chance(25) {
				sig := g.passer(callee{sig: m.sig})
				t.methods = append(t.methods, &method{fmt.Sprint("M", g.fresh()), m.pointer, sig, m})
			}
		}
		g.parameters = nil
	}
	for _, face := range g.interfaces {
		for _, t := range g.named {
			if t.kind == interfaceKind || len(t.args) > 0 {
				continue
			}
			value, pointer := true, true
			for _, want := range face.methods {
				found := false
				for _, m := range g.methodsOf(t) {
					if m.name == want.name {
						found = true
						value = value && !m.pointer
						break
					}
				}
				value, pointer = value && found, pointer && found
			}
			if value {
				face.values = append(face.values, t)
			}
			if pointer {
				face.values = append(face.values, g.pointer(t))
			}
		}
	}
}

func (g *generator) embeds(t, face *typ) bool {
	for _, f := range t.fields {
		if f.embedded && f.typ == face {
			return true
		}
	}
	return false
}

func (g *generator) declareStruct(generic bool) {
	id := g.fresh()
	t := g.intern(&typ{text: fmt.Sprint("rec", id), kind: structKind, named: true})
	head := ""
	self := t
	if generic {
		t.args, head = g.typeParameters()
		g.parameters = t.args
		self = g.instance(t, t.args)
	}
	var lines []string
	if len(g.named) > 0 && !generic && g.chance(50) {
		e := pick(g, g.named)
		name := e.text
		if len(e.args) > 0 { // of a generic type, its name stands for an instance
			e = g.instance(e, g.arguments(e.args))
		}
		f := field{name, e, true}
		if e.kind == structKind && g.chance(40) {
			f.typ = g.pointer(e)
		}
		t.fields = append(t.fields, f)
		lines = append(lines, f.typ.text)
	}
	for i := range 1 + g.n(3) {
		f := field{name: fmt.Sprint("f", id, "x", i), typ: g.typ(1)}
		if g.chance(15) {
			f.typ = g.pointer(self)
		}
		t.fields = append(t.fields, f)
		lines = append(lines, f.name+" "+f.typ.text)
	}
	g.parameters = nil
	g.declarations = append(g.declarations, "type "+t.text+head+" struct {\n"+strings.Join(lines, "\n")+"\n}")
	g.named = append(g.named, t)
}

// declareFunctions draws functions, package variables, iterators and methods. All
// signatures are known before any body is written, so that all can call all.
func (g *generator) declareFunctions() {
	type pending struct {
		c      *callee
		head   string
		passes *callee
	}
	var list []pending
	for range 2 + g.n(3) {
		c := &callee{text: fmt.Sprint("fn", g.fresh())}
		head := ""
		if g.chance(30) {
			c.parameters, head = g.typeParameters()
		}
		g.parameters = c.parameters
		c.sig = g.funcType(2)
		g.parameters = nil
		list = append(list, pending{c, head, nil})
		g.functions = append(g.functions, c)
	}
	for range g.n(3) { // of functions that pass on a call, perhaps one that is passed on itself
		to := *pick(g, g.functions)
		c, head := &callee{text: fmt.Sprint("fn", g.fresh())}, ""
		if to.parameters != nil {
			if g.chance(50) {
				c.parameters, head = g.typeParameters()
			}
			g.parameters = c.parameters
			to, _ = g.instantiate(to, nil)
		}
		if to.parameters == nil {
			c.sig = g.passer(to)
			list = append(list, pending{c, head, &to})
			g.functions = append(g.functions, c)
		}
		g.parameters = nil
	}
	for range 1 + g.n(4) {
		g.declare(&variable{name: fmt.Sprint("g", g.fresh()), typ: g.typ(2)})
	}
	g.begin = len(g.variables)
	for range g.n(3) {
		g.budget = 5
		g.iterator()
	}
	for _, p := range list {
		g.budget = 6
		g.parameters = p.c.parameters
		g.declarations = append(g.declarations, "func "+p.c.text+p.head+g.declared(&function{declared: true, passes: p.passes}, p.c.sig, 4))
		g.parameters = nil
	}
	for _, t := range g.named {
		if t.kind == interfaceKind {
			continue
		}
		for _, m := range t.methods {
			receiver := t
			if len(t.args) > 0 {
				receiver = g.instance(t, t.args)
			}
			if m.pointer {
				receiver = g.pointer(receiver)
			}
			v := &variable{name: fmt.Sprint("self", g.fresh()), typ: receiver, private: g.chance(60), used: true}
			g.budget = 3
			g.parameters = t.args
			var body string
			g.scope(func() {
				fn := &function{declared: true, receiver: v}
				if m.passes != nil {
					fn.passes = &callee{text: v.name + "." + m.passes.name, sig: m.passes.sig}
				}
				g.function = fn
				g.declare(v)
				g.function = nil
				g.budget = 3
				v.owner = fn
				body = g.declared(fn, m.sig, 2)
			})
			g.parameters = nil
			g.declarations = append(g.declarations, fmt.Sprintf("func (%s %s) %s%s", v.name, receiver.text, m.name, body))
		}
	}
}

package heap

import (
	"flag"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"unsafe"
)

// What the precompiler makes of func literals.

type counter_closure1 struct {
	n *int
}

func (e *counter_closure1) call(d int) int { *e.n += d; return *e.n }
func (e *counter_closure1) Func() any      { return e.call }

// An environment that func values point to.
type adder_closure1 struct {
	code uintptr
	self *adder_closure1
	n    *int
	by   int
}

func (e *adder_closure1) call(d int) int { *e.n += d * e.by; return *e.n }
func (e *adder_closure1) Func() any      { return e.call }

func adder_closure1_value(e adder_closure1) func(int) int {
	method, at := e.call, &e
	e.code = **(**uintptr)(unsafe.Pointer(&method))
	*(*uintptr)(unsafe.Pointer(&e.self)) = uintptr(unsafe.Pointer(at))
	return *(*func(int) int)(unsafe.Pointer(&at))
}

type holder[T any] struct {
	f func(T) []T
	g func(T) []T
}

// Environments of type-parameterised code, as they are to the compiler: one whose method a func
// value calls, and one of a literal.
type gather_closure2[T any] struct {
	code       uintptr
	self       *gather_closure2[T]
	dictionary uintptr
	of         any
	all        *[]T
}

func (e *gather_closure2[T]) call(x T) []T { *e.all = append(*e.all, x); return *e.all }

//go:noinline
func (e *gather_closure2[T]) bind() {
	method := e.call
	e.begin(unsafe.Pointer(&method))
}
func (e *gather_closure2[T]) value() func(T) []T {
	e.bind()
	return *(*func(T) []T)(unsafe.Pointer(&e))
}
func (e *gather_closure2[T]) Func() any { return e.value() }

// begin fills the words of the process from what the compiler has made.
func (e *gather_closure2[T]) begin(fun unsafe.Pointer) {
	e.code, e.dictionary = (*(**[3]uintptr)(fun))[0], (*(**[3]uintptr)(fun))[2]
	*(*uintptr)(unsafe.Pointer(&e.self)) = uintptr(unsafe.Pointer(e))
	e.of = (*gather_closure2[T])(nil)
}

type twice_closure1[T any] struct {
	code       uintptr
	self       *twice_closure1[T]
	of         any
	all        *[]T
	dictionary uintptr
}

//go:noinline
func (e_2 *twice_closure1[T]) fill(all *[]T) {
	of := any((*twice_closure1[T])(nil))
	fun := func(x T) []T {
		e := e_2
		_, _, all := e, of, all
		*all = append(*all, x, x)
		return *all
	}
	at := e_2
	words := *(**[6]uintptr)(unsafe.Pointer(&fun))
	e_2.code, e_2.dictionary = words[0], words[5]
	*(*uintptr)(unsafe.Pointer(&e_2.self)) = uintptr(unsafe.Pointer(at))
	e_2.of = of
}
func (e *twice_closure1[T]) value(all *[]T) func(T) []T {
	e.fill(all)
	return *(*func(T) []T)(unsafe.Pointer(&e))
}
func (e *twice_closure1[T]) Func() any { return e.value(e.all) }

func newTwice[T any](all *[]T) func(T) []T { return (&twice_closure1[T]{all: all}).value(all) }

func newGather[T any](all *[]T) func(T) []T { return (&gather_closure2[T]{all: all}).value() }

// The precompiler registers environments like this; otherwise the linker drops
// their methods.
var environments = []any{(*counter_closure1)(nil), (*adder_closure1)(nil)}

func TestClosures(t *testing.T) {
	check(t, len(environments) == 2)
	n := 5
	type vars struct {
		n    *int
		f, g func(int) int
		h    func(int) int
	}
	a := &vars{n: &n, f: (&counter_closure1{&n}).call, h: double}
	a.g = (&counter_closure1{&n}).Func().(func(int) int)
	b := again(t, a)
	equal(t, 7, b.f(2))
	equal(t, 7, *b.n)
	equal(t, 10, b.g(3))
	equal(t, 8, b.h(4))
	equal(t, 5, n)

	all := []string{"a"}
	h := &holder[string]{f: newGather(&all), g: newGather(&all)}
	i := again(t, h)
	equal(t, []string{"a", "b"}, i.f("b"))
	equal(t, []string{"a", "b", "c"}, i.g("c"))
	equal(t, []string{"a"}, all)
	x, y := 1, "y"
	type twice struct { // instances that have their code in common
		ints    func(*int) []*int
		strings func(*string) []*string
	}
	j := again(t, &twice{newTwice(&[]*int{&x}), newTwice(&[]*string{&y})})
	ints, strings := j.ints(&x), j.strings(&y)
	check(t, len(ints) == 3 && ints[1] == &x && *ints[0] == 1 && len(strings) == 3 && *strings[0] == "y")
	var any1 any = newGather(&all)
	any2 := *again(t, &any1)
	equal(t, []string{"a", "z"}, any2.(func(string) []string)("z"))
}

// Method values of pointers, of packages that the precompiler does not rewrite.
func TestMethodValues(t *testing.T) {
	type vars struct {
		write func(string) (int, error)
		b     strings.Builder // the receiver lies within the struct
		flags *flag.FlagSet
		same  func(string) (int, error)
	}
	a := new(vars)
	a.write = a.b.WriteString
	a.same = a.write
	a.flags = flag.NewFlagSet("set", flag.ContinueOnError)
	n := a.flags.Int("n", 3, "number")
	check(t, *n == 3)
	b := again(t, a)
	b.write("x")
	b.same("y")
	equal(t, "xy", b.b.String())
	equal(t, "", a.b.String())

	b.flags.SetOutput(&b.b)
	b.flags.Usage()
	equal(t, "xyUsage of set:\n  -n int\n    \tnumber (default 3)\n", b.b.String())
	check(t, b.flags.Parse([]string{"-n", "5"}) == nil)
	equal(t, "5", b.flags.Lookup("n").Value.String())
	equal(t, 3, *n)
}

//go:linkname addVV math/big.addVV
func addVV(z, x, y []big.Word) (c big.Word)

// TestAssembly saves a func value of a function that is written in assembly, so that the binary has
// two of its name.
func TestAssembly(t *testing.T) {
	add := addVV
	b := *again(t, &add)
	z := make([]big.Word, 1)
	equal(t, big.Word(0), b(z, []big.Word{2}, []big.Word{3}))
	equal(t, big.Word(5), z[0])
}

// A func value that points to its environment is one object. Neither its entry point nor its own
// address are in the image, so that the images of two processes are the same.
func TestFuncObjects(t *testing.T) {
	n := 5
	type vars struct {
		n    *int
		f, g func(int) int
		env  *adder_closure1
	}
	a := &vars{n: &n, f: adder_closure1_value(adder_closure1{n: &n, by: 2})}
	a.g = a.f
	a.env = *(**adder_closure1)(unsafe.Pointer(&a.f))
	equal(t, 7, a.f(1))
	b := again(t, a)
	check(t, b.env.code != 0 && b.env.self == b.env && b.env == *(**adder_closure1)(unsafe.Pointer(&b.f)))
	equal(t, 2, b.env.by)
	equal(t, 11, b.f(2))
	b.env.by = 10
	equal(t, 31, b.g(2))
	equal(t, 31, *b.n)
	equal(t, 7, n)
	c := again(t, b)
	equal(t, 41, c.f(1))
	equal(t, 31, *b.n)

	im, err := Parse(imageOf(t, a))
	check(t, err == nil)
	root, _ := im.Root("world")
	text := root.String()
	check(t, strings.Contains(text, "adder_closure1{n: "), text)
	check(t, !strings.Contains(text, "self"), text)
}

type receiving struct{ n int }

func (r *receiving) Add(n int) int { r.n += n; return r.n }
func (r receiving) Get() int       { return r.n }

// A method value is found by the name of its receiver's type, also if a function declares another
// of that name.
func TestReceivers(t *testing.T) {
	type other = receiving
	{
		type receiving struct{ s string }
		equal(t, "{x}", fmt.Sprint(receiving{"x"}))
	}
	r := &other{1}
	v := []any{r, r.Add, r.Get, (*receiving)(nil).Add}
	r.n = 5
	w := again(t, &v)
	add, get := (*w)[1].(func(int) int), (*w)[2].(func() int)
	equal(t, 7, add(2))
	equal(t, 7, (*w)[0].(*receiving).n)
	equal(t, 1, get())
	equal(t, 5, r.n)
	check(t, (*w)[3] != nil)
}

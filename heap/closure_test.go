package heap

import "testing"

// What the precompiler makes of func literals.

type counter_closure1 struct {
	n *int
}

func (e *counter_closure1) call(d int) int { *e.n += d; return *e.n }
func (e *counter_closure1) Func() any      { return e.call }

type holder[T any] struct {
	f func(T) []T
	g func(T) []T
}

type gather_closure2[T any] struct {
	self any
	all  *[]T
}

func (e *gather_closure2[T]) call(x T) []T { *e.all = append(*e.all, x); return *e.all }

//go:noinline
func (e *gather_closure2[T]) bind() func(T) []T { return e.call }
func (e *gather_closure2[T]) Func() any         { return e.bind() }

func newGather[T any](all *[]T) func(T) []T {
	e := &gather_closure2[T]{self: (*gather_closure2[T])(nil), all: all}
	return e.bind()
}

// The precompiler registers environments like this; otherwise the linker drops
// their methods.
var environments = []any{(*counter_closure1)(nil)}

func TestClosures(t *testing.T) {
	check(t, len(environments) == 1)
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
	var any1 any = newGather(&all)
	any2 := *again(t, &any1)
	equal(t, []string{"a", "z"}, any2.(func(string) []string)("z"))
}

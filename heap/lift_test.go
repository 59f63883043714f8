package heap

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow/goroutine"
)

// A lifter copies frames as package shadow has them copied: the compiler does not see that anything
// is kept of them.
type lifter struct {
	*Lift
	t      testing.TB
	frames []any
}

//go:noinline
//go:nocheckptr
func (l *lifter) push(frame any) {
	at := uintptr(unsafe.Pointer(&frame))
	l.frames = append(l.frames, l.Frame(**(**any)(unsafe.Pointer(&at))))
}

// on checks that something is on the stack, or else nothing is tested.
func (l *lifter) on(p unsafe.Pointer) {
	l.t.Helper()
	if low, high := goroutine.Stack(); uintptr(p) < low || uintptr(p) >= high {
		l.t.Fatal("what is to be on the stack is not there")
	}
}

// off checks that something is not on the stack.
func (l *lifter) off(p unsafe.Pointer) {
	l.t.Helper()
	if low, high := goroutine.Stack(); p == nil || low <= uintptr(p) && uintptr(p) < high {
		l.t.Fatalf("%p is no address of the heap", p)
	}
}

func (l *lifter) finish() {
	l.t.Helper()
	if err := l.Finish(); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lifter) check(ok bool, what ...any) {
	l.t.Helper()
	if !ok {
		l.t.Fatal(append([]any{"is not as it was"}, what...)...)
	}
}

func at[T any](x *T) unsafe.Pointer { return unsafe.Pointer(x) }

//go:noinline
func onHeap[T any](x T) *T { return &x }

// deeper makes the stack grow, so that it is moved.
//
//go:noinline
func deeper(n int) byte {
	var room [4096]byte
	room[n%7] = byte(n)
	if n > 0 {
		room[1] += deeper(n - 1)
	}
	return room[n%5]
}

var litter [][]liftNode

// moving returns the bounds of the stack. At each k-th call, before, the runtime makes the stack
// smaller, what is not referred to is collected and used for something else, the stack grows, and
// the collector looks at everything again.
func moving(k int) func() (low, high uintptr) {
	calls := 0
	return func() (low, high uintptr) {
		if calls++; calls%k == 0 {
			runtime.GC()
			litter = litter[:0]
			for n := range 8 {
				litter = append(litter, make([]liftNode, 1+n))
			}
			deeper(20)
			runtime.GC()
		}
		return goroutine.Stack()
	}
}

type liftNode struct {
	n    int
	next *liftNode
	name string
}

func (n *liftNode) value() int { return n.n }

type liftPair struct{ a, b *liftNode }

func (p liftPair) value() int { return p.a.n + p.b.n }

type valued interface{ value() int }

type liftMap map[string]*int

var liftCases = map[string]func(l *lifter){
	"part before whole": func(l *lifter) { partAndWhole(l, false) },
	"whole before part": func(l *lifter) { partAndWhole(l, true) },
	"slices": func(l *lifter) {
		type frame struct {
			left, right, empty, none []*int
			view                     []int
		}
		n := 7
		var a [8]*int
		var b [8]int
		for i := range a {
			a[i], b[i] = onHeap(i), i
		}
		a[4] = &n
		l.on(at(&a))
		l.on(at(&n))
		l.push(&frame{left: a[:5:5], view: b[1:3:6]})
		l.push(&frame{right: a[2:7], empty: a[3:3:3], view: b[4:]})
		l.finish()
		f, g := l.frames[0].(*frame), l.frames[1].(*frame)
		l.off(at(&f.left[0]))
		l.check(len(f.left) == 5 && cap(f.left) == 5 && len(g.right) == 5 && cap(g.right) == 6 && g.empty != nil && g.none == nil)
		l.check(&f.left[2] == &g.right[0] && *f.left[4] == 7 && f.left[4] != &n && *g.right[4] == 6 && *f.left[0] == 0 && g.right[:6][5] == a[7])
		l.check(&f.view[:4][3] == &g.view[0] && slices.Equal(g.view, b[4:]) && slices.Equal(f.view, b[1:3]))
	},
	"overlapping types": func(l *lifter) {
		type left struct {
			a [3]*int
			b [2]int
		}
		type right struct {
			b [2]int
			c [3]*int
		}
		type frame struct {
			raw, inside []byte
			right       *right
			left        *left
			n           *int
		}
		n := 5
		var m struct {
			text [16]byte
			a    [3]*int
			b    [3]int
			c    [3]*int
		}
		copy(m.text[:], "0123456789abcdef")
		m.a, m.b, m.c = [3]*int{onHeap(1), &n, nil}, [3]int{11, 12, 13}, [3]*int{&n, onHeap(3), &m.b[1]}
		l.on(at(&m))
		l.push(&frame{raw: unsafe.Slice(&m.text[3], 13+2*unsafe.Sizeof(n)+1)})
		l.push(&frame{right: (*right)(unsafe.Pointer(&m.b[1])), inside: unsafe.Slice((*byte)(unsafe.Pointer(&m.b)), 3)})
		l.push(&frame{left: (*left)(unsafe.Pointer(&m.a)), n: &n})
		l.finish()
		f, g, h := l.frames[0].(*frame), l.frames[1].(*frame), l.frames[2].(*frame)
		l.off(at(g.right))
		l.check(string(f.raw[:13]) == "3456789abcdef" && at(&f.raw[13]) == at(h.left) && at(&g.inside[0]) == at(&h.left.b))
		l.check(&h.left.b[1] == &g.right.b[0] && h.left.b == [2]int{11, 12} && g.right.b == [2]int{12, 13} && g.right.c[2] == &h.left.b[1])
		l.check(h.left.a[1] == h.n && g.right.c[0] == h.n && h.n != &n && *h.n == 5 && h.left.a[0] == m.a[0] && g.right.c[1] == m.c[1])
		l.check(uintptr(at(h.left))%8 == 0 && h.left.a[2] == nil)
	},
	"arrays": func(l *lifter) {
		type frame struct {
			a [3][2]liftNode
			s [2][]*liftNode
			_ [0]*int
			_ [4]struct{}
		}
		x := liftNode{n: 4, name: strings.Repeat("n", 3)}
		s := [3]*liftNode{&x, nil, onHeap(liftNode{})}
		l.on(at(&s))
		f := frame{s: [2][]*liftNode{s[:2:2], s[1:]}}
		f.a[2][1] = liftNode{n: 9, next: &x, name: x.name}
		f.a[0][1] = liftNode{n: 8, next: s[2]}
		l.push(&f)
		l.finish()
		g := l.frames[0].(*frame)
		l.off(at(g.a[2][1].next))
		l.check(g.a[2][1].next == g.s[0][0] && &g.s[0][1] == &g.s[1][0] && g.a[2][1].n == 9 && g.a[2][1].name == "nnn" && *g.s[0][0] == x && g.a[0][1] == f.a[0][1])
	},
	"texts": func(l *lifter) {
		type frame struct {
			s, part, empty string
			b              []byte
		}
		buf := [9]byte{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'}
		l.on(at(&buf))
		l.push(&frame{s: unsafe.String(&buf[1], 5), part: unsafe.String(&buf[4], 5), empty: unsafe.String(&buf[2], 0), b: buf[:2:2]})
		l.finish()
		f := l.frames[0].(*frame)
		l.off(at(unsafe.StringData(f.s)))
		l.check(f.s == "bcdef" && f.part == "efghi" && f.empty == "" && string(f.b) == "ab")
		l.check(unsafe.StringData(f.part) == unsafe.StringData(f.s[3:]) && &f.b[1] == unsafe.StringData(f.s))
	},
	"interfaces": func(l *lifter) {
		type frame struct {
			direct, boxed, again, one, none any
			methods, box                    valued
		}
		x, y := liftNode{n: 2}, liftNode{n: 3}
		x.next = &y
		f := frame{direct: &x, boxed: liftPair{&x, &y}, one: [1]*liftNode{&y}, methods: &y, box: liftPair{&y, &y}}
		f.again = f.boxed
		l.on(at(&x))
		l.on((*words)(unsafe.Pointer(&f.boxed)).data)
		l.on((*words)(unsafe.Pointer(&f.box)).data)
		l.push(&f)
		l.finish()
		g := l.frames[0].(*frame)
		px, py := g.direct.(*liftNode), g.methods.(*liftNode)
		l.off(at(px))
		l.off((*words)(unsafe.Pointer(&g.boxed)).data)
		l.check(px != &x && px.next == py && g.boxed == any(liftPair{px, py}) && g.one == any([1]*liftNode{py}) && g.none == nil)
		l.check(g.box.value() == 6 && g.methods.value() == 3 && g.box.(liftPair).a == py)
		l.check((*words)(unsafe.Pointer(&g.boxed)).data == (*words)(unsafe.Pointer(&g.again)).data)
	},
	"func values": func(l *lifter) {
		type frame struct {
			add, count, method, twice func(int) int
			n                         *int
			none                      func()
		}
		n := 1
		e := adder_closure1{n: &n, by: 3}
		call := e.call
		env := &e
		e.code, e.self = **(**uintptr)(unsafe.Pointer(&call)), env
		c := counter_closure1{&n}
		count := c.call
		f := frame{add: *(*func(int) int)(unsafe.Pointer(&env)), count: count, method: call, twice: double, n: &n}
		l.on(at(&e))
		l.on(*(*unsafe.Pointer)(unsafe.Pointer(&f.method)))
		l.on(*(*unsafe.Pointer)(unsafe.Pointer(&f.count)))
		l.push(&f)
		l.finish()
		g := l.frames[0].(*frame)
		l.off(*(*unsafe.Pointer)(unsafe.Pointer(&g.add)))
		l.off(*(*unsafe.Pointer)(unsafe.Pointer(&g.count)))
		own := *(**adder_closure1)(unsafe.Pointer(&g.add))
		l.check(own.self == own && g.twice(2) == 4 && g.none == nil)
		method := *(**methodValue)(unsafe.Pointer(&g.method))
		_, size := extent(uintptr(unsafe.Pointer(method)))
		l.check(method.receiver == unsafe.Pointer(own) && size == unsafe.Sizeof(*method))
		l.check(g.count(2) == 3 && g.add(2) == 9 && *g.n == 9 && n == 1)
	},
	"generic func values": func(l *lifter) {
		type frame struct {
			add   func(*int) []*int
			twice func(*string) []*string
		}
		x, y := 1, "y"
		e, f := gather_closure2[*int]{all: &[]*int{&x}}, twice_closure1[*string]{all: &[]*string{&y}}
		g := frame{add: e.value(), twice: f.value(f.all)}
		l.on(at(&e))
		l.on(at(&f))
		l.push(&g)
		l.finish()
		h := l.frames[0].(*frame)
		for _, f := range []unsafe.Pointer{*(*unsafe.Pointer)(unsafe.Pointer(&h.add)), *(*unsafe.Pointer)(unsafe.Pointer(&h.twice))} {
			l.off(f)
			l.check((*methodValue)(f).receiver == f)
		}
		ints, strings := h.add(nil), h.twice(nil)
		l.check(len(ints) == 2 && *ints[0] == 1 && len(strings) == 3 && *strings[0] == "y")
	},
	"maps": func(l *lifter) {
		type frame struct {
			m     map[string]*int
			same  liftMap
			keys  map[*int]string
			nan   map[float64]int
			large map[int]int
			none  map[int]int
		}
		k := onHeap(5)
		f := frame{m: map[string]*int{"a": k}, keys: map[*int]string{k: "k"}, nan: map[float64]int{math.NaN(): 1, 2: 2}, large: map[int]int{}}
		f.nan[math.NaN()] = 3
		f.same = f.m
		for i := range 1000 {
			f.large[i] = -i
		}
		l.on(*(*unsafe.Pointer)(unsafe.Pointer(&f.m)))
		l.on(*(*unsafe.Pointer)(unsafe.Pointer(&f.large)))
		l.push(&f)
		l.push(&struct{ m liftMap }{f.same})
		l.finish()
		g := l.frames[0].(*frame)
		for _, m := range []any{g.m, g.keys, g.nan, g.large} {
			l.off(reflect.ValueOf(m).UnsafePointer())
		}
		sum := 0
		for _, v := range g.nan {
			sum += v
		}
		l.check(len(g.m) == 1 && g.m["a"] == k && g.keys[k] == "k" && len(g.nan) == 3 && sum == 6 && g.nan[2] == 2 && g.none == nil, sum)
		l.check(len(g.large) == 1000 && g.large[999] == -999)
		g.m["b"] = nil
		l.check(len(g.same) == 2 && len(f.m) == 1 && len(reflect.ValueOf(l.frames[1]).Elem().Field(0).MapKeys()) == 2)
	},
	"reflect": func(l *lifter) {
		type frame struct {
			variable, pointer, slot, copied, text, none reflect.Value
		}
		x := liftNode{n: 6}
		p := &x
		variable, pointer := reflect.ValueOf(p).Elem(), reflect.ValueOf(p)
		slot := reflect.ValueOf(&p).Elem()
		hide := func(v *reflect.Value, at unsafe.Pointer) { // the library keeps what it gets off the stack
			*(*uintptr)(unsafe.Pointer(&(*reflection)(unsafe.Pointer(v)).ptr)) = uintptr(at)
		}
		y := liftNode{n: 8}
		q := &y
		y.next = q
		f := frame{variable: variable, pointer: pointer, slot: slot, copied: reflect.ValueOf(x), text: reflect.ValueOf("text")}
		hide(&f.variable, unsafe.Pointer(&y))
		hide(&f.pointer, unsafe.Pointer(&y))
		hide(&f.slot, unsafe.Pointer(&q))
		l.on(at(&y))
		l.on(at(&q))
		l.push(&f)
		l.finish()
		g := l.frames[0].(*frame)
		to := g.pointer.Interface().(*liftNode)
		l.off(at(to))
		l.check(g.variable.Addr().Interface() == any(to) && to.n == 8 && to.next == to && g.slot.Interface() == any(to))
		l.off(g.slot.Addr().UnsafePointer())
		l.check(g.copied.Interface().(liftNode).n == 6 && g.text.String() == "text" && !g.none.IsValid())
	},
	"atomic": func(l *lifter) {
		type frame struct{ p *atomic.Pointer[liftNode] }
		x := liftNode{n: 5}
		var p atomic.Pointer[liftNode]
		*(*uintptr)(unsafe.Pointer(&p)) = uintptr(at(&x)) // as Store, which keeps it off the stack
		x.next = &x
		l.on(at(&x))
		l.on(at(&p))
		l.push(&frame{&p})
		l.finish()
		to := l.frames[0].(*frame).p.Load()
		l.off(at(to))
		l.check(to.n == 5 && to.next == to)
	},
	"without a size": func(l *lifter) {
		type frame struct {
			p, q *struct{}
			a    *[0]int
			s    []struct{}
			i    any
		}
		y := struct {
			n int
			z struct{}
			m int
		}{n: 1}
		f := frame{&y.z, &y.z, new([0]int), make([]struct{}, 3), struct{}{}}
		l.on(at(f.q))
		l.push(&f)
		l.finish()
		g := l.frames[0].(*frame)
		l.off(at(g.p))
		l.off(at(g.q))
		l.check(g.a != nil && len(g.s) == 3 && g.i == any(struct{}{}))
	},
	"unsafe": func(l *lifter) {
		type frame struct {
			p, heap unsafe.Pointer
			n       *liftNode
		}
		x := liftNode{n: 5}
		l.on(at(&x))
		l.push(&frame{p: unsafe.Pointer(&x.name), heap: unsafe.Pointer(l)})
		l.push(&frame{n: &x})
		l.finish()
		f, g := l.frames[0].(*frame), l.frames[1].(*frame)
		l.check(f.p == unsafe.Pointer(&g.n.name) && f.heap == unsafe.Pointer(l))
	},
	"unknown": func(l *lifter) {
		n := 3
		f := func() int { n++; return n }
		k := &lifter{Lift: NewLift(l.bounds, nil, nil), t: l.t}
		l.push(&struct{ p unsafe.Pointer }{unsafe.Pointer(&n)})
		k.push(&struct{ f func() int }{f})
		for what, l := range map[string]*lifter{"an unsafe.Pointer": l, "a func value of ": k} {
			err := l.Finish()
			l.check(err != nil && strings.Contains(err.Error(), what) && strings.HasSuffix(err.Error(), "leads to the stack, and nothing tells to what; keep a pointer with a type beside it, or have the package that makes it rewritten (-auto=all)"), err)
		}
	},
	"dead variable": func(l *lifter) {
		deadVariable(l)
		l.finish()
		n := l.frames[0].(*struct{ n *liftNode }).n
		l.off(at(n))
		l.check(n.name == "stack" && n.next.name == "heap" && n.next.n == 77 && n.next.next.n == 78)
	},
	"suffixes": func(l *lifter) {
		var a [300]liftNode
		l.on(at(&a))
		suffixes(l, a[:])
		total := 0
		for _, r := range l.regions {
			total += r.n
		}
		l.check(total == len(a), total)
		l.finish()
		type frame = struct{ s []liftNode }
		all := l.frames[len(l.frames)-1].(*frame).s
		l.off(at(&all[0]))
		for i, f := range l.frames {
			s := f.(*frame).s
			l.check(&s[0] == &all[len(a)-1-i] && len(s) == i+1 && s[0].n == len(s) && s[0].next == &all[len(a)-1], i)
		}
	},
}

func partAndWhole(l *lifter, wholeFirst bool) {
	type frame struct {
		part  *int
		node  *liftNode
		whole *[3]liftNode
	}
	n := liftNode{n: 1, name: "first"}
	a := [3]liftNode{{n: 1}, {n: 2, next: &n}, {n: 3, name: "third"}}
	a[0].next, n.next = &a[2], &a[1]
	l.on(at(&a))
	l.on(at(&n))
	part, whole := frame{part: &a[1].n, node: &a[2]}, frame{whole: &a}
	if wholeFirst {
		l.push(&whole)
		l.push(&part)
	} else {
		l.push(&part)
		l.push(&whole)
	}
	l.finish()
	p, w := l.frames[0].(*frame), l.frames[1].(*frame)
	if wholeFirst {
		p, w = w, p
	}
	l.off(at(w.whole))
	l.check(p.part == &w.whole[1].n && p.node == &w.whole[2] && w.whole[0].next == p.node && w.whole[1].next.next == &w.whole[1])
	l.check(*p.part == 2 && p.node.name == "third" && w.whole[1].next.name == "first" && w.whole[1].next != &n)
}

//go:noinline
func deadVariable(l *lifter) {
	v := liftNode{name: "stack", next: onHeap(liftNode{n: 77, name: "heap", next: onHeap(liftNode{n: 78})})}
	escape(v.next)
	l.on(at(&v))
	pushNode(l, &v)
}

//go:noinline
func escape(n *liftNode) { keptNode.Store(n) }

var keptNode atomic.Pointer[liftNode]

//go:noinline
func pushNode(l *lifter, n *liftNode) {
	keptNode.Store(nil)
	l.push(&struct{ n *liftNode }{n})
}

func suffixes(l *lifter, s []liftNode) {
	if len(s) == 0 {
		return
	}
	s[0].n = len(s)
	*(*uintptr)(unsafe.Pointer(&s[0].next)) = uintptr(at(&s[len(s)-1])) // else the compiler has it all on the heap
	suffixes(l, s[1:])
	l.push(&struct{ s []liftNode }{s})
}

func TestLift(t *testing.T) {
	for name, f := range liftCases {
		for how, bounds := range map[string]func() (low, high uintptr){"": goroutine.Stack, ", moving": moving(1)} {
			if name == "suffixes" && how != "" {
				bounds = moving(50)
			}
			t.Run(name+how, func(t *testing.T) {
				f(&lifter{Lift: NewLift(bounds, nil, nil), t: t})
			})
		}
	}
}

// A chain of variables of 30000 activations, or with -long 100000, while the collector runs in
// another goroutine.
func TestLiftChain(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				runtime.GC()
			}
		}
	}()
	depth := 30000
	if *long {
		depth = 100000
	}
	for _, bottomUp := range []bool{false, true} {
		t.Run(fmt.Sprint(bottomUp), func(t *testing.T) {
			l := &lifter{Lift: NewLift(moving(100000), nil, nil), t: t}
			chain(l, nil, depth, bottomUp)
			l.finish()
			top := l.frames[0].(*struct{ n *liftNode }).n
			n := 0
			for x := top; x != nil; x = x.next {
				n++
				if x.n != n || x.name != "chain"[:n%5] {
					t.Fatal(n, x.n, x.name)
				}
				if !bottomUp && l.frames[n-1].(*struct{ n *liftNode }).n != x {
					t.Fatal(n, "is not shared")
				}
			}
			l.check(n == depth, n)
		})
	}
}

// chain pushes its activations, or only the first that returns.
func chain(l *lifter, up *liftNode, n int, first bool) {
	if n == 0 {
		return
	}
	here := liftNode{n: n, next: up, name: "chain"[:n%5]}
	if n == 1 {
		l.on(at(&here))
	}
	chain(l, &here, n-1, first)
	if n == 1 || !first {
		l.push(&struct{ n *liftNode }{&here})
	}
}

func BenchmarkLiftFrame(b *testing.B) {
	type frame struct {
		at   int
		t    *liftNode
		list []int
		n    int
	}
	heap := new(liftNode)
	list := make([]int, 10)
	keptNode.Store(heap)
	b.Run("heap", func(b *testing.B) {
		l := &lifter{Lift: NewLift(goroutine.Stack, nil, nil), t: b}
		for i := range b.N {
			l.push(&frame{1, heap, list, i})
		}
	})
	b.Run("stack", func(b *testing.B) {
		l := &lifter{Lift: NewLift(goroutine.Stack, nil, nil), t: b}
		here := liftNode{next: heap}
		for i := range b.N {
			l.push(&frame{1, &here, list, i})
		}
	})
	b.Run("chain", func(b *testing.B) {
		l := &lifter{Lift: NewLift(goroutine.Stack, nil, nil), t: b}
		chain(l, nil, b.N, false)
		l.finish()
	})
}

package heap

//lint:file-ignore U1000 many fields are there only to be saved

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unique"
	"unsafe"
	"weak"
)

// large is a struct of which little is needed.
type large struct {
	before [1000]int
	one    int
	mid    point
	more   [1000]string
	last   struct{}
}

type shapeOf interface {
	area() float64
	fmt.Stringer
}

type square struct{ side float64 }

func (s *square) area() float64        { return s.side * s.side }
func (s *square) String() string       { return fmt.Sprint("square of ", s.side) }
func (s *square) grow(x float64)       { s.side += x }
func (s square) larger(x float64) bool { return s.side > x }

type labelled struct {
	shapeOf
	io.Writer
	*square
	label string
}

func (l *labelled) String() string { return l.label + ": " + l.shapeOf.String() }

// A pairOf is a generic type with its methods.
type pairOf[K comparable, V any] struct {
	key K
	val V
	all map[K]*pairOf[K, V]
}

func (p pairOf[K, V]) String() string { return fmt.Sprintf("%v=%v", p.key, p.val) }

type overlappingPassage struct {
	a, b, c, d, e []int
	grown         []int
	f             [][]string
	g             []string
}

func (v *overlappingPassage) fill(string) {
	all := make([]int, 10, 20)
	for i := range all[:20] {
		all[:20][i] = i
	}
	v.a, v.b, v.c, v.d, v.e = all[0:5], all[3:8:9], all[9:10:12], all[15:15:20], all[20:20:20]
	v.grown = append(all[:6:6], 100)
	v.g = strings.Fields("a b c d e f g h")
	v.f = [][]string{v.g[1:3], v.g[2:5:6], v.g[7:], nil, {}}
}

func (v *overlappingPassage) use(print func(...any)) {
	v.b[0] = -3
	print(v.a, v.b, v.c, v.d, v.e, v.grown)
	v.a = append(v.a, -5, -6)
	print(v.b, cap(v.a), cap(v.b), cap(v.c), cap(v.d), cap(v.e), v.e == nil)
	print(v.b[:cap(v.b)], v.c[:3], v.d[:5], v.a[:cap(v.a)])
	v.c = append(v.c, 1, 2, 3, 4)
	v.c[0] = 1000
	print(v.a[:cap(v.a)])
	v.f[0] = append(v.f[0], "X")
	print(v.f, v.g, len(v.f[3]), v.f[3] == nil, v.f[4] == nil)
}

type lonelyPartsPassage struct {
	one  *int
	mid  *point
	y    *int
	elem *int
	win  []string
}

func (v *lonelyPartsPassage) fill(string) {
	b := &large{one: 1, mid: point{2, 3}}
	b.more[500], b.more[501] = "x", "y"
	v.one, v.mid, v.y, v.win = &b.one, &b.mid, &b.mid.y, b.more[500:501:502]
	v.elem = &new([1 << 20]int)[77]
	*v.elem = 9
}

func (v *lonelyPartsPassage) use(print func(...any)) {
	*v.y++
	*v.one += 10
	print(*v.one, *v.mid, v.y == &v.mid.y, *v.elem, v.win, v.win[:2])
	v.win = append(v.win, "z", "more")
	print(v.win)
}

type partsPassage struct {
	whole    *large
	one      *int
	y        *int
	str      *string
	arr      *[1000]int
	part     []int
	two      *[2]int
	inner    **int
	pointers [3]*int
	board    *board
	grid     *[3][2][4]int16
	row      *[4]int16
	pairs    [][4]int16
	cells    []int16
}

// A board has arrays of arrays.
type board struct {
	name string
	grid [3][2][4]int16
	last byte
}

func (v *partsPassage) fill(string) {
	v.whole = &large{one: 1}
	v.one, v.y, v.str, v.arr = &v.whole.one, &v.whole.mid.y, &v.whole.more[999], &v.whole.before
	v.part, v.two = v.arr[5:10:20], (*[2]int)(v.arr[6:8])
	v.pointers = [3]*int{v.y, &v.arr[7], nil}
	v.inner = &v.pointers[1]
	v.board = &board{name: "b", last: 9}
	v.grid = &v.board.grid
	v.row, v.pairs, v.cells = &v.grid[1][1], v.grid[2][:], v.grid[0][1][1:3]
}

func (v *partsPassage) use(print func(...any)) {
	*v.one, *v.y, *v.str, v.part[1], v.two[1] = 2, 3, "four", 6, 7
	**v.inner++
	v.grid[2][1][3], v.row[0], v.pairs[0][1], v.cells[1] = 1, 2, 3, 4
	print(*v.board, cap(v.pairs), cap(v.cells))
	print(v.whole.one, v.whole.mid, v.whole.more[999], v.whole.before[5:9], v.pointers[0] == v.y, v.pointers[1] == &v.part[2], cap(v.part))
}

type intoVariablesPassage struct {
	p, q  *int
	s     []int
	inner *point
	y     *int
	text  *string
	any   any
}

func (v *intoVariablesPassage) fill(string) {
	passedVars.numbers, passedVars.nested.p, passedVars.text = [8]int{1, 2, 3}, point{4, 5}, "six"
	v.p, v.q, v.s = &passedVars.numbers[0], &passedVars.numbers[7], passedVars.numbers[2:4]
	v.inner, v.y, v.text, v.any = &passedVars.nested.p, &passedVars.nested.p.y, &passedVars.text, &passedVars.numbers
}

func (v *intoVariablesPassage) use(print func(...any)) {
	*v.p, *v.q, *v.y, *v.text = 10, 70, 50, "sixty"
	v.s = append(v.s, 44)
	print(passedVars, v.any == any(&passedVars.numbers), v.inner == &passedVars.nested.p, cap(v.s))
}

type nothingPassage struct {
	p, q   *struct{}
	last   *struct{}
	b      *large
	s      []struct{}
	arr    *[0]*int
	arrs   [][0]string
	m      map[struct{}][0]int
	ch     chan struct{}
	any    any
	ptrs   []*[0]int
	fields struct {
		a int8
		z [0]int64
	}
	pz *[0]int64
}

func (v *nothingPassage) fill(string) {
	v.p, v.b = new(struct{}), new(large)
	v.last, v.s, v.arr, v.arrs = &v.b.last, make([]struct{}, 3, 7), new([0]*int), make([][0]string, 2, 5)
	v.m, v.ch, v.any = map[struct{}][0]int{{}: {}}, make(chan struct{}, 4), struct{}{}
	v.ch <- struct{}{}
	v.ptrs = []*[0]int{nil, new([0]int)}
	v.pz = &v.fields.z
}

func (v *nothingPassage) use(print func(...any)) {
	v.s, v.arrs = append(v.s, struct{}{}), append(v.arrs, [0]string{})
	print(v.p != nil, v.q == nil, v.last != nil, len(v.s), cap(v.s), v.arr != nil, len(v.arrs), cap(v.arrs))
	_, ok := v.m[struct{}{}]
	v.ch <- struct{}{}
	print(len(v.m), ok, len(v.ch), cap(v.ch), v.any, v.ptrs[0] == nil, v.ptrs[1] != nil, v.pz != nil)
	runtime.GC()
	*v.p, *v.last, *v.pz = struct{}{}, struct{}{}, [0]int64{}
}

type sharedTextPassage []string

func (v *sharedTextPassage) fill(string) {
	long := strings.Repeat("0123456789", 100)
	*v = []string{long, long[10:20], long[15:], strings.Clone("abc"), "", long[1000:]}
}

func (v *sharedTextPassage) use(print func(...any)) {
	s := *v
	print(s[1:2], len(s[2]), s[3:5], unsafe.StringData(s[1]) == unsafe.StringData(s[0][10:]), unsafe.StringData(s[2]) == unsafe.StringData(s[0][15:]))
}

type mapsOfPassage struct {
	nan    map[float64]int
	pair   map[[2]float32]string
	anys   map[any]string
	ptrs   map[*point]*point
	chans  map[chan int]chan int
	named  map[fmt.Stringer]int
	self   map[string]any
	empty  map[int]int
	none   map[int]int
	nested map[string]map[string]*point
}

func (v *mapsOfPassage) fill(string) {
	nan := math.NaN()
	v.nan = map[float64]int{nan: 1, 0: 3, math.Inf(1): 4}
	v.nan[nan] = 2
	v.pair = map[[2]float32]string{{1, float32(nan)}: "x", {1, 2}: "y"}
	p, q, c, s := &point{1, 2}, &point{3, 4}, make(chan int, 1), &square{2}
	v.anys = map[any]string{1: "int", "1": "string", int8(1): "int8", 1.0: "float", point{1, 2}: "point", p: "pointer", [1]any{q}: "array", nil: "nil", c: "chan", celsius(1): "celsius", true: "bool", nan: "nan"}
	v.ptrs = map[*point]*point{p: q, q: p, nil: p}
	v.chans = map[chan int]chan int{c: c}
	v.named = map[fmt.Stringer]int{s: 1, celsius(3): 2}
	v.self = map[string]any{}
	v.self["self"], v.self["others"] = v.self, v.anys
	v.empty = map[int]int{}
	v.nested = map[string]map[string]*point{"a": {"p": p}, "b": {"p": p, "q": q}, "c": nil}
}

func (v *mapsOfPassage) use(print func(...any)) {
	sum := 0
	for k, n := range v.nan {
		sum += n
		if k != k {
			sum += 100
		}
	}
	print(len(v.nan), sum, len(v.pair), v.pair[[2]float32{1, 2}])
	p := v.nested["a"]["p"]
	q := v.ptrs[p]
	print(*p, *q, v.ptrs[q] == p, v.ptrs[nil] == p, v.nested["b"]["q"] == q, v.nested["c"] == nil, len(v.nested))
	print(len(v.anys), v.anys[p], v.anys[[1]any{q}], v.anys[nil], v.anys[*p], v.anys[1], v.anys[int8(1)], v.anys[int16(1)], v.anys[celsius(1)])
	for c, d := range v.chans {
		c <- 1
		print(<-d, v.anys[c])
	}
	v.self["self"].(map[string]any)["new"] = 1
	v.anys["new"] = "in both"
	print(len(v.self), v.self["others"].(map[any]string)["new"], v.named[celsius(3)], len(v.named))
	v.empty[1]++
	print(v.empty, v.none == nil)
}

type iteratedPassage [2]map[int]string

func (v *iteratedPassage) fill(string) {
	*v = [2]map[int]string{{}, {}}
	for i := range 3000 {
		v[0][i], v[1][i] = fmt.Sprint(i), fmt.Sprint(-i)
	}
	for i := range 1000 {
		delete(v[1], 3*i)
	}
}

func (v *iteratedPassage) use(print func(...any)) {
	runtime.GC()
	times := make(map[int]int)
	for k, s := range v[0] { // what is deleted is not seen, what is added perhaps, and the rest once
		times[k]++
		if s != fmt.Sprint(k) {
			print("wrong value at", k, s)
		}
		if k < 3000 {
			delete(v[0], (k+1)%3000)
			v[0][k+10000] = fmt.Sprint(k + 10000)
			v[0][k+20000] = fmt.Sprint(k + 20000)
		}
	}
	wrong := 0
	for k := range 3000 {
		_, ok := v[0][k]
		if times[k] > 1 || ok && times[k] != 1 || times[k] == 1 && times[(k+1)%3000] == 1 && ok != (times[(k+2999)%3000] == 0) {
			wrong++
		}
	}
	print("wrong", wrong)
	visited := 0
	for k := range v[1] {
		visited++
		delete(v[1], k)
	}
	print(visited, len(v[1]))
	v[1][5] = "five"
	clear(v[0])
	print(v[1], len(v[0]), slices.Sorted(maps.Keys(v[1])))
}

type interfacesPassage struct {
	shapes []shapeOf
	l      *labelled
	err    error
	held   any
	str    fmt.Stringer
	nilPtr fmt.Stringer
	pairs  fmt.Stringer
	rw     io.ReadWriter
}

func (v *interfacesPassage) fill(string) {
	s := &square{3}
	v.l = &labelled{shapeOf: s, Writer: new(strings.Builder), square: s, label: "inner"}
	outer := &labelled{shapeOf: nil, label: "outer"}
	v.shapes = []shapeOf{s, nil}
	v.held, v.str, v.nilPtr = *outer, v.l, (*square)(nil)
	all := map[string]*pairOf[string, []int]{}
	all["x"] = &pairOf[string, []int]{"x", []int{1}, all}
	v.pairs = *all["x"]
	v.rw = struct {
		io.Reader
		io.Writer
	}{strings.NewReader("read"), v.l}
}

func (v *interfacesPassage) use(print func(...any)) {
	v.l.grow(1)
	print(v.shapes[0], v.shapes[1], v.l, v.l.shapeOf.area(), v.shapes[0] == v.l.shapeOf, v.l.square == v.l.shapeOf.(*square))
	print(v.held.(labelled).label, v.str == fmt.Stringer(v.l), v.nilPtr == nil, v.nilPtr == fmt.Stringer((*square)(nil)), v.err == nil)
	p := v.pairs.(pairOf[string, []int])
	print(p, p.all["x"].all["x"] == p.all["x"], &p.all["x"].val[0] == &p.val[0])
	text, err := io.ReadAll(v.rw)
	fmt.Fprintf(v.rw, "%s", text)
	print(err, v.l.Writer)
}

type functionsPassage struct {
	f, g    func(int) int
	n       *int
	gathers holder[string]
	area    func(*square) float64
	table   map[string]func(int) int
	any     any
}

func (v *functionsPassage) fill(string) {
	v.n = new(int)
	v.f, v.g = double, (&counter_closure1{v.n}).call
	all := []string{"a"}
	v.gathers = holder[string]{newGather(&all), newGather(&all)}
	v.area = (*square).area
	v.table = map[string]func(int) int{"f": v.f, "g": v.g, "nil": nil}
	v.any = v.gathers.f
}

func (v *functionsPassage) use(print func(...any)) {
	print(v.f(4), v.g(5), v.table["g"](6), *v.n, v.table["f"](7), v.table["nil"] == nil)
	print(v.gathers.f("b"), v.gathers.g("c"), v.any.(func(string) []string)("d"), v.area(&square{5}))
}

type channelsPassage struct {
	ring  []chan any
	full  chan [3]string
	done  chan struct{}
	both  chan int
	read  <-chan int
	write chan<- int
}

func (v *channelsPassage) fill(string) {
	a, b := make(chan any, 2), make(chan any, 2)
	a <- b
	b <- a
	v.ring = []chan any{a, b, a}
	v.full = make(chan [3]string, 2)
	for i := range 5 {
		if i > 1 {
			<-v.full
		}
		v.full <- [3]string{fmt.Sprint(i)}
	}
	v.done, v.both = make(chan struct{}), make(chan int, 3)
	close(v.done)
	v.read, v.write = v.both, v.both
	v.write <- 1
}

func (v *channelsPassage) use(print func(...any)) {
	print((<-v.ring[0]).(chan any) == v.ring[1], v.ring[0] == v.ring[2], (<-v.ring[1]) == any(v.ring[0]))
	print(<-v.full, <-v.full, len(v.full), cap(v.full))
	_, ok := <-v.done
	v.write <- 2
	close(v.both)
	print(ok, <-v.read, <-v.read, <-v.read, cap(v.both))
}

type weaklyPassage struct {
	live  *cached
	weak  map[weak.Pointer[cached]]string
	whole weak.Pointer[cached]
	part  *int
	lost  weak.Pointer[cached]
	uniq  map[unique.Handle[string]]int
	h     [2]unique.Handle[string]
}

func (v *weaklyPassage) fill(string) {
	v.live = &cached{name: "live"}
	whole := &cached{name: "whole", part: [4]int{1, 2, 3, 4}}
	v.whole, v.part, v.lost = weak.Make(whole), &whole.part[2], weak.Make(&cached{name: "lost"})
	v.weak = map[weak.Pointer[cached]]string{weak.Make(v.live): "live", v.whole: "whole", v.lost: "lost", {}: "zero"}
	v.h = [2]unique.Handle[string]{unique.Make("one"), unique.Make("two")}
	v.uniq = map[unique.Handle[string]]int{v.h[0]: 1, v.h[1]: 2}
	runtime.GC()
}

func (v *weaklyPassage) use(print func(...any)) {
	runtime.GC()
	print(v.weak[weak.Make(v.live)], v.whole.Value().name, &v.whole.Value().part[2] == v.part, v.lost.Value() == nil, v.weak[v.lost], v.weak[v.whole], len(v.weak))
	print(v.uniq[unique.Make("one")], v.uniq[unique.Make("two")], v.h[0] == unique.Make("o"+"ne"), v.h[1].Value())
	v.live = nil
	gone := 0
	for range 3 {
		runtime.GC()
	}
	for p := range v.weak {
		if p.Value() == nil {
			gone++
		}
	}
	print(gone, *v.part)
}

type atomicsPassage struct {
	i32 atomic.Int32
	i64 atomic.Int64
	u32 atomic.Uint32
	u64 atomic.Uint64
	up  atomic.Uintptr
	b   atomic.Bool
	p   atomic.Pointer[point]
	v   atomic.Value
	q   *point
	n   struct {
		x uint8
		n atomic.Int64
	}
}

func (v *atomicsPassage) fill(string) {
	v.q = &point{1, 2}
	v.i32.Store(-1)
	v.i64.Store(math.MinInt64)
	v.u32.Store(math.MaxUint32)
	v.u64.Store(math.MaxUint64)
	v.up.Store(4)
	v.b.Store(true)
	v.p.Store(v.q)
	v.v.Store(v.q)
	v.n.n.Store(5)
}

func (v *atomicsPassage) use(print func(...any)) {
	print(v.i32.Add(1), v.i64.Add(1), v.u32.Add(2), v.u64.Add(2), v.up.Add(1), v.b.CompareAndSwap(true, false), v.n.n.Add(1))
	print(v.p.CompareAndSwap(v.q, nil), v.v.CompareAndSwap(v.q, &point{3, 4}), *v.v.Load().(*point), *v.q)
}

type locksPassage struct {
	mu    sync.Mutex
	rw    sync.RWMutex
	read  sync.RWMutex
	wg    sync.WaitGroup
	once  sync.Once
	again sync.Once
	cond  *sync.Cond
	pool  sync.Pool
	m     sync.Map
	lazy  func() string
	p     *sync.Mutex
}

func (v *locksPassage) fill(string) {
	v.mu.Lock()
	v.rw.Lock()
	v.read.RLock()
	v.read.RLock()
	v.wg.Add(2)
	v.once.Do(func() {})
	v.cond = sync.NewCond(&v.mu)
	v.pool.New = newThing
	v.pool.Put(new(int))
	v.m.Store("k", &v.m)
	v.m.Store(point{1, 2}, 3)
	v.m.Store(4, "deleted")
	v.m.Delete(4)
	v.p = &v.mu
}

func (v *locksPassage) use(print func(...any)) {
	print(v.mu.TryLock(), v.rw.TryRLock(), v.read.TryLock(), v.read.TryRLock(), v.p == &v.mu, v.cond.L == sync.Locker(v.p))
	v.p.Unlock()
	v.rw.Unlock()
	for range 3 {
		v.read.RUnlock()
	}
	print(v.mu.TryLock(), v.rw.TryLock(), v.read.TryLock())
	v.once.Do(func() { print("once more") })
	v.again.Do(func() { print("once") })
	go func() {
		v.wg.Done()
		v.wg.Done()
	}()
	v.wg.Wait()
	ready := false
	go func() {
		v.cond.L.Lock()
		ready = true
		v.cond.L.Unlock()
		v.cond.Broadcast()
	}()
	for !ready {
		v.cond.Wait()
	}
	v.pool.Get()
	print(v.pool.Get())
	x, _ := v.m.Load("k")
	y, _ := v.m.LoadAndDelete(point{1, 2})
	_, loaded := v.m.LoadOrStore(4, 5)
	print(x == any(&v.m), y, loaded)
}

type reflectedPassage struct {
	typ    reflect.Type
	types  map[reflect.Type]string
	field  reflect.Value
	s      *point
	method reflect.Type
	list   []reflect.Value
}

func (v *reflectedPassage) fill(string) {
	v.typ, v.s = reflect.TypeFor[map[string]*tree](), &point{1, 2}
	v.types = map[reflect.Type]string{reflect.TypeFor[int](): "int", reflect.TypeFor[pairOf[string, int]](): "pair", reflect.TypeFor[struct {
		x int `tag:"t"`
	}](): "struct", reflect.TypeFor[func(...int) error](): "func", reflect.TypeFor[fmt.Stringer](): "interface"}
	v.field = reflect.ValueOf(v.s).Elem().Field(1)
	v.list = []reflect.Value{reflect.ValueOf(v.s), reflect.ValueOf(*v.s), reflect.ValueOf(double), reflect.ValueOf(v.types), {}, reflect.Zero(v.typ)}
}

func (v *reflectedPassage) use(print func(...any)) {
	v.s.y = 7
	print(v.typ, v.typ == reflect.TypeFor[map[string]*tree](), v.types[reflect.TypeFor[int]()], v.types[reflect.TypeFor[pairOf[string, int]]()], v.method == nil)
	var names []string
	for t, name := range v.types {
		names = append(names, fmt.Sprint(t.Kind(), name, t == v.list[3].Type()))
	}
	sort.Strings(names)
	print(names, v.field.Int(), v.field.CanAddr(), v.list[0].Elem().Field(1).Int(), v.list[1].Field(1).Int(), v.list[2].Call([]reflect.Value{reflect.ValueOf(4)})[0].Int())
	print(v.list[3].Len(), v.list[4].IsValid(), v.list[5].IsNil())
}

type timesPassage struct {
	now, utc, fixed, local, zero, berlin time.Time
	loc, same                            *time.Location
	zones                                map[*time.Location]string
	keys                                 map[time.Time]int
	pairs                                map[[2]time.Time]int
	d                                    time.Duration
	month                                time.Month
}

func (v *timesPassage) fill(string) {
	v.now, v.utc = time.Now(), time.Date(2004, 2, 29, 1, 2, 3, 4, time.UTC)
	v.loc = time.FixedZone("X", 3600)
	v.fixed, v.same, v.local = v.utc.In(v.loc), v.loc, v.utc.In(time.Local)
	v.berlin = v.utc.In(berlin())
	v.zones = map[*time.Location]string{v.loc: "X", time.UTC: "UTC", time.Local: "local", v.berlin.Location(): "berlin"}
	v.keys = map[time.Time]int{v.utc: 1, v.fixed: 2, v.berlin: 3}
	v.pairs = map[[2]time.Time]int{{v.now, v.utc}: 4}
	v.d, v.month = time.Hour, time.May
}

func (v *timesPassage) use(print func(...any)) {
	print(v.utc, v.fixed, v.zero, v.zero.IsZero(), v.berlin, v.berlin.AddDate(0, 6, 0), v.utc.Equal(v.fixed), v.utc == v.fixed)
	print(v.fixed.Location() == v.loc, v.loc == v.same, v.utc.Location() == time.UTC, v.now.Location() == time.Local, v.local.Location() == time.Local)
	print(v.zones[v.fixed.Location()], v.zones[v.utc.Location()], v.zones[v.now.Location()], v.zones[v.berlin.Location()], v.keys[v.utc], v.keys[v.fixed], v.keys[v.berlin], len(v.keys))
	print(v.now.Before(time.Now()), time.Since(v.now) < time.Hour, v.pairs[[2]time.Time{v.now, v.utc}], v.now.Unix() > 1e9, v.d, v.month)
}

type errorsOfPassage struct {
	all  []error
	same error
}

func (v *errorsOfPassage) fill(string) {
	own := errors.New("own")
	v.same = own
	_, open := io.ReadAll(failing{own})
	v.all = []error{fmt.Errorf("wrapped: %w", own), errors.Join(own, io.EOF, io.ErrUnexpectedEOF), fmt.Errorf("%w and %w", own, io.EOF), open,
		notThere(), &TypeChangedError{Type: "t"}, nil, fmt.Errorf("deep: %w", fmt.Errorf("deeper: %w", errors.Join(errors.ErrUnsupported, own)))}
}

func (v *errorsOfPassage) use(print func(...any)) {
	for _, err := range v.all {
		var changed *TypeChangedError
		print(err, errors.Is(err, v.same), errors.Is(err, io.EOF), errors.Is(err, errors.ErrUnsupported), errors.As(err, &changed), isNotThere(err))
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// language are the passages of what the language has.
func language() []passage {
	return []passage{
		pass[overlappingPassage]("overlapping slices", 3000),
		pass[lonelyPartsPassage]("parts of what is not reachable", 7*8+8+16+8+2*16+2+5*8+int(unsafe.Sizeof(passedVars))),
		pass[partsPassage]("parts of what is reachable", 8000+16000+500),
		pass[intoVariablesPassage]("pointers into package variables", 0),
		pass[nothingPassage]("nothing", 0),
		pass[sharedTextPassage]("strings that share bytes", 24+6*16+1003+40+int(unsafe.Sizeof(passedVars))),
		pass[mapsOfPassage]("maps", 0),
		pass[iteratedPassage]("iteration of maps", 0),
		pass[interfacesPassage]("interfaces", 0),
		pass[functionsPassage]("functions", 0),
		pass[channelsPassage]("channels", 0),
		pass[weaklyPassage]("weak pointers and handles", 0),
		pass[atomicsPassage]("atomics", 0),
		pass[locksPassage]("locks", 0),
		pass[reflectedPassage]("reflection", 0),
		pass[timesPassage]("times", 0),
		pass[errorsOfPassage]("errors", 0),
	}
}

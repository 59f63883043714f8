package heap

//lint:file-ignore U1000 many fields are there only to be saved

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"math"
	"math/rand"
	"net"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

func TestSlicesOfOneArray(t *testing.T) {
	type vars struct {
		a, b, c, d, e []int
		p             *int
		arr           *[3]int
		last          *int
	}
	all := make([]int, 10, 20)
	for i := range all {
		all[i] = i
	}
	all[:20][15] = 15
	v := &vars{a: all[0:5:5], b: all[3:8:8], c: all[9:10:12], d: all[5:5:5], e: all[12:12:20], p: &all[4], last: &all[:20][19]}
	v.arr = (*[3]int)(all[2:5])
	w := again(t, v)
	equal(t, v, w)
	w.b[0] = 100
	equal(t, 100, w.a[3])
	equal(t, 100, w.arr[1])
	*w.p = 7
	equal(t, 7, w.a[4])
	equal(t, 7, w.arr[2])
	equal(t, 15, w.e[:4][3])
	*w.last = 8
	equal(t, 8, w.e[:8][7])
	equal(t, 5, cap(w.a))
	check(t, w.d != nil && len(w.d) == 0 && cap(w.d) == 0)
	w.a = append(w.a, 55) // must not write into b
	equal(t, 5, w.b[2])
}

func TestManySlicesOfOneArray(t *testing.T) {
	all := make([]*int, 100000)
	for i := range all {
		all[i] = new(int)
	}
	var v [][]*int
	for i := range all {
		v = append(v, all[i:])
	}
	rand.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
	w := *again(t, &v)
	for i := range v {
		equal(t, len(v[i]), len(w[i]))
		check(t, w[i][len(w[i])-1] == w[0][len(w[0])-1])
		if len(w[i]) < len(w[0]) {
			check(t, &w[i][0] == &w[0][len(w[0])-len(w[i])])
		}
	}
}

func TestNilAndEmpty(t *testing.T) {
	type vars struct {
		s0, s1 []int
		m0, m1 map[int]int
		i0     any
		i1     any // a nil pointer in an interface
		i2     error
		f      func()
		c      chan int
		z      *struct{}
		zs     []struct{}
		za     *[0]int
		e      [][0]*int
		p      *int
		u      unsafe.Pointer
		str    string
	}
	v := &vars{s1: []int{}, m1: map[int]int{}, i1: (*int)(nil), z: new(struct{}), zs: make([]struct{}, 3, 9), za: new([0]int), e: make([][0]*int, 4, 7)}
	w := again(t, v)
	equal(t, v, w)
	check(t, w.s0 == nil && w.s1 != nil && w.m0 == nil && w.m1 != nil && w.i0 == nil && w.i1 != nil && w.za != nil && w.z != nil)
	equal(t, 9, cap(w.zs))
	equal(t, 7, cap(w.e))
	w.m1[1] = 1
}

func TestStringsShareBytes(t *testing.T) {
	long := strings.Repeat("0123456789", 1000)
	v := []string{long, long[10:20], long[15:], strings.Clone("abc")}
	w := *again(t, &v)
	equal(t, v, w)
	check(t, unsafe.StringData(w[1]) == unsafe.StringData(w[0][10:]))
	im := through(t, []Root{{"v", &v}}, []Root{{"v", new([]string)}})
	for _, s := range im.ByType() {
		if s.Type.Name == "uint8" {
			equal(t, len(long)+3, s.Bytes)
		}
	}
}

func TestMaps(t *testing.T) {
	type key struct {
		i any
		p *int
	}
	n := 5
	type vars struct {
		nan  map[float64]int
		anys map[any]string
		keys map[key]*int
		self map[string]any
		same map[string]any
		set  map[[2]string]struct{}
		p    *int
		ptrs map[*int]int
		big  map[int]int
		chs  map[chan int]int
		ch   chan int
	}
	v := &vars{p: &n, nan: map[float64]int{math.NaN(): 1, 0: 3}, anys: map[any]string{1: "int", "1": "string", 1.0: "float", point{1, 2}: "point", &n: "ptr"},
		keys: map[key]*int{{"x", &n}: &n}, self: map[string]any{}, set: map[[2]string]struct{}{{"a", "b"}: {}}, ptrs: map[*int]int{&n: 1, nil: 2}, big: map[int]int{}, ch: make(chan int)}
	v.chs = map[chan int]int{v.ch: 4, nil: 5}
	v.nan[math.NaN()] = 2
	v.self["self"] = v.self
	v.same = v.self
	for i := range 10000 {
		v.big[i] = i * i
	}
	w := again(t, v)
	equal(t, 3, len(w.nan))
	sum := 0
	for _, x := range w.nan {
		sum += x
	}
	equal(t, 6, sum)
	equal(t, "point", w.anys[point{1, 2}])
	equal(t, "ptr", w.anys[w.p])
	equal(t, 5, len(w.anys))
	check(t, w.keys[key{"x", w.p}] == w.p)
	w.same["new"] = 1
	equal(t, 1, w.self["self"].(map[string]any)["self"].(map[string]any)["new"])
	equal(t, 1, len(w.set))
	equal(t, 1, w.ptrs[w.p])
	equal(t, 2, w.ptrs[nil])
	equal(t, v.big, w.big)
	equal(t, 4, w.chs[w.ch])
	w.big[-1] = 1
}

func TestChannels(t *testing.T) {
	type vars struct {
		a    chan int
		r    <-chan int
		s    chan<- int
		done chan struct{}
		sem  chan struct{}
		ring chan string
		c    chan chan int
		un   chan bool
	}
	v := &vars{a: make(chan int, 4), done: make(chan struct{}), sem: make(chan struct{}, 1000000), ring: make(chan string, 3), c: make(chan chan int, 1), un: make(chan bool)}
	v.r, v.s = v.a, v.a
	v.a <- 1
	v.a <- 2
	close(v.done)
	for range 999999 {
		v.sem <- struct{}{}
	}
	for range 100000 {
		<-v.sem
	}
	for _, s := range []string{"a", "b", "c"} {
		v.ring <- s
	}
	<-v.ring
	v.ring <- "d"
	v.c <- v.a
	w := again(t, v)
	w.s <- 3
	equal(t, 1, <-w.r)
	equal(t, 2, <-w.a)
	equal(t, 3, <-w.a)
	check(t, <-w.c == w.a)
	_, ok := <-w.done
	check(t, !ok)
	equal(t, 899999, len(w.sem))
	<-w.sem
	for len(w.sem) < cap(w.sem) {
		w.sem <- struct{}{}
	}
	equal(t, "b", <-w.ring)
	equal(t, "c", <-w.ring)
	equal(t, "d", <-w.ring)
	go func() { w.un <- true }()
	check(t, <-w.un)
	equal(t, 2, len(v.a)) // the original is as it was
	equal(t, "b", <-v.ring)
}

var (
	rootA struct {
		x, y int
		p    *int
	}
	rootB    []int
	tableVar [4]int
)

func TestPointersIntoRoots(t *testing.T) {
	rootA.p = &rootA.y
	rootB = tableVar[1:3]
	rootA.y = 5
	tableVar[1] = 6
	roots := []Root{{"A", &rootA}, {"B", &rootB}, {"table", &tableVar}, {"A.y", &rootA.y}}
	s, err := Capture(roots, Options{})
	must(t, err)
	var b bytes.Buffer
	_, err = s.WriteTo(&b)
	must(t, err)
	rootA.p, rootA.y, rootB, tableVar[1] = nil, 0, nil, 0
	im, err := Parse(b.Bytes())
	must(t, err)
	must(t, im.Rebuild(roots, Options{}))
	check(t, rootA.p == &rootA.y && rootA.y == 5)
	check(t, &rootB[0] == &tableVar[1] && rootB[0] == 6 && cap(rootB) == 3)
}

func TestRootInsideAnotherObject(t *testing.T) {
	v := &struct{ a, b [4]int }{}
	whole := v
	_, err := Capture([]Root{{"part", &v.b}, {"whole", &whole}}, Options{})
	var u *UnsupportedError
	check(t, errors.As(err, &u) && u.Path == "part", err)
}

func TestNamed(t *testing.T) {
	type vars struct {
		e, e2 error
		w     io.Writer
		f     *os.File
		loc   *time.Location
		ep    *error
		tab   []int
		cell  *int
		m     map[string]int
	}
	reg := map[string]int{"a": 1}
	opt := Options{Named: append(StandardNamed(), Root{"table", &tableVar}, Root{"registry", &reg})}
	tableVar = [4]int{1, 2, 3, 4}
	v := &vars{e: io.EOF, e2: os.ErrNotExist, w: os.Stderr, f: os.Stdout, loc: time.Local, ep: &io.EOF, tab: tableVar[1:3], cell: &tableVar[3], m: reg}
	s, err := Capture([]Root{{"v", &v}}, opt)
	must(t, err)
	var b bytes.Buffer
	_, err = s.WriteTo(&b)
	must(t, err)
	im, err := Parse(b.Bytes())
	must(t, err)
	var w *vars
	must(t, im.Rebuild([]Root{{"v", &w}}, opt))
	check(t, w.e == io.EOF && w.e2 == os.ErrNotExist && w.w == io.Writer(os.Stderr) && w.f == os.Stdout && w.loc == time.Local && w.ep == &io.EOF)
	check(t, &w.tab[0] == &tableVar[1] && cap(w.tab) == 3 && w.cell == &tableVar[3])
	check(t, reflect.ValueOf(w.m).UnsafePointer() == reflect.ValueOf(reg).UnsafePointer())
	equal(t, 4, *w.cell)
	err = im.Rebuild([]Root{{"v", &w}}, Options{Named: StandardNamed()})
	var changed *TypeChangedError
	check(t, errors.As(err, &changed), err)
}

// TestNamedReceiver saves method values whose receivers have names and are in nothing else.
func TestNamedReceiver(t *testing.T) {
	type vars struct {
		encode func([]byte) string
		write  func(string) (int, error)
	}
	enc := base64.StdEncoding
	var lines struct {
		n int
		b strings.Builder
	}
	v := &vars{encode: enc.EncodeToString, write: lines.b.WriteString}
	var w *vars
	throughWith(t, []Root{{"v", &v}}, []Root{{"v", &w}}, Options{Named: []Root{{"enc", &enc}, {"lines", &lines}}})
	equal(t, "eA==", w.encode([]byte("x")))
	w.write("y")
	equal(t, "y", lines.b.String())
}

func TestSyncAtRest(t *testing.T) {
	type vars struct {
		mu   sync.Mutex
		rw   sync.RWMutex
		once sync.Once
		wg   sync.WaitGroup
		cond *sync.Cond
		pool sync.Pool
		n    atomic.Int64
		p    atomic.Pointer[tree]
		v    atomic.Value
		q    *tree
		sb   strings.Builder
		buf  bytes.Buffer
	}
	v := &vars{q: &tree{key: 4}}
	v.mu.Lock()
	v.rw.RLock()
	v.once.Do(func() {})
	v.wg.Add(2)
	v.cond = sync.NewCond(&v.mu)
	v.cond.Broadcast()
	v.pool.New = newThing
	v.pool.Put(&tree{})
	v.n.Store(9)
	v.p.Store(v.q)
	v.v.Store("value")
	v.sb.WriteString("text")
	v.buf.WriteString("bytes")
	w := again(t, v)
	check(t, !w.mu.TryLock())
	w.mu.Unlock()
	check(t, w.cond.L == &w.mu)
	w.cond.Signal()
	check(t, !w.rw.TryLock())
	w.rw.RUnlock()
	w.once.Do(func() { t.Fatal("twice") })
	w.wg.Done()
	w.wg.Done()
	w.wg.Wait()
	equal(t, "new", w.pool.Get())
	equal(t, int64(9), w.n.Load())
	check(t, w.p.Load() == w.q && w.q.key == 4)
	equal(t, "value", w.v.Load())
	w.sb.WriteString("+")
	equal(t, "text+", w.sb.String())
	w.buf.WriteString("+")
	equal(t, "bytes+", w.buf.String())
	v.wg.Done()
	v.wg.Done()
}

func newThing() any { return "new" }

// The lock that a type is declared as is saved without those that wait for it, too.
func TestDeclaredLocks(t *testing.T) {
	type (
		mutex sync.Mutex
		group sync.WaitGroup
		shelf sync.RWMutex
	)
	type vars struct {
		l     sync.Locker // before the lock itself: it is an RLocker
		rw    *sync.RWMutex
		mu    mutex
		shelf shelf
		wg    group
	}
	v := &vars{rw: new(sync.RWMutex)}
	v.l = v.rw.RLocker()
	v.l.Lock()
	(*sync.Mutex)(&v.mu).Lock()
	(*sync.RWMutex)(&v.shelf).RLock()
	(*sync.WaitGroup)(&v.wg).Add(1)
	var ended sync.WaitGroup
	ended.Go(v.rw.Lock)
	ended.Go((*sync.Mutex)(&v.mu).Lock)
	ended.Go((*sync.RWMutex)(&v.shelf).Lock)
	ended.Go((*sync.WaitGroup)(&v.wg).Wait)
	for v.rw.TryRLock() {
		v.rw.RUnlock()
	}
	for (*sync.RWMutex)(&v.shelf).TryRLock() {
		(*sync.RWMutex)(&v.shelf).RUnlock()
	}
	for atomic.LoadUint64((*uint64)(unsafe.Pointer(&v.wg)))&(1<<31-1) == 0 || atomic.LoadInt32((*int32)(unsafe.Pointer(&v.mu))) == 1 {
		runtime.Gosched()
	}
	w := again(t, v)
	w.l.Unlock()
	check(t, w.rw.TryLock())
	(*sync.Mutex)(&w.mu).Unlock()
	check(t, (*sync.Mutex)(&w.mu).TryLock())
	(*sync.RWMutex)(&w.shelf).RUnlock()
	check(t, (*sync.RWMutex)(&w.shelf).TryLock())
	(*sync.WaitGroup)(&w.wg).Done()
	(*sync.WaitGroup)(&w.wg).Wait()
	v.l.Unlock()
	(*sync.Mutex)(&v.mu).Unlock()
	(*sync.RWMutex)(&v.shelf).RUnlock()
	(*sync.WaitGroup)(&v.wg).Done()
	ended.Wait()
}

func TestTimes(t *testing.T) {
	utc := time.Date(2004, 2, 29, 1, 2, 3, 4, time.UTC)
	v := []time.Time{time.Now(), utc, utc.In(time.FixedZone("X", 3600)), {}}
	w := *again(t, &v)
	for i := range v {
		check(t, v[i].Equal(w[i]))
		equal(t, v[i].Format(time.RFC3339Nano), w[i].Format(time.RFC3339Nano))
	}
	check(t, !strings.Contains(w[0].String(), "m="))
	check(t, strings.Contains(v[0].String(), "m="))
	check(t, w[0].Location() == time.Local)
	now := time.Now()
	keys := map[time.Time]int{now: 1, utc: 2}
	keys = *again(t, &keys)
	equal(t, 1, keys[now.Round(0)])
	equal(t, 2, keys[utc])
	keys = map[time.Time]int{now: 1, now.Round(0): 2}
	_, err := Capture([]Root{{"keys", &keys}}, Options{Named: StandardNamed()})
	check(t, err != nil && strings.Contains(err.Error(), "monotonic"), err)
}

func TestTypesAndUintptr(t *testing.T) {
	type vars struct {
		t    reflect.Type
		ts   map[reflect.Type]int
		u    uintptr
		kind any
	}
	v := &vars{t: reflect.TypeFor[map[string]*tree](), ts: map[reflect.Type]int{reflect.TypeFor[int](): 1}, u: 77, kind: reflect.Int}
	w := again(t, v)
	equal(t, v, w)
	check(t, w.t == v.t)
}

// TestRefused tries what can't be saved: the error tells the path to it.
func TestRefused(t *testing.T) {
	type sim struct {
		cache map[string]struct{ conn net.Conn }
		f     func()
		u     unsafe.Pointer
		list  []any
		next  *sim
		timer *time.Timer
		file  *os.File
		sm    sync.Map
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	must(t, err)
	defer conn.Close()
	n := 0
	waited := make(chan int)
	go func() { <-waited }()
	for (*(**channel)(unsafe.Pointer(&waited))).receiver[0] == nil {
		runtime.Gosched()
	}
	defer close(waited)
	file, end, err := os.Pipe()
	must(t, err)
	defer file.Close()
	defer end.Close()
	for _, c := range []struct {
		v    *sim
		path string
	}{
		{&sim{cache: map[string]struct{ conn net.Conn }{"x": {conn}}}, `main.sim.cache["x"].conn`},
		{&sim{f: func() { n++ }}, "main.sim.f"},
		{&sim{next: &sim{u: unsafe.Pointer(&n)}}, "main.sim.next.u"},
		{&sim{list: []any{1, []any{2, func() { n++ }}}}, "main.sim.list[1].([]interface {})[1]"},
		{&sim{timer: time.AfterFunc(time.Hour, func() { n++ })}, "main.sim.timer.C"},
		{&sim{list: []any{waited}}, "main.sim.list[0]"},
		{&sim{next: &sim{file: file}}, "main.sim.next.file"},
	} {
		_, err := Capture([]Root{{"main.sim", &c.v}}, Options{})
		var u *UnsupportedError
		if !errors.As(err, &u) || u.Path != c.path {
			t.Errorf("%s: %v", c.path, err)
		}
		check(t, strings.Contains(err.Error(), "finalizers") == (c.path == "main.sim.list[0]"), err)
	}
	c := &sim{}
	c.sm.Store(1, l)
	_, err = Capture([]Root{{"main.sim", &c}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "main.sim.sm"), err)
	long := &sim{u: unsafe.Pointer(&n)}
	for range 100 {
		long = &sim{next: long}
	}
	_, err = Capture([]Root{{"long", &long}}, Options{})
	check(t, err != nil && len(err.Error()) < 600, err)
	x := 5.5
	alias := struct {
		f *float64
		i *uintptr
	}{&x, (*uintptr)(unsafe.Pointer(&x))}
	_, err = Capture([]Root{{"alias", &alias}}, Options{})
	check(t, err != nil)
}

func localTypes() (a, b any) {
	{
		type local struct{ x int }
		a = local{1}
	}
	{
		type local struct{ x int }
		b = local{2}
	}
	return a, b
}

func differentLocalTypes() (a, b any) {
	{
		type other struct{ x int }
		a = other{1}
	}
	{
		type other struct{ y string }
		b = other{"b"}
	}
	return a, b
}

func TestTypesOfOneName(t *testing.T) {
	a, b := differentLocalTypes()
	v := []any{a, b}
	equal(t, v, *again(t, &v))
	a, b = localTypes()
	v = []any{a, b}
	_, err := Capture([]Root{{"v", &v}}, Options{})
	var u *UnsupportedError
	check(t, errors.As(err, &u) && strings.HasPrefix(u.Path, "v["), err)
}

func TestChangedTypes(t *testing.T) {
	type inner struct{ a, b int }
	v := struct {
		In *inner
		X  int
	}{&inner{1, 2}, 3}
	b := imageOf(t, &v)
	im, err := Parse(b)
	must(t, err)
	for _, c := range []struct {
		to   any
		want string
	}{
		{&struct {
			In *inner
			X  int64
		}{}, ".X"},
		{&struct {
			In *inner
			Y  int
		}{}, ".X"},
		{&struct {
			In *tree
			X  int
		}{}, "inner"},
		{&struct{ In *inner }{}, ".X"},
		{&struct {
			In *inner
			X  int
			Y  int
		}{}, ".Y"},
		{new(int), "kind"},
	} {
		err := im.Rebuild([]Root{{"world", c.to}}, Options{Named: StandardNamed()})
		var changed *TypeChangedError
		if !errors.As(err, &changed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T: %v", c.to, err)
		}
	}
	for _, roots := range [][]Root{{}, {{"other", &v}}, {{"world", &v}, {"more", new(int)}}} {
		var changed *TypeChangedError
		err := im.Rebuild(roots, Options{})
		check(t, errors.As(err, &changed), err)
	}

	// On another machine there may be other roots.
	type here struct{ In *inner }
	more, missing := 7, []string(nil)
	var word string
	snap, err := Capture([]Root{{"gone", &word}, {"kept", &here{&inner{1, 2}}}}, Options{})
	must(t, err)
	im, err = Parse(written(t, snap))
	must(t, err)
	kept := here{}
	err = im.Rebuild([]Root{{"more", &more}, {"kept", &kept}}, Options{Missing: &missing})
	check(t, err == nil, err)
	check(t, len(missing) == 1 && missing[0] == "gone", missing)
	check(t, more == 7 && kept.In != nil && *kept.In == inner{1, 2}, kept)
}

// TestConvertedPointers has two names for one type of memory.
func TestConvertedPointers(t *testing.T) {
	type a struct{ x, y int }
	type b a
	type vars struct {
		p *a
		q *b
		r *int
		s []b
	}
	arr := []a{{1, 2}, {3, 4}}
	v := &vars{p: &arr[1], q: (*b)(&arr[1]), r: &arr[1].y}
	w := again(t, v)
	w.q.x = 9
	equal(t, 9, w.p.x)
	*w.r = 8
	equal(t, 8, w.q.y)
}

func TestInspection(t *testing.T) {
	im, err := Parse(imageOf(t, newWorld()))
	must(t, err)
	sec, ok := im.Section("program")
	check(t, ok && string(sec) == "fingerprint")
	w, ok := im.Root("world")
	check(t, ok)
	tr, _ := w.Field("Tree")
	tr, _ = tr.Elem()
	key, _ := tr.Field("key")
	n, ok := key.Int()
	check(t, ok && n == 1)
	text := w.Format(Limits{Depth: 6, Elements: 20, Bytes: 100, Total: 100000})
	for _, want := range []string{`tag: "root"`, `"two"`, "io.EOF", "os.Stdout", "heap.celsius(8)", "github.com/ckpgen/ckpgen/heap.double", "type map[string]*github.com/ckpgen/ckpgen/heap.tree",
		"heap.point{x: 4, y: 5}", "(cap 9, closed)"} {
		check(t, strings.Contains(text, want), want, text)
	}
	total := 0
	for _, s := range im.ByType() {
		total += s.Bytes
	}
	check(t, total > 0 && total <= im.DataSize())
}

type onlyMap struct{ m sync.Map }

// TestOpaqueInside has types that can't be saved inside others, as zero values.
func TestOpaqueInside(t *testing.T) {
	type vars struct {
		a     int
		timer time.Timer
		b     *int
		files [3]os.File
		sm    sync.Map
		c     []struct {
			f *os.File
			m sync.Map
			n int
		}
		d string
		p *int

		only  *onlyMap
		again *sync.Map
		whole any
	}
	v := &vars{a: 1, b: new(int), d: "d", only: new(onlyMap)}
	v.again, v.whole = &v.only.m, v.only
	v.p = &v.a
	v.c = make([]struct {
		f *os.File
		m sync.Map
		n int
	}, 3)
	v.c[1].n = 5
	v.c[2].f = os.Stdout
	w := again(t, v)
	equal(t, 1, w.a)
	check(t, w.b != nil && w.d == "d" && w.p == &w.a)
	equal(t, 5, w.c[1].n)
	check(t, w.c[2].f == os.Stdout)
	w.sm.Store(1, 2)
	w.only.m.Store(3, 4)
	n, _ := w.again.Load(3)
	equal(t, 4, n)
	check(t, w.whole == any(w.only))
	v.timer = *time.NewTimer(time.Hour)
	_, err := Capture([]Root{{"v", &v}}, Options{})
	check(t, err != nil && strings.Contains(err.Error(), "v.timer"), err)
}

var globalMap sync.Map

func TestSyncMap(t *testing.T) {
	type vars struct {
		m    sync.Map
		p    *sync.Map
		many [10]sync.Map
		q    *tree
	}
	v := &vars{q: &tree{key: 1}}
	v.p = &v.m
	for i := range 100 {
		v.m.Store(i, v.q)
	}
	v.m.Store("self", v)
	v.m.Delete(7)
	v.many[3].Store(point{1, 2}, "x")
	globalMap.Store(1, v)
	w := *again(t, &v)
	for i := range 100 {
		x, ok := w.p.Load(i)
		check(t, ok == (i != 7) && (!ok || x == any(w.q)), i)
	}
	x, _ := w.m.Load("self")
	check(t, x == any(w))
	x, _ = w.many[3].Load(point{1, 2})
	equal(t, "x", x)
	w.many[4].Store(1, 1)

	var into *vars
	roots := []Root{{"globalMap", &globalMap}, {"v", &into}}
	into = v
	s, err := Capture(roots, Options{})
	must(t, err)
	var b bytes.Buffer
	_, err = s.WriteTo(&b)
	must(t, err)
	globalMap.Store(2, 2)
	im, err := Parse(b.Bytes())
	must(t, err)
	must(t, im.Rebuild(roots, Options{}))
	_, ok := globalMap.Load(2)
	check(t, !ok)
	x, _ = globalMap.Load(1)
	check(t, x == any(into) && into != v)
}

// TestUnreadable uses a named pointer as another type: that is found at once.
func TestUnreadable(t *testing.T) {
	v := (*int64)(reflect.ValueOf(os.Stdout).UnsafePointer())
	_, err := Capture([]Root{{"v", &v}}, Options{Named: StandardNamed()})
	check(t, err != nil && strings.Contains(err.Error(), "unsafe"), err)
}

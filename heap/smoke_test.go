package heap

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"testing"
	"time"
)

// through captures roots, writes and parses the image and rebuilds it into
// others.
func through(t testing.TB, from, to []Root) *Image {
	t.Helper()
	return throughWith(t, from, to, Options{Named: StandardNamed()})
}

func throughWith(t testing.TB, from, to []Root, opt Options) *Image {
	t.Helper()
	s, err := Capture(from, opt)
	must(t, err)
	var b bytes.Buffer
	_, err = s.WriteTo(&b)
	must(t, err)
	im, err := Parse(b.Bytes())
	must(t, err)
	must(t, im.Rebuild(to, opt))
	runtime.GC()
	return im
}

// again returns a rebuilt copy of a variable.
func again[T any](t testing.TB, v *T) *T {
	t.Helper()
	w := new(T)
	through(t, []Root{{"v", v}}, []Root{{"v", w}})
	return w
}

type mixed struct {
	val  int
	next *mixed
	any  any
	m    map[string]*mixed
	f    func(int) int
	c    chan string
	t    time.Time
	e    error
	w    io.Writer
	s    []int
	sub  []int
	p    *int
}

func double(x int) int { return 2 * x }

func TestSmoke(t *testing.T) {
	a := &mixed{val: 1, any: point{1, 2}, f: double, c: make(chan string, 3), t: time.Now(), e: io.EOF, w: os.Stdout, s: []int{1, 2, 3, 4}}
	a.next = &mixed{val: 2, next: a}
	a.m = map[string]*mixed{"x": a, "y": a.next}
	a.sub = a.s[2:3]
	a.p = &a.next.val
	a.c <- "hello"
	b := *again(t, &a)
	equal(t, 1, b.val)
	check(t, b.next.next == b)
	check(t, b.m["x"] == b)
	equal(t, 8, b.f(4))
	equal(t, "hello", <-b.c)
	check(t, b.e == io.EOF)
	check(t, b.w.(*os.File) == os.Stdout)
	check(t, b.t.Equal(a.t))
	check(t, &b.sub[0] == &b.s[2])
	equal(t, cap(a.sub), cap(b.sub))
	check(t, b.p == &b.next.val)
	equal(t, point{1, 2}, b.any)
}

type point struct{ x, y int }

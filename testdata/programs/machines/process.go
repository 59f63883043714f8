package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// atomics are aligned to eight bytes on all machines.
type atomics struct {
	flag  bool
	n     atomic.Int64
	b     atomic.Bool
	u     atomic.Uint64
	small atomic.Int32
	word  atomic.Uintptr
	ptr   atomic.Pointer[atomics]
	any   atomic.Value
	list  []struct {
		b byte
		n atomic.Int64
	}
	plain struct {
		b byte
		n int64 // for atomic.AddInt64; first in its array on machines of 32 bits
	}
}

func newAtomics() *atomics {
	a := &atomics{list: make([]struct {
		b byte
		n atomic.Int64
	}, 3)}
	a.ptr.Store(a)
	a.any.Store("none")
	return a
}

func (a *atomics) step(n int) {
	a.n.Add(1<<40 + int64(n))
	a.b.Store(pt(n%2 == 1))
	a.u.Add(^uint64(0) >> n)
	a.small.Add(-int32(n))
	a.word.Or(1 << (10 * n))
	a.any.Store(fmt.Sprint("step ", n))
	for i := range a.list {
		a.list[i].n.Add(int64(i) << 33)
		a.list[i].b++
	}
	a.ptr.Load().plain.n += 1 << 34
}

func (a *atomics) end() string {
	s := fmt.Sprint(a.flag, a.n.Load(), a.b.Load(), a.u.Load(), a.small.Load(), a.word.Load(), a.ptr.Load() == a, a.any.Load(), a.plain)
	for i := range a.list {
		s += fmt.Sprint(" ", a.list[i].b, a.list[i].n.Load())
	}
	return s
}

// locks are held, and waited for, at checkpoints.
type locks struct {
	mu    sync.Mutex
	rw    sync.RWMutex
	once  sync.Once
	value func() int
	group sync.WaitGroup
	cond  *sync.Cond
	m     sync.Map
	pool  sync.Pool
	ready bool
	n     int64
}

func newLocks() *locks {
	l := &locks{}
	l.cond = sync.NewCond(&l.mu)
	l.value = sync.OnceValue(func() int { return pt(42) })
	l.pool.New = func() any { return new(strings.Builder) }
	l.group.Add(3)
	return l
}

func (l *locks) step(n int) {
	l.mu.Lock()
	go func() {
		l.mu.Lock() // waits while a checkpoint is taken
		defer l.mu.Unlock()
		l.ready = true
		l.cond.Signal()
	}()
	pt(0)
	l.ready = false
	for !l.ready {
		l.cond.Wait()
	}
	l.n += int64(l.value()) << 32
	l.mu.Unlock()
	l.rw.RLock()
	l.once.Do(func() { l.n += pt(int64(7)) })
	l.rw.RUnlock()
	l.m.Store(n, fmt.Sprint("n", n))
	l.m.Store(uintptr(n), int64(n)<<40)
	b := l.pool.Get().(*strings.Builder)
	b.Reset()
	l.pool.Put(b)
	l.group.Done()
}

func (l *locks) end() string {
	l.group.Wait()
	s := fmt.Sprint(l.n)
	for n := range 3 {
		x, _ := l.m.Load(n)
		y, _ := l.m.Load(uintptr(n))
		s += fmt.Sprint(" ", x, y)
	}
	return s
}

// files are written and read.
type files struct {
	log     *os.File
	w       *bufio.Writer
	in      *os.File
	scanner *bufio.Scanner
	info    os.FileInfo
	words   []string
	closed  *os.File
}

func newFiles() *files {
	f := &files{}
	check(os.WriteFile("input.txt", []byte(strings.Repeat("eins zwei drei vier\n", 300)), 0o666))
	var err error
	f.log, err = os.OpenFile("log.txt", os.O_CREATE|os.O_APPEND|os.O_WRONLY|os.O_TRUNC, 0o666)
	check(err)
	f.w = bufio.NewWriter(f.log)
	f.in, err = os.Open("input.txt")
	check(err)
	f.scanner = bufio.NewScanner(f.in)
	f.scanner.Split(bufio.ScanWords)
	f.info, err = f.in.Stat()
	check(err)
	f.closed, err = os.Open("input.txt")
	check(err)
	check(f.closed.Close())
	return f
}

func (f *files) step(n int) {
	for i := range 3 {
		fmt.Fprintf(f.log, "line %d of step %d\n", i, n)
		pt(i)
	}
	fmt.Fprintf(f.w, "buffered in step %d\n", n)
	for range 150 * (n + 1) {
		f.scanner.Scan()
	}
	f.words = append(f.words, f.scanner.Text())
}

func (f *files) end() string {
	check(f.w.Flush())
	check(f.log.Close())
	b, err := os.ReadFile("log.txt")
	check(err)
	info, err := f.in.Stat()
	check(err)
	_, err = f.closed.Read(b[:1:1])
	rest, _ := io.ReadAll(f.in)
	return fmt.Sprintf("%q %v %d %s %v %d %v %v", b, f.words, f.info.Size(), f.info.Mode(), os.SameFile(info, f.info), len(rest), err, f.info.ModTime().Equal(info.ModTime()))
}

// clock has times and timers.
type clock struct {
	start  time.Time
	utc    time.Time
	fixed  time.Time
	far    time.Time
	zero   time.Time
	timer  *time.Timer
	after  <-chan time.Time
	ticks  *time.Ticker
	fired  atomic.Int32
	d      time.Duration
	months []time.Month
}

func newClock() *clock {
	c := &clock{start: time.Now(), utc: time.Unix(1<<33, 123456789).UTC(), fixed: time.Date(1984, 2, 29, 1, 2, 3, 4, time.FixedZone("X", -12345)), far: time.Unix(1<<50, 5).UTC()}
	c.timer = time.NewTimer(time.Hour)
	c.after = time.After(time.Millisecond)
	c.ticks = time.NewTicker(time.Millisecond)
	time.AfterFunc(time.Millisecond, func() { c.fired.Add(1) })
	return c
}

func (c *clock) step(n int) {
	c.utc = c.utc.Add(time.Duration(pt(n)) * time.Hour)
	c.far = c.far.AddDate(0, 1, 0)
	c.d += 90 * time.Minute
	c.months = append(c.months, c.fixed.AddDate(0, n, 0).Month())
	<-c.ticks.C
	if n == 1 {
		<-c.after
	}
}

func (c *clock) end() string {
	c.ticks.Stop()
	for c.fired.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	return fmt.Sprint(c.utc, c.fixed, c.far.Format(time.DateTime), c.far.Unix(), c.zero.IsZero(), c.timer.Stop(), time.Since(c.start) > 0, c.d, c.months, c.fired.Load())
}

// Exact takes along, in the middle of their work, what functions and the standard library hold.
package main

import (
	"bufio"
	"bytes"
	"container/heap"
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"text/template"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// pt is a checkpoint in an expression.
func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

// once has functions that do something once, before or after the checkpoint.
func once() {
	calls := 0
	first := sync.OnceFunc(func() { calls++ })
	later := sync.OnceFunc(func() { calls += 10; ckp.Checkpoint(); calls += 100 })
	value := sync.OnceValue(func() *int { calls++; return &calls })
	values := sync.OnceValues(func() (string, error) { calls++; return pt("text"), io.EOF })
	failing := sync.OnceValue(func() int { panic(fmt.Sprint("failed at ", calls)) })
	first()
	p := value()
	try := func() (e any) {
		defer func() { e = recover() }()
		return failing()
	}
	e := try()
	for range 2 {
		ckp.Checkpoint()
		first()
		later()
		s, err := values()
		fmt.Println(calls, value() == p, p == &calls, s, err == io.EOF, e, try())
	}
	var o sync.Once
	for range 3 {
		o.Do(func() { calls = pt(1000) })
	}
	fmt.Println(calls)
}

type account struct {
	name string
	sum  int
}

func (a *account) add(n int) int        { a.sum += n; return a.sum }
func (a account) describe() string      { return fmt.Sprint(a.name, " has ", a.sum) }
func (a *account) then(f func()) func() { return func() { f(); a.sum *= 2 } }

type describer interface{ describe() string }

// bound has method values, of the program's types and others, and method expressions.
func bound() {
	a := &account{name: "a"}
	add, before, byInterface := a.add, a.describe, describer(a).describe
	expression := (*account).add
	var b strings.Builder
	var buf bytes.Buffer
	write, also := b.WriteString, buf.Write
	chain := a.then(a.then(func() { add(1) }))
	for i := range 3 {
		write(pt("x"))
		also([]byte{byte('0' + i)})
		add(i)
		chain()
		ckp.Checkpoint()
	}
	fmt.Println(add(1), before(), byInterface(), expression(a, 5), a.describe(), b.String(), buf.String())
}

// A stack is generic, and so are the closures over it.
type stack[T any] struct{ items []T }

func (s *stack[T]) push(x T) { s.items = append(s.items, x) }

func (s *stack[T]) each(f func(T) bool) {
	for _, x := range s.items {
		if !f(pt(x)) {
			return
		}
	}
}

func folding[T, U any](start U, f func(U, T) U) func(T) U {
	acc := start
	return func(x T) U {
		acc = f(acc, x)
		return acc
	}
}

type shape interface {
	area() float64
	fmt.Stringer
}

type side float64

func (s side) area() float64  { return float64(s * s) }
func (s side) String() string { return fmt.Sprint("side ", float64(s)) }

type decorated struct {
	shape
	*account
	io.Writer
}

func generic() {
	sum := folding(0, func(a int, b float64) int { return a + int(b) })
	text := folding("", func(a string, b fmt.Stringer) string { return a + b.String() })
	s := &stack[shape]{}
	var b strings.Builder
	d := decorated{side(3), &account{name: "d"}, &b}
	s.push(side(1))
	s.push(d)
	s.push(&d)
	s.each(func(x shape) bool {
		fmt.Fprint(d, sum(x.area()), text(x), ";")
		return true
	})
	d.add(pt(4))
	_, same := s.items[2].(*decorated)
	fmt.Println(b.String(), d.describe(), s.items[1].(decorated).account == d.account, same)
}

// sharing has slices of one array and pointers into things.
func sharing() {
	all := make([]int, 3, 10)
	a, b, c := all[:2], all[1:3:4], all[3:3:6]
	type row struct {
		cells [4]int
		sum   *int
		name  string
	}
	rows := make([]row, 3)
	for i := range rows {
		rows[i].sum = &rows[(i+1)%3].cells[i]
		rows[i].name = strings.Repeat("name", 3)[i*2:]
	}
	cell, part := &rows[1].cells[2], rows[2].cells[1:3]
	lonely := &new(row).cells[3]
	for i := range 4 {
		all[1]++
		c = append(c, i)
		ckp.Checkpoint()
		b[0] += 10
		*cell, part[1], *rows[i%3].sum = i, i+1, *rows[i%3].sum+100
		*lonely += i
	}
	fmt.Println(all[:10], a, b, c, cap(b), cap(c), rows[0].cells, rows[1].cells, rows[2].cells, rows[2].name, *lonely, &part[0] == &rows[2].cells[1])
}

// ranging changes maps while it goes over them.
func ranging() {
	m := map[any]int{math.NaN(): 1, 1: 2, "x": 3, [2]any{1, "y"}: 4, side(2): 5, struct{}{}: 6, nil: 7}
	nan := math.NaN()
	m[nan] = 8
	p := &account{}
	m[p] = 9
	seen := map[int]int{}
	for k, v := range m {
		seen[v]++
		ckp.Checkpoint()
		delete(m, k)
		if v == 9 {
			m[p] = 10 // may be seen, or not
			delete(m, p)
		}
	}
	fmt.Println(len(m), len(seen))
	sum := 0
	for k, v := range m { // the keys that are no numbers
		sum += v
		fmt.Println(k != k)
	}
	fmt.Println(sum)
	numbers := map[int]int{}
	for i := range 50 {
		numbers[i] = i
	}
	visited := 0
	for k := range numbers {
		visited++
		if visited%10 == 0 {
			ckp.Checkpoint()
		}
		delete(numbers, k^1)
		numbers[k] = -1
	}
	fmt.Println(visited, len(numbers))
	clear(m)
	fmt.Println(len(pt(m)))
}

type key struct{ name string }

// contexts has trees of them, and the functions that end them.
func contexts() {
	base := context.WithValue(context.Background(), key{"a"}, "value")
	outer, cancelOuter := context.WithCancelCause(base)
	middle, cancelMiddle := context.WithTimeout(outer, time.Hour)
	defer cancelMiddle()
	inner, cancelInner := context.WithCancel(context.WithValue(middle, key{"b"}, pt(2)))
	free := context.WithoutCancel(inner)
	ended := make(chan string, 2)
	stop := context.AfterFunc(inner, func() { ended <- fmt.Sprint("after ", inner.Err()) })
	other, cancelOther := context.WithCancel(outer)
	ckp.Checkpoint()
	fmt.Println(inner.Value(key{"a"}), inner.Value(key{"b"}), inner.Err(), other.Err())
	cancelOther()
	ckp.Checkpoint()
	fmt.Println(other.Err() == context.Canceled, outer.Err())
	cancelOuter(fmt.Errorf("because: %w", io.ErrUnexpectedEOF))
	fmt.Println(<-ended)
	ckp.Checkpoint()
	<-inner.Done()
	_, hasDeadline := inner.Deadline()
	fmt.Println(inner.Err() == context.Canceled, errors.Is(context.Cause(inner), io.ErrUnexpectedEOF), middle.Err(), free.Err(), free.Value(key{"b"}), stop(), hasDeadline)
	cancelInner()
	short, cancelShort := context.WithTimeout(free, time.Millisecond)
	defer cancelShort()
	<-pt(short).Done()
	fmt.Println(short.Err() == context.DeadlineExceeded)
}

// counted wraps a source of random numbers.
type counted struct {
	rand.Source
	n *atomic.Int64
}

func (c counted) Int63() int64 { c.n.Add(1); return c.Source.Int63() }

type queue []*account

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].sum < q[j].sum }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*account)) }
func (q *queue) Pop() any {
	x := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return x
}

// library works with things of the standard library.
func library() {
	var n atomic.Int64
	r, w := rand.New(rand.NewSource(3)), rand.New(counted{rand.NewSource(4), &n})
	pcg, cha := randv2.New(randv2.NewPCG(1, 2)), randv2.New(randv2.NewChaCha8([32]byte{5}))
	zipf := randv2.NewZipf(pcg, 2, 3, 100)
	f, g := big.NewInt(1), big.NewInt(1)
	l, q := list.New(), queue{}
	re := regexp.MustCompile(`(\w+)-(\d+)`)
	t := template.Must(template.New("t").Funcs(template.FuncMap{"next": func() int64 { return n.Add(1) }, "describe": (*account).describe}).
		Parse(`{{next}} {{range .}}{{describe .}}{{with $x := .name}}{{$x}}{{end}}; {{end}}`))
	_, err := t.Clone()
	pool := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	var m sync.Map
	var out strings.Builder
	for i := range 5 {
		f.Mul(f, g.Add(g, big.NewInt(int64(i))))
		e := l.PushFront(i)
		m.Store(e, i)
		ckp.Checkpoint()
		l.MoveToBack(e)
		heap.Push(&q, &account{fmt.Sprint(i), r.Intn(100)})
		buf := pool.Get().(*bytes.Buffer)
		buf.Reset()
		fmt.Fprint(buf, pt(w.Intn(1000)), pcg.IntN(1000), cha.IntN(1000), zipf.Uint64(), re.ReplaceAllString(fmt.Sprint("a-", i), "$2-$1"))
		out.Write(buf.Bytes())
		pool.Put(buf)
		x, ok := m.Load(l.Back())
		fmt.Fprint(&out, x, ok, "\n")
	}
	fmt.Print(out.String(), f, " ", n.Load(), " ", err, "\n")
	for len(q) > 0 {
		fmt.Print(pt(heap.Pop(&q).(*account)).describe(), ", ")
	}
	v := reflect.ValueOf(&account{"r", 1}).Elem()
	field, typ := v.Field(1), v.Type()
	method := reflect.ValueOf(account.describe)
	ckp.Checkpoint()
	fmt.Println(field.Int(), typ == reflect.TypeFor[account](), method.Call([]reflect.Value{v})[0])
}

// clocks has times and their places.
func clocks() {
	place := time.FixedZone("X", 3600)
	other := time.FixedZone("X", 3600)
	start := time.Now()
	day := time.Date(2004, 2, 29, 1, 2, 3, 4, place)
	names := map[*time.Location]string{place: "place", other: "other", time.UTC: "UTC", time.Local: "local"}
	times := map[time.Time]int{day: 1, day.UTC(): 2, day.In(other): 3}
	ckp.Checkpoint()
	fmt.Println(day, day.Location() == place, names[day.Location()], names[day.UTC().Location()], names[start.Location()], place == other, times[day], times[day.UTC()], times[day.In(other)], len(times))
	fmt.Println(time.Since(start) >= 0, start.Before(time.Now()), time.Until(start) < time.Hour)
}

// streams reads and writes files through other things.
func streams() {
	if err := os.WriteFile("exact.json", []byte(strings.Repeat(`{"n": 1, "list": ["x", {"y": null}]} [2] "three"`+"\n", 200)), 0o666); err != nil {
		panic(err)
	}
	f, err := os.Open("exact.json")
	if err != nil {
		panic(err)
	}
	out, err := os.Create("exact.txt")
	if err != nil {
		panic(err)
	}
	dec, w := json.NewDecoder(f), bufio.NewWriterSize(out, 100)
	enc := json.NewEncoder(io.MultiWriter(w, io.Discard))
	count := map[string]int{}
	for i := 0; dec.More(); i++ {
		var x any
		if err := dec.Decode(&x); err != nil {
			panic(err)
		}
		count[fmt.Sprintf("%T", x)]++
		if i%97 == 0 {
			ckp.Checkpoint()
		}
		if err := enc.Encode(x); err != nil {
			panic(err)
		}
	}
	w.Flush()
	info, err := pt(out).Stat()
	fmt.Println(count, info.Size(), err, dec.InputOffset())
	out.Seek(0, io.SeekStart)
	scan := bufio.NewScanner(out)
	lines := 0
	for scan.Scan() {
		if lines++; lines%150 == 0 {
			fmt.Println(pt(scan.Text()))
		}
	}
	fmt.Println(lines, f.Close(), out.Close(), os.Remove("exact.json"), os.Remove("exact.txt"))
}

// failures has errors in errors.
func failures() {
	own := errors.New("own")
	_, open := os.Open("no such file")
	joined := errors.Join(fmt.Errorf("first: %w", own), fmt.Errorf("%w, %w", open, io.EOF))
	deep := fmt.Errorf("deep: %w", joined)
	ckp.Checkpoint()
	var path *os.PathError
	fmt.Println(deep)
	fmt.Println(errors.Is(deep, own), errors.Is(deep, os.ErrNotExist), errors.Is(deep, io.EOF), errors.As(deep, &path), path.Op, errors.Unwrap(deep) == joined, errors.Is(deep, io.ErrNoProgress))
}

// locks are held across checkpoints.
func locks() {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	cond := sync.NewCond(&mu)
	mu.Lock()
	rw.RLock()
	done := []int{}
	for i := range 3 {
		wg.Go(func() {
			mu.Lock()
			for len(done) != i {
				cond.Wait()
			}
			done = append(done, pt(i))
			cond.Broadcast()
			mu.Unlock()
		})
	}
	ckp.Checkpoint()
	fmt.Println(mu.TryLock(), rw.TryLock(), rw.TryRLock())
	mu.Unlock()
	wg.Wait()
	rw.RUnlock()
	rw.RUnlock()
	fmt.Println(done, rw.TryLock(), slices.Equal(done, []int{0, 1, 2}))
}

func main() {
	for _, f := range []func(){once, bound, generic, sharing, ranging, contexts, library, clocks, streams, failures, locks} {
		f()
	}
}

// Command sections is a test program: mutexes that no checkpoint finds locked, beside such that some do, with goroutines that
// wait for them while others stop.
package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func cp[T any](x T) T { ckp.Checkpoint(); return x }

// A journal is written by everyone and takes its time.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) add(who, what int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for range 3 {
		runtime.Gosched() // so that others come to wait
	}
	j.lines = append(j.lines, fmt.Sprint(who, ".", what))
}

func (j *journal) contents() string {
	j.mu.Lock()
	lines := slices.Clone(j.lines)
	j.mu.Unlock()
	slices.Sort(lines)
	return strings.Join(lines, " ")
}

// A ledger is read and written; writing takes checkpoints. Its sums are behind a mutex of their own.
type ledger struct {
	mu      sync.RWMutex
	entries []int
	sums    struct {
		sync.Mutex
		all int
	}
}

func (l *ledger) write(n int) {
	l.mu.Lock()
	l.entries = append(l.entries, cp(n))
	l.sums.Lock()
	runtime.Gosched()
	l.sums.all += n
	l.sums.Unlock()
	l.mu.Unlock()
}

func (l *ledger) read() (sum int) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, n := range l.entries {
		sum += n
	}
	return sum
}

func (l *ledger) total() int {
	l.sums.Lock()
	defer l.sums.Unlock()
	runtime.Gosched()
	return l.sums.all
}

func workers() {
	j, l := &journal{}, &ledger{}
	var most int
	var local sync.Mutex
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			for k := range 4 {
				j.add(i, k)
				l.write(i * k)
				n := l.total()
				j.add(i, cp(k+10))
				local.Lock()
				runtime.Gosched()
				most = max(most, n)
				local.Unlock()
			}
		})
	}
	wg.Wait()
	fmt.Println(j.contents())
	fmt.Println(l.read(), l.total(), most)
}

// visits are counted by goroutines that do nothing else, and by one that takes checkpoints meanwhile.
var visits struct {
	sync.Mutex
	n map[string]int
}

func visit(name string) {
	visits.Lock()
	visits.n[name]++
	runtime.Gosched()
	visits.Unlock()
}

func counting() {
	visits.n = make(map[string]int)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			for range 50 {
				visit(fmt.Sprint("quiet ", i))
			}
		})
	}
	for range 20 {
		visit(cp("loud"))
	}
	wg.Wait()
	fmt.Println(visits.n)
}

// A panic leaves no mutex locked whose unlock is deferred.
func (j *journal) fail() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines[len(j.lines)] = ""
}

func failing() {
	j := &journal{}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			defer func() {
				j.add(i, len(cp(fmt.Sprint(recover()))))
			}()
			j.add(i, 0)
			j.fail()
		})
	}
	wg.Wait()
	fmt.Println(len(j.lines), strings.Count(j.contents(), "."))
}

// A shelf is locked by its own methods, and by those of types that it is converted to, or is without its name.
type shelf struct {
	sync.Mutex
	n int
}

type drawer struct {
	sync.Mutex
	n int
}

func (s *shelf) add() {
	s.Lock()
	runtime.Gosched()
	s.n++
	s.Unlock()
}

func (d *drawer) add() {
	d.Lock()
	d.n += cp(10)
	d.Unlock()
}

type rack struct {
	sync.Mutex
	n int
}

func (r *rack) add() {
	r.Lock()
	runtime.Gosched()
	r.n++
	r.Unlock()
}

func addAny(l sync.Locker, n *int) {
	l.Lock()
	*n += cp(10)
	l.Unlock()
}

var nameless struct {
	sync.Mutex
	n, m int
}

func addNameless(p *struct {
	sync.Mutex
	n, m int
}) {
	p.Lock()
	p.n += cp(10)
	p.Unlock()
}

func once(yield func(int) bool) {
	yield(1)
	ckp.Checkpoint()
}

func (s *shelf) addLooping() {
	for n := range once {
		s.Lock()
		defer s.Unlock()
		s.n += n
	}
	s.n += cp(10)
}

// together calls two functions in several goroutines.
func together(a, b func()) {
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 4 {
				a()
			}
		})
		wg.Go(func() {
			for range 4 {
				b()
			}
		})
	}
	wg.Wait()
}

func names() {
	s, looped, r := &shelf{}, &shelf{}, &rack{}
	together(s.add, (*drawer)(s).add)
	together(looped.add, looped.addLooping)
	together(r.add, func() { addAny(r, &r.n) })
	together(func() {
		nameless.Lock()
		runtime.Gosched()
		nameless.n++
		nameless.Unlock()
	}, func() { addNameless(&nameless) })
	fmt.Println(s.n, looped.n, r.n, nameless.n)
}

func main() {
	workers()
	names()
	counting()
	failing()
}

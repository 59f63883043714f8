// Command contexts is a test program: done channels as package context has them, panics
// in goroutines, select in all its forms, and goroutines that are started where no
// checkpoint is, by package initialisation and by goroutines.
package main

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A scope ends with its parent.
type scope struct {
	done   chan struct{}
	err    error
	mu     sync.Mutex
	parent *scope
}

var errCancelled = errors.New("cancelled")

func within(parent *scope) (*scope, func()) {
	s := &scope{done: make(chan struct{}), parent: parent}
	if parent != nil {
		go s.follow()
	}
	return s, func() { s.cancel(errCancelled) }
}

func (s *scope) follow() {
	select {
	case <-s.parent.Done():
		s.cancel(s.parent.Err())
	case <-s.Done():
	}
}

func (s *scope) Done() <-chan struct{} { return s.done }

func (s *scope) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *scope) cancel(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = fmt.Errorf("scope: %w", err)
		close(s.done)
	}
}

// nested scopes end from the outside in.
func nested() {
	outer, cancel := within(nil)
	middle, _ := within(outer)
	inner, _ := within(middle)
	var wg sync.WaitGroup
	var steps atomic.Int64
	ready := make(chan struct{}, 4)
	for range 4 {
		wg.Go(func() {
			ticks := make(chan int, 1)
			ticks <- 0
			for {
				select {
				case n := <-ticks:
					steps.Add(1)
					if n == 5 {
						ready <- struct{}{}
						break
					}
					ckp.Checkpoint()
					ticks <- n + 1
				case <-inner.Done():
					return
				}
			}
		})
	}
	for range 4 {
		<-ready
	}
	cancel()
	wg.Wait()
	fmt.Println(inner.Err(), errors.Is(inner.Err(), errCancelled), steps.Load())
}

// A result is what a task returned, or panicked with.
type result[T any] struct {
	index int
	value T
	err   error
}

// every runs tasks, all at once, and returns their results in order.
func every[T any](tasks ...func() T) []result[T] {
	results := make(chan result[T])
	for i, task := range tasks {
		go func() {
			r := result[T]{index: i}
			defer func() {
				if v := recover(); v != nil {
					r.err = fmt.Errorf("task %d: %v", i, v)
				}
				ckp.Checkpoint()
				results <- r
			}()
			r.value = task()
		}()
	}
	list := make([]result[T], 0, len(tasks))
	for range tasks {
		list = append(list, <-results)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].index < list[j].index })
	return list
}

func tasks() {
	list := every(
		func() string { return "fine" },
		func() string { var m map[string][]string; ckp.Checkpoint(); return m["x"][3] },
		func() string {
			return strings.Repeat("x", len(every(func() int { return 1 }, func() int { panic("inner") })))
		},
		func() string { defer func() { ckp.Checkpoint(); panic("again") }(); panic("first") },
	)
	for _, r := range list {
		fmt.Printf("%d %q %v\n", r.index, r.value, r.err)
	}
}

// selecting goes through the forms of select.
func selecting() {
	never, now := make(chan int), make(chan int, 3)
	stop := make(chan struct{})
	log := []string{}
	note := func(format string, args ...any) { log = append(log, fmt.Sprintf(format, args...)) }
	go func() {
		for i := range 3 {
			now <- i
		}
		close(now)
		<-stop
		close(never)
	}()
	for open := true; open; {
		select {
		case never <- 1:
			note("never")
		case v, ok := <-now:
			ckp.Checkpoint()
			if open = ok; !ok {
				break
			}
			note("got %d", v)
		}
	}
	select {
	case _, ok := <-now:
		note("closed %v", ok)
	default:
		note("default")
	}
	select {
	case now, ok := <-never:
		note("early %d %v", now, ok)
	default:
		note("nothing yet")
	}
	select {
	case stop <- struct{}{}:
	}
	var list [2]int
	var m = map[string]bool{}
	select {
	case list[1], m["open"] = <-never:
		note("%v %v", list, m)
	}
outer:
	for i := range 5 {
		c := make(chan int, 1)
		select {
		case c <- i * i:
			if i == 1 {
				continue outer
			}
			if i == 3 {
				break outer
			}
		case <-nobody():
		}
		ckp.Checkpoint()
		note("sent %d", <-c)
	}
	fmt.Println(strings.Join(log, ", "))
}

func nobody() <-chan int { return nil }

// squares are computed by a goroutine that package initialisation starts.
var squares = make(map[int]chan int)

var asked = make(chan int)

func init() {
	go func() {
		for n := range asked {
			squares[n] <- n * n
		}
	}()
}

func initialised() {
	for n := range 4 {
		squares[n] = make(chan int)
		asked <- n
		ckp.Checkpoint()
		fmt.Print(<-squares[n], " ")
	}
	fmt.Println()
}

// tree sums a tree with a goroutine for each node.
func tree(depth int) int {
	if depth == 0 {
		ckp.Checkpoint()
		return 1
	}
	sums := make(chan int, 2)
	for range 2 {
		go func() { sums <- tree(depth - 1) }()
	}
	return <-sums + <-sums
}

// turns lets goroutines take turns by a ring of channels, each a variable of an iteration.
func turns() {
	const n = 5
	var wg sync.WaitGroup
	var b strings.Builder
	ring := make([]chan int, n)
	for i := range ring {
		ring[i] = make(chan int)
	}
	for i, in := range ring {
		out := ring[(i+1)%n]
		wg.Add(1)
		go func() {
			defer wg.Done()
			for token := range in {
				if token == 0 {
					break
				}
				fmt.Fprint(&b, i)
				ckp.Checkpoint()
				out <- token - 1
			}
			close(out)
		}()
	}
	ring[0] <- 12
	wg.Wait()
	fmt.Println(b.String())
}

func main() {
	nested()
	tasks()
	selecting()
	initialised()
	fmt.Println(tree(5))
	turns()
}

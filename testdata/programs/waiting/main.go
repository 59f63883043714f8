// Command waiting is a test program: goroutines that wait for each other by package sync
// and by the clock.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A table is guarded by the mutex that it embeds.
type table struct {
	sync.Mutex
	entries map[string]int
}

func (t *table) add(key string, n int) {
	t.Lock()
	defer t.Unlock()
	t.entries[key] += n
	ckp.Checkpoint()
}

// counted workers of a pool, by method value and by literal.
func pool() {
	t := &table{entries: map[string]int{}}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 3 {
				t.add(fmt.Sprint("worker", i), i)
			}
		}()
	}
	wg.Go(func() { t.add("go", 7) })
	wg.Wait()
	fmt.Println(t.entries)
}

// A store is read by many and written by one.
type store struct {
	*sync.RWMutex
	version int
}

func (s store) read() int {
	s.RLock()
	defer s.RUnlock()
	ckp.Checkpoint()
	return s.version
}

func readers() {
	s := &store{RWMutex: new(sync.RWMutex)}
	var wg sync.WaitGroup
	seen := make([]int, 3)
	for i := range seen {
		wg.Go(func() {
			for seen[i] < 4 {
				v := s.read()
				if v < seen[i] {
					panic("went back")
				}
				seen[i] = v
				runtime.Gosched()
			}
		})
	}
	for range 4 {
		s.Lock()
		s.version++
		ckp.Checkpoint()
		s.Unlock()
	}
	wg.Wait()
	fmt.Println(seen)
}

// shelved is read by way of what RLocker returns, which is the same memory as the lock under another type.
func shelved() {
	var mu sync.RWMutex
	shelves := map[int]int{}
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			for j := range 3 {
				mu.Lock()
				ckp.Checkpoint()
				shelves[j] += i
				mu.Unlock()
			}
		})
		wg.Go(func() {
			l := mu.RLocker()
			for j := range 3 {
				l.Lock()
				ckp.Checkpoint()
				_ = shelves[j]
				l.Unlock()
			}
		})
	}
	wg.Wait()
	fmt.Println(shelves, mu.TryLock())

	// What waits for it by a Cond, and is woken when a writer is done.
	ready, done := false, make(chan bool)
	cond := sync.NewCond(mu.RLocker())
	go func() {
		cond.L.Lock()
		for !ready {
			cond.Wait()
		}
		ckp.Checkpoint()
		cond.L.Unlock()
		close(done)
	}()
	ckp.Checkpoint()
	ready = true
	mu.Unlock()
	ckp.Checkpoint()
	cond.Broadcast()
	<-done
	fmt.Println("ready", mu.TryLock())
}

// A queue is bounded by two conditions of one mutex.
type queue struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	notFull  *sync.Cond
	items    []int
	closed   bool
}

func newQueue() *queue {
	q := &queue{}
	q.notEmpty, q.notFull = sync.NewCond(&q.mu), sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(x int) {
	q.mu.Lock()
	for len(q.items) == 2 {
		q.notFull.Wait()
	}
	q.items = append(q.items, x)
	q.notEmpty.Signal()
	q.mu.Unlock()
}

func (q *queue) get() (int, bool) {
	q.notEmpty.L.Lock()
	defer q.notEmpty.L.Unlock()
	for len(q.items) == 0 {
		if q.closed {
			return 0, false
		}
		q.notEmpty.Wait()
	}
	x := q.items[0]
	q.items = q.items[1:]
	q.notFull.Signal()
	ckp.Checkpoint()
	return x, true
}

func queues() {
	q := newQueue()
	results := make(chan int)
	for range 3 {
		go func() {
			sum := 0
			for {
				x, ok := q.get()
				if !ok {
					break
				}
				sum += x
			}
			results <- sum
		}()
	}
	for i := range 20 {
		q.put(i)
	}
	q.mu.Lock()
	q.closed = true
	q.notEmpty.Broadcast()
	q.mu.Unlock()
	fmt.Println(<-results + <-results + <-results)
}

// clock sleeps, and starts something later.
func clock() {
	var wg sync.WaitGroup
	order := make(chan string, 3)
	for i, name := range []string{"first", "second"} {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 60 * time.Millisecond)
			order <- name
			ckp.Checkpoint()
		})
	}
	wg.Add(1)
	later := time.AfterFunc(900*time.Millisecond, func() {
		order <- "third"
		ckp.Checkpoint()
		wg.Done()
	})
	wg.Wait()
	fmt.Println(<-order, <-order, <-order, later.Stop())
}

// ends shows the ways in which a goroutine can end.
func ends() {
	results := make(chan string)
	go func() {
		defer func() {
			ckp.Checkpoint()
			results <- fmt.Sprint("recovered ", recover())
		}()
		var m map[string]int
		ckp.Checkpoint()
		m["x"] = 1
	}()
	fmt.Println(<-results)
	go func() {
		defer close(results)
		func() {
			defer func() { results <- "exits" }()
			ckp.Checkpoint()
			runtime.Goexit()
		}()
		results <- "not reached"
	}()
	for r := range results {
		fmt.Println(r)
	}
}

// deferred waits in deferred calls.
func deferred(n int) (sum int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	defer func() {
		mu.Lock()
		sum *= 2
	}()
	defer wg.Wait()
	sum = 100
	for i := range n {
		wg.Add(1)
		go add(&mu, &wg, i, &sum)
	}
	return
}

func add(mu *sync.Mutex, wg *sync.WaitGroup, n int, sum *int) {
	defer wg.Done()
	defer mu.Unlock()
	defer ckp.Checkpoint()
	mu.Lock()
	*sum += n
}

// starter starts by all kinds of calls.
type starter interface {
	start(wg *sync.WaitGroup, n ...int)
}

type summing struct{ total *int }

func (s summing) start(wg *sync.WaitGroup, n ...int) {
	defer wg.Done()
	ckp.Checkpoint()
	for _, x := range n {
		*s.total += x
	}
}

func each[T any](wg *sync.WaitGroup, list []T, f func(*sync.WaitGroup, T)) {
	for _, x := range list {
		wg.Add(1)
		go f(wg, x)
		wg.Wait()
	}
}

func forms() {
	var wg sync.WaitGroup
	total := 0
	s := summing{&total}
	var i starter = s
	f := s.start
	wg.Add(1)
	go i.start(&wg, 1, 2)
	wg.Wait()
	wg.Add(1)
	go s.start(&wg, []int{3, 4}...)
	wg.Wait()
	wg.Add(1)
	go f(&wg, 5)
	wg.Wait()
	wg.Add(1)
	go starter.start(i, &wg, 6)
	wg.Wait()
	each(&wg, []string{"x", "yy"}, func(wg *sync.WaitGroup, s string) {
		defer wg.Done()
		ckp.Checkpoint()
		total += 100 * len(s)
	})
	fmt.Println(total)
}

func main() {
	pool()
	readers()
	shelved()
	queues()
	clock()
	ends()
	fmt.Println(deferred(3))
	forms()
}

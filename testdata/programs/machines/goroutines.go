package main

import (
	"errors"
	"fmt"
	"sort"
	"sync"
	"time"
)

// recursion has frames at several depths, each with variables of its own, some of which those below point to.
func recursion(depth, n int, above ...*int) (sum int) {
	var (
		local = depth * 1000003
		wide  = int64(depth) << 40
		flag  = depth%2 == 0
		f     = float32(depth) / 3
		array = [3]uintptr{uintptr(n), uintptr(depth), 1 << 30}
		st    struct {
			b byte
			w int64
			p *int
		}
	)
	st.b, st.w, st.p = byte(depth), wide+1, &local
	if depth == 0 {
		sort.Slice(array[:], func(i, j int) bool { return pt(array[i]) > array[j] })
		for _, p := range above {
			*p += pt(1)
		}
		return int(array[0] >> 20)
	}
	for i := range 2 {
		sum += recursion(depth-1, n+i, append(above, &local)...)
		sum += int(st.w>>40) + int(st.b) + *st.p + int(f) + int(array[1])
		if flag {
			wide++
		}
		sum %= 1 << 24
	}
	return sum + int(wide&0xff)
}

type job struct {
	b   byte
	n   int
	w   int64
	out chan<- job
}

// pipeline has goroutines that hand each other values.
func pipeline(n int) int64 {
	in, squares, results := make(chan job), make(chan job, 3), make(chan job)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range squares {
				j.w += int64(pt(j.n)) << 33
				j.out <- j
			}
		}()
	}
	go func() {
		defer close(squares)
		for j := range in {
			j.n *= j.n
			squares <- j
		}
	}()
	go func() {
		defer close(in)
		for i := range 4 {
			in <- job{byte(i), i + n, 1 << 40, results}
		}
	}()
	go func() { wg.Wait(); close(results) }()
	var sum int64
	for j := range results {
		sum += j.w + int64(pt(j.b))
	}
	return sum
}

// waits selects.
func waits(n int) string {
	numbers, done := make(chan uint), make(chan struct{})
	go func() {
		defer close(done)
		for i := range 3 {
			select {
			case numbers <- uint(i + n):
			case <-time.After(time.Hour):
				panic("an hour has passed")
			}
		}
	}()
	sum, idle := uint(0), 0
	tick := time.NewTimer(2 * time.Millisecond)
	for {
		select {
		case x := <-numbers:
			sum += pt(x)
		case <-tick.C:
			idle = 1
		case <-done:
			if idle == 0 {
				<-tick.C
				idle = 1
			}
			return fmt.Sprint(sum, idle)
		}
	}
}

type failure struct {
	code uintptr
	wide int64
}

func (f *failure) Error() string { return fmt.Sprint("failure ", f.code, " ", f.wide) }

// unwound panics, and recovers with checkpoints in deferred calls.
func unwound(n int) (s string) {
	defer func() {
		x := recover()
		var f *failure
		if errors.As(pt(x.(error)), &f) {
			s += fmt.Sprint(" recovered ", f.code, f.wide)
		}
	}()
	for i := range 3 {
		defer func(i int) { s += fmt.Sprint(pt(i)) }(i + n)
	}
	panic(fmt.Errorf("wrapped: %w", &failure{uintptr(pt(n)), int64(n) << 35}))
}

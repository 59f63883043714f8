// Command pipelines is a test program: goroutines that are connected by channels of all
// kinds, with checkpoints taken by several of them.
package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// numbers is a channel type with a name.
type numbers chan int

// all sends the numbers of its own.
func (n numbers) all(from, to int) {
	defer close(n)
	for i := from; i < to; i++ {
		n <- i
	}
}

// sieve prints primes by the daisy chain of filters.
func sieve(count int) {
	ch := make(chan int)
	go generate(ch)
	for range count {
		prime := <-ch
		fmt.Print(prime, " ")
		next := make(chan int)
		go filter(ch, next, prime)
		ch = next
		ckp.Checkpoint()
	}
	fmt.Println()
}

func generate(ch chan<- int) {
	for i := 2; ; i++ {
		ch <- i
	}
}

func filter(in <-chan int, out chan<- int, prime int) {
	for i := range in {
		if i%prime != 0 {
			out <- i
		}
	}
}

// produce returns a channel with what f yields, and closes it.
func produce[T any](n int, f func(int) T) <-chan T {
	out := make(chan T, 2)
	go func() {
		defer close(out)
		for i := range n {
			out <- f(i)
		}
	}()
	return out
}

// transform is a stage that applies f.
func transform[C ~<-chan T, T, U any](in C, f func(T) U) <-chan U {
	out := make(chan U)
	go func() {
		for v := range in {
			ckp.Checkpoint()
			out <- f(v)
		}
		close(out)
	}()
	return out
}

// merge waits for all of its channels by select, setting those that are closed to nil.
func merge[T cmp.Ordered](a, b <-chan T) []T {
	var list []T
	for a != nil || b != nil {
		select {
		case v, ok := <-a:
			if !ok {
				a = nil
				break
			}
			list = append(list, v)
		case v, ok := <-b:
			if !ok {
				b = nil
				continue
			}
			list = append(list, v)
			ckp.Checkpoint()
		}
	}
	slices.Sort(list)
	return list
}

// A request carries the channel for its answer.
type request struct {
	x      int
	answer chan<- int
}

func server(requests <-chan request, done chan struct{}) {
	for {
		select {
		case r := <-requests:
			r.answer <- r.x * r.x
		case <-done:
			done <- struct{}{}
			return
		}
	}
}

func ask(requests chan<- request) (sum int) {
	answer := make(chan int)
	for x := range 5 {
		requests <- request{x, answer}
		ckp.Checkpoint()
		sum += <-answer
	}
	return sum
}

// order shows that operands are evaluated once and in order, whatever happens meanwhile.
func order() {
	var log []string
	ch := func(name string, c chan int) chan int {
		log = append(log, name)
		ckp.Checkpoint()
		return c
	}
	value := func(name string, v int) int {
		log = append(log, name)
		ckp.Checkpoint()
		return v
	}
	c, d := make(chan int), make(chan int, 1)
	list := []int{0, 0, 0}
	go func() { list[2] = 7; c <- list[2]; <-c; c <- 3 }()
	list[value("index", 1)] = <-ch("channel", c)
	ch("send", c) <- value("value", 4) + list[value("inner", 1)]
	list[0] = value("x", 1) + <-ch("y", c) + value("z", 2)
	select {
	case ch("first", d) <- value("sent", 9):
	case list[value("never", 0)] = <-ch("second", c):
	}
	var any any
	var ok truth
	any, ok = <-d
	fmt.Println(list, any, ok, log)
}

type truth bool

// chained passes channels over channels.
func chained() {
	type link chan chan string
	l := make(link)
	go func() {
		for range 3 {
			c := <-l
			ckp.Checkpoint()
			c <- fmt.Sprint(cap(c), len(l))
		}
		close(l)
	}()
	for i := range 3 {
		c := make(chan string, i)
		l <- c
		fmt.Print(<-c, " ")
	}
	_, open := <-l
	fmt.Println(open)
}

// apart starts goroutines that are nothing but a checkpoint call.
func apart() {
	call, c := ckp.Checkpoint, make(chan int)
	go ckp.Checkpoint()
	go call()
	go ckp.Save("apart")
	go func() {
		defer close(c)
		ckp.Checkpoint()
		c <- 1
	}()
	fmt.Println(<-c, <-c)
}

func main() {
	apart()
	sieve(15)
	squares := transform(produce(10, func(i int) int { return i }), func(i int) string { return fmt.Sprint(i * i) })
	for s := range squares {
		fmt.Print(s, ",")
	}
	fmt.Println()
	fmt.Println(merge(produce(7, func(i int) int { return 2 * i }), transform(produce(5, func(i int) int { return i }), func(i int) int { return 2*i + 1 })))
	n := make(numbers)
	go n.all(3, 8)
	for v := range n {
		ckp.Checkpoint()
		fmt.Print(v, " ")
	}
	fmt.Println()
	requests, done := make(chan request), make(chan struct{})
	go server(requests, done)
	fmt.Println(ask(requests))
	done <- struct{}{}
	<-done
	order()
	chained()
}

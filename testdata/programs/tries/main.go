// Tries looks whether somebody waits at a channel, who does so all the time, by select statements with a default: while a checkpoint begins, in
// functions that are rewritten, and in one that is not.
package main

import (
	"fmt"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func sends(c chan<- int, n int) { c <- n }

func gets(c <-chan int, results chan<- int) { results <- <-c }

// look has no other operation.
func look(c <-chan int) (int, bool) {
	compute()
	select {
	case n := <-c:
		return n, true
	default:
		return 0, false
	}
}

func receive(c <-chan int, found chan<- bool) {
	compute()
	select {
	case n := <-c:
		sum += n
		found <- true
	default:
		found <- false
	}
}

func send(c chan<- int, n int, found chan<- bool) {
	ok := false
	compute()
	select {
	case c <- n:
		ok = true
	default:
	}
	found <- ok
}

// woken waits in another select statement before.
func woken(wake, never, c <-chan int, found chan<- bool) {
	for range wake {
		select {
		case <-wake:
		case <-never:
		}
		compute()
		ok := false
		select {
		case n := <-c:
			sum += n
			ok = true
		default:
		}
		found <- ok
	}
}

var sum int

// compute lasts until a checkpoint has begun.
func compute() {
	for begin := time.Now(); time.Since(begin) < 2*time.Millisecond; {
	}
}

// looks counts how often somebody is not found. A checkpoint begins when it is looked for him.
func looks(start func(), found <-chan bool) (missed int) {
	for {
		time.Sleep(time.Millisecond)
		start()
		ckp.Checkpoint()
		if <-found {
			return missed
		}
		missed++
	}
}

func main() {
	numbers, results, found := make(chan int), make(chan int), make(chan bool)
	wake := make(chan int)
	go woken(wake, nil, numbers, found)
	missed := 0
	for i := range 20 {
		go sends(numbers, i)
		missed += looks(func() {
			go func() {
				n, ok := look(numbers)
				sum += n
				found <- ok
			}()
		}, found)

		go sends(numbers, i)
		missed += looks(func() { go receive(numbers, found) }, found)

		go sends(numbers, i)
		missed += looks(func() { wake <- 1; wake <- 2 }, found)

		go gets(numbers, results)
		missed += looks(func() { go send(numbers, i, found) }, found)
		sum += <-results
	}
	fmt.Println(sum, missed < 10) // it can be that he has not come yet
}

// Deadlock has goroutines that wait for each other, for ever.
package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type account struct {
	sync.Mutex
	balance int
}

func (a *account) move(to *account, ready *sync.WaitGroup) {
	a.Lock()
	defer a.Unlock()
	ready.Done()
	ready.Wait()
	to.Lock()
	to.balance++
}

func produce(out chan<- int) {
	for i := range 3 {
		ckp.Checkpoint()
		out <- i
	}
}

func either[T any](a, b chan T) T {
	select {
	case x := <-a:
		return x
	case x := <-b:
		return x
	}
}

func main() {
	var a, b account
	var ready sync.WaitGroup
	ready.Add(2)
	go a.move(&b, &ready)
	go b.move(&a, &ready)
	numbers := make(chan int)
	go produce(numbers)
	go func() {
		either(make(chan string), nil)
	}()
	fmt.Println(<-numbers)
	time.Sleep(50 * time.Millisecond)
	done := make(chan bool)
	for range done {
		fmt.Println("never")
	}
}

// Command timers is a test program: timers of time.AfterFunc fire also if the program has dropped them, as most do with what
// it returns, and if nothing but such a timer leads to a context.
package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func take(n int) {
	for range n {
		ckp.Checkpoint()
	}
}

// dropped are not kept by anyone.
func dropped() {
	fired := make(chan string)
	time.AfterFunc(300*time.Millisecond, func() { fired <- "first" })
	time.AfterFunc(600*time.Millisecond, func() {
		take(2)
		fired <- "second"
	})
	take(4)
	runtime.GC()
	take(2)
	fmt.Println(<-fired, <-fired)
}

// again sets a timer that had been stopped when a checkpoint was taken, and drops it then.
func again() {
	fired := make(chan bool)
	func() {
		t := time.AfterFunc(time.Hour, func() { close(fired) })
		fmt.Println("stopped", t.Stop())
		take(4)
		fmt.Println("set", t.Reset(200*time.Millisecond))
	}()
	take(4)
	<-fired
	fmt.Println("fired")
}

// stopped does not fire, nor is what its function refers to a part of checkpoints: a timer like no other can't be saved.
func stopped() {
	func() {
		unsavable := new(time.Timer)
		*unsavable = *time.NewTimer(time.Hour)
		time.AfterFunc(time.Hour, func() { fmt.Println(unsavable) }).Stop()
	}()
	take(4)
	fmt.Println("stopped")
}

func contexts() {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	take(4)
	<-ctx.Done()
	fmt.Println(ctx.Err())

	done := make(chan error)
	func() {
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		_ = cancel
		context.AfterFunc(ctx, func() { done <- ctx.Err() })
	}()
	take(4)
	fmt.Println(<-done)
}

// firing has timers that fire just when a checkpoint is taken: they are set no more, and their goroutines may not have begun.
func firing() {
	sum := 0
	for i := range 10 {
		done := make(chan int, 1)
		t := time.AfterFunc(0, func() { done <- i })
		ckp.Checkpoint()
		sum = sum*3 + <-done
		t.Reset(0)
		ckp.Checkpoint()
		sum = sum*3 + <-done
	}
	fmt.Println("firing", sum)
}

func main() {
	dropped()
	firing()
	again()
	stopped()
	contexts()
}

// Command reflected is a test program: goroutines that wait for each other at channels by
// package reflect.
package main

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

// A box has a channel of any type, and the methods of its value.
type box struct{ reflect.Value }

var shared box

// sums adds what comes from several channels until all are closed.
func sums(chans []any) (total int, from map[int]int) {
	from = make(map[int]int)
	var cases []reflect.SelectCase
	for _, ch := range chans {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ch)})
	}
	for left := len(cases); left > 0; {
		i, v, ok := reflect.Select(cases)
		if !ok {
			cases[i].Chan = reflect.Value{}
			left--
			continue
		}
		from[i]++
		total += int(v.Int())
	}
	return total, from
}

func fanIn() {
	var chans []any
	for i := range 4 {
		ch := make(chan int, i%2)
		chans = append(chans, ch)
		go func() {
			defer close(ch)
			for n := range 5 {
				ckp.Checkpoint()
				reflect.ValueOf(ch).Send(reflect.ValueOf(10*i + n))
			}
		}()
	}
	fmt.Println(sums(chans))
}

// relay sends on what it receives.
func relay() {
	in, out := make(chan string), make(chan string)
	shared = box{reflect.ValueOf(in)}
	go func() {
		to := reflect.ValueOf(out)
		for {
			x, ok := shared.Recv()
			if !ok {
				break
			}
			v := reflect.ValueOf(x.String() + "!")
			to.Send(v)
		}
		defer to.Close()
		defer to.Send(reflect.ValueOf("deferred"))
	}()
	go func() {
		for i := range 6 {
			ckp.Checkpoint()
			in <- fmt.Sprint("message ", i)
		}
		close(in)
	}()
	for s := range out {
		ckp.Checkpoint()
		fmt.Println(s)
	}
}

// both ways, and a case for when nobody is there.
func both() {
	ping, pong, quit := make(chan int), make(chan int), make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		n := 0
		for {
			cases := []reflect.SelectCase{
				{Dir: reflect.SelectSend, Chan: reflect.ValueOf(pong), Send: reflect.ValueOf(n * n)},
				{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ping)},
				{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(quit)},
			}
			switch i, v, _ := reflect.Select(cases); i {
			case 1:
				n = int(v.Int())
			case 2:
				return
			}
			ckp.Checkpoint()
		}
	}()
	for i := range 6 {
		ping <- i
		ckp.Checkpoint()
		fmt.Println(<-pong)
	}
	tried, done := 0, reflect.ValueOf(quit)
	full := make(chan int, 2)
	for {
		i, _, _ := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: reflect.ValueOf(full), Send: reflect.ValueOf(tried)}, {Dir: reflect.SelectDefault}})
		if i == 1 {
			break
		}
		tried++
		ckp.Checkpoint()
	}
	fmt.Println("tried", tried)
	go func() {
		ckp.Checkpoint()
		close(quit)
	}()
	fmt.Println(done.Recv())
	wg.Wait()
}

// panics are those of the methods themselves.
func panics() {
	for _, f := range []func(){
		func() { reflect.ValueOf(1).Send(reflect.ValueOf(2)) },
		func() { reflect.ValueOf("").Recv() },
		func() { reflect.ValueOf(make(<-chan int)).Send(reflect.ValueOf(2)) },
		func() { reflect.ValueOf(make(chan int)).Send(reflect.ValueOf("x")) },
		func() { reflect.ValueOf(make(chan int)).Send(reflect.Value{}) },
		func() { reflect.ValueOf(struct{ c chan int }{}).Field(0).Recv() },
		func() {
			reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectDefault}, {Dir: reflect.SelectDefault}})
		},
		func() { reflect.Select([]reflect.SelectCase{{Dir: 7}}) },
		func() {
			ch, began := make(chan int), make(chan bool)
			go func() {
				began <- true
				ckp.Checkpoint()
				close(ch)
			}()
			<-began
			reflect.ValueOf(ch).Send(reflect.ValueOf(1))
		},
	} {
		func() {
			defer func() { fmt.Println(recover()) }()
			ckp.Checkpoint()
			f()
		}()
	}
}

// started begins goroutines that do nothing else.
func started() {
	ch, done := reflect.ValueOf(make(chan int)), make(chan bool)
	go ch.Send(reflect.ValueOf(42))
	go func() {
		defer close(done)
		defer ch.Recv()
		ckp.Checkpoint()
	}()
	<-done
	go reflect.Select(nil)
	go func() {
		ckp.Checkpoint()
		reflect.Select(nil)
	}()
	go reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: ch, Send: reflect.ValueOf(43)}})
	ckp.Checkpoint()
	fmt.Println(ch.Recv())
}

func main() {
	fanIn()
	relay()
	both()
	panics()
	started()
}

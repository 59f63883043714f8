// Selects has checkpoints in the clauses and in the operands of select.
package main

import (
	"fmt"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type box struct{ list [4]int }

func (b *box) at(i int) *int { ckp.Checkpoint(); return &b.list[i] }

func pick(name string, ch chan int) chan int {
	ckp.Checkpoint()
	fmt.Print(name, " ")
	return ch
}

func value(v int) int { ckp.Checkpoint(); fmt.Print("v", v, " "); return v }

func drain(a, b chan int) (sum int) {
loop:
	for a != nil || b != nil {
		select {
		case v, ok := <-a:
			if !ok {
				a = nil
				ckp.Checkpoint()
				continue loop
			}
			f := func() int { v++; return v }
			ckp.Checkpoint()
			sum += f()
		case v, ok := <-b:
			ckp.Checkpoint()
			if !ok {
				b = nil
				break
			}
			sum += 100 * v
		}
		if sum > 100000 {
			break loop
		}
	}
	return sum
}

func main() {
	a, b := make(chan int, 4), make(chan int, 4)
	for i := range 3 {
		a <- i
		b <- i
	}
	close(a)
	close(b)
	fmt.Println(drain(a, b))

	out, empty := make(chan int, 2), make(chan int)
	for range 3 {
		select {
		case pick("out", out) <- value(7):
			ckp.Checkpoint()
			fmt.Println("sent")
		case <-pick("empty", empty):
			fmt.Println("never")
		default:
			ckp.Checkpoint()
			fmt.Println("full", len(out))
		}
	}
	bx := &box{}
	var ok bool
	select {
	case *bx.at(2), ok = <-out:
		ckp.Checkpoint()
	case <-empty:
	}
	fmt.Println(bx.list, ok, len(out))
	select {
	case x := <-out:
		for i := range x {
			if i == 5 {
				break
			}
			ckp.Checkpoint()
		}
		fmt.Println("x", x)
	}
	select {
	default:
		ckp.Checkpoint()
	}
	x := 0
	set := func(p *int) chan int {
		ckp.Checkpoint()
		*p = 42
		return nil
	}
	select { // x is evaluated before it is set
	case out <- x:
	case <-set(&x):
	}
	fmt.Println("in order", <-out, x)
	select {
	case empty <- value(1):
	case v := <-pick("closed", a):
		fmt.Println("closed", v)
	}
}

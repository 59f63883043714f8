// Opportunities at which no checkpoint can be taken: below a function that is
// not instrumented, while another goroutine runs, in another goroutine, and
// with something that can't be saved; and one at which it can.
package main

import (
	"fmt"
	"net"
	"slices"
	"sync"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

var conn net.Conn

type program_frame struct{ At int }

func (fr *program_frame) ResumePoint() (*shadow.Function, int) { return program_function, fr.At }

func worker(stop chan bool) { <-stop }

func program() {
	var wg sync.WaitGroup
	var stop chan bool
	if shadow.Busy != 0 {
		if fr, ok := shadow.Enter(program_function).(*program_frame); ok {
			switch fr.At {
			case 1:
				goto resume1
			case 2:
				goto resume2
			}
		}
	}
	for range 3 {
		slices.SortFunc([]int{2, 1}, func(a, b int) int { ckp.Checkpoint(); return a - b })
	}
	fmt.Println("sorted")
	stop = make(chan bool)
	go worker(stop)
	for range 3 {
		ckp.Checkpoint()
	}
	close(stop)
	fmt.Println("one goroutine again")
	wg.Add(1)
	go func() {
		defer wg.Done()
		ckp.Checkpoint()
	}()
	wg.Wait()
	conn = &net.TCPConn{}
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		conn, _ = net.Dial("tcp", l.Addr().String())
	}
	fmt.Println("connected")
resume1:
	ckp.Checkpoint()
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&program_frame{At: 1})
		return
	}
	conn = nil
	fmt.Println("can be saved")
resume2:
	ckp.Checkpoint()
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&program_frame{At: 2})
		return
	}
	fmt.Println("done")
}

func main() { ckp.Main(program) }

var program_function = &shadow.Function{Description: &shadow.Description{Name: "main.program", File: "example.org/refused/main.go", Line: 24, Fingerprint: "p", Points: []shadow.Point{{Line: 60, Call: "ckp.Checkpoint"}, {Line: 68, Call: "ckp.Checkpoint"}}}}

func init() {
	shadow.Register(&shadow.Package{
		Path:      "main",
		Functions: []*shadow.Function{program_function},
		Globals:   []shadow.Global{{Name: "main.conn", Ptr: &conn}},
	})
}

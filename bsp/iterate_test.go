package bsp_test

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/ckpgen/ckpgen/bsp"
	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// iterate is a program as the precompiler would leave it, written by hand: what
// is around the two calls of Sync is the rewriting.
//
// In every superstep each process gets a number from its left neighbour by Put,
// one from its right neighbour by Get, and one from everybody by Send, and mixes
// them. The result depends on every one of them.
func iterate() {
	var (
		i, rounds  int
		x          uint64
		box, fetch []uint64
		reg        bsp.Reg[uint64]
		received   uint64
		pause      time.Duration
	)
	if shadow.Busy != 0 {
		if fr, ok := shadow.Enter(iterateFunction).(*iterateFrame); ok {
			i, rounds, x, box, fetch, reg, pause = fr.i, fr.rounds, fr.x, fr.box, fr.fetch, fr.reg, fr.pause
			switch fr.At {
			case 1:
				goto resume1
			case 2:
				goto resume2
			}
		}
	}
	bsp.Begin()
	rounds, _ = strconv.Atoi(os.Getenv("BSP_TEST_ROUNDS"))
	pause, _ = time.ParseDuration(os.Getenv("BSP_TEST_PAUSE"))
	x = uint64(bsp.PID()) + 1
	box = []uint64{x, 0}
	fetch = make([]uint64, 1)
	reg = bsp.PushRegister(box)
	bsp.SetTagSize(2)
resume1:
	bsp.Sync()
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&iterateFrame{At: 1, i: i, rounds: rounds, x: x, box: box, fetch: fetch, reg: reg, pause: pause})
		return
	}
	i = 0
loop:
	if i >= rounds {
		goto done
	}
	box[0] = x
	bsp.Put((bsp.PID()+1)%bsp.NProcs(), []uint64{x * 3}, reg, 1)
	bsp.Get((bsp.PID()+1)%bsp.NProcs(), reg, 0, fetch)
	for to := range bsp.NProcs() {
		bsp.Send(to, uint16(bsp.PID()), []uint64{x + uint64(to)})
	}
	time.Sleep(pause)
resume2:
	bsp.Sync()
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&iterateFrame{At: 2, i: i, rounds: rounds, x: x, box: box, fetch: fetch, reg: reg, pause: pause})
		return
	}
	received = 0
	for {
		tag, payload, ok := bsp.HPMove[uint16, uint64]()
		if !ok {
			break
		}
		received = received*7 + payload[0]*uint64(tag+1)
	}
	x = x*5 + box[1] + fetch[0]*11 + received
	i++
	goto loop
done:
	bsp.End()
	if bsp.PID() == 0 {
		fmt.Println("result", x)
	}
}

// iterated is what process 0 must print, computed without any of it.
func iterated(n, rounds int) string {
	x := make([]uint64, n)
	for p := range x {
		x[p] = uint64(p) + 1
	}
	for range rounds {
		next := make([]uint64, n)
		for p := range x {
			received := uint64(0)
			for from := range x {
				received = received*7 + (x[from]+uint64(p))*uint64(from+1)
			}
			next[p] = x[p]*5 + x[(p+n-1)%n]*3 + x[(p+1)%n]*11 + received
		}
		x = next
	}
	return fmt.Sprint("result ", x[0])
}

type iterateFrame struct {
	At         int
	i, rounds  int
	x          uint64
	box, fetch []uint64
	reg        bsp.Reg[uint64]
	pause      time.Duration
}

func (f *iterateFrame) ResumePoint() (*shadow.Function, int) { return iterateFunction, f.At }

var iterateFunction = &shadow.Function{Description: &shadow.Description{
	Name: "github.com/ckpgen/ckpgen/bsp_test.iterate", File: "bsp/iterate_test.go", Line: 20, Fingerprint: "1",
	Points: []shadow.Point{{Line: 47, Column: 2, Call: "bsp.Sync"}, {Line: 61, Column: 3, Call: "bsp.Sync"}},
}}

func init() {
	shadow.Register(&shadow.Package{Path: "github.com/ckpgen/ckpgen/bsp_test", Functions: []*shadow.Function{iterateFunction}})
	programs["iterate"] = func() { ckp.Main(iterate) }
}

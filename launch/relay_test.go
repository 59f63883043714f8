//go:build unix

package launch

import (
	"fmt"
	"os"
	"time"

	"github.com/ckpgen/ckpgen/bsp"
	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// relay is a BSP program as the precompiler would leave it, written by hand:
// what is around the call of Sync is the rewriting. In every superstep each
// process adds what its left neighbour has put.
func relay() {
	var (
		i, rounds int
		x         uint64
		box       []uint64
		reg       bsp.Reg[uint64]
		pause     time.Duration
		bug       int
	)
	if shadow.Busy != 0 {
		if fr, ok := shadow.Enter(relayFunction).(*relayFrame); ok {
			i, rounds, x, box, reg, pause, bug = fr.i, fr.rounds, fr.x, fr.box, fr.reg, fr.pause, fr.bug
			switch fr.At {
			case 1:
				goto resume1
			case 2:
				goto resume2
			}
		}
	}
	if len(relayArgs) > 2 && relayArgs[2] == "absent" && bsp.PID() == 1 {
		return
	}
	bsp.Begin()
	_, _ = fmt.Sscan(relayArgs[0], &rounds)
	pause, _ = time.ParseDuration(relayArgs[1])
	bug = -1
	if len(relayArgs) > 2 {
		_, _ = fmt.Sscan(relayArgs[2], &bug)
	}
	x = uint64(bsp.PID()) + 1
	box = make([]uint64, 1<<10)
	reg = bsp.PushRegister(box)
resume1:
	bsp.Sync()
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&relayFrame{At: 1, i: i, rounds: rounds, x: x, box: box, reg: reg, pause: pause, bug: bug})
		return
	}
loop:
	if i == rounds {
		goto done
	}
	if bsp.PID() == 1 {
		if i == bug {
			panic("a bug")
		}
		if -i == bug && i > 1 {
			return // without End
		}
	}
	bsp.Put((bsp.PID()+1)%bsp.NProcs(), []uint64{x*3 + uint64(i)}, reg, i%len(box))
	time.Sleep(pause)
resume2:
	bsp.Sync()
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&relayFrame{At: 2, i: i, rounds: rounds, x: x, box: box, reg: reg, pause: pause, bug: bug})
		return
	}
	x = x*5 + box[i%len(box)]
	i++
	goto loop
done:
	bsp.End()
	if bsp.PID() == 0 {
		fmt.Println("result", x)
	}
}

// relayed is what relay must print, computed without any of it.
func relayed(n, rounds int) string {
	x := make([]uint64, n)
	for p := range x {
		x[p] = uint64(p) + 1
	}
	for i := range rounds {
		next := make([]uint64, n)
		for p := range x {
			next[p] = x[p]*5 + x[(p+n-1)%n]*3 + uint64(i)
		}
		x = next
	}
	return fmt.Sprint("result ", x[0])
}

type relayFrame struct {
	At        int
	i, rounds int
	x         uint64
	box       []uint64
	reg       bsp.Reg[uint64]
	pause     time.Duration
	bug       int
}

func (f *relayFrame) ResumePoint() (*shadow.Function, int) { return relayFunction, f.At }

var relayFunction = &shadow.Function{Description: &shadow.Description{
	Name: "github.com/ckpgen/ckpgen/launch.relay", File: "launch/relay_test.go", Line: 17, Fingerprint: "1",
	Points: []shadow.Point{{Line: 48, Column: 2, Call: "bsp.Sync"}, {Line: 63, Column: 3, Call: "bsp.Sync"}},
}}

func init() {
	shadow.Register(&shadow.Package{Path: "github.com/ckpgen/ckpgen/launch", Functions: []*shadow.Function{relayFunction}})
}

var relayArgs []string

// runRelay is the main function of the processes.
func runRelay(files string, args []string) {
	relayArgs = args
	name := fmt.Sprintf("%s/start-e%s-r%s", files, os.Getenv("CKP_EPOCH"), os.Getenv("CKP_RANK"))
	must(os.WriteFile(name+".tmp", fmt.Appendf(nil, "%s %d", os.Getenv("CKP_RESTORE"), os.Getpid()), 0o666))
	must(os.Rename(name+".tmp", name))
	ckp.Main(relay)
}

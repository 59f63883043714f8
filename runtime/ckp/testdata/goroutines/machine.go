package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
	"github.com/ckpgen/ckpgen/runtime/ckp/blocking"
	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// A machine is a goroutine, or a function that one calls: it executes a list of
// operations, of which each is a call that can be on the stack when a checkpoint is
// taken, or has no such call. It is what the precompiler would make of the same operations
// in the body of a function; its variables are in its fields.
type machine struct {
	Name  string
	Ops   []op
	PC    int
	Value int // last received
	Count int // of a loop

	Timer  *time.Timer
	Ticker *time.Ticker
	After  <-chan time.Time
}

// An op is an operation with its operands.
type op struct {
	Do    string
	Ch    chan int
	Ch2   chan int
	Mutex *sync.Mutex
	RW    *sync.RWMutex
	Group *sync.WaitGroup
	Cond  *sync.Cond
	Timer *time.Timer
	M     *machine
	To    int
	Text  string
	D     time.Duration
}

// Ticks returns the channel of the timer of M that the text names.
func (o *op) Ticks() <-chan time.Time {
	switch o.Text {
	case "timer":
		return o.M.Timer.C
	case "ticker":
		return o.M.Ticker.C
	}
	return o.M.After
}

// plain makes the operations those of the language.
var plain = os.Getenv("GOROUTINES_PLAIN") != ""

// slow is how long it takes to come to a checkpoint.
var slow, _ = time.ParseDuration(os.Getenv("GOROUTINES_SLOW"))

// Func makes a machine the environment of a func value.
func (m *machine) Func() any { return m.call }

type machine_frame struct {
	At int
	m  *machine
}

func (fr *machine_frame) ResumePoint() (*shadow.Function, int) { return machine_function, fr.At }

// call executes the operations. A stack that is restored continues with the operation that it was in.
func (m *machine) call() {
	if shadow.Busy != 0 {
		if fr, ok := shadow.Enter(machine_function).(*machine_frame); ok {
			m = fr.m
		}
	}
	for m.PC < len(m.Ops) {
		o := &m.Ops[m.PC]
		if plain {
			m.plain(o)
		} else {
			switch o.Do {
			case "checkpoint":
				time.Sleep(slow)
				ckp.Checkpoint()
			case "call":
				o.M.call()
			case "send":
				shadow.Send(o.Ch, o.To)
			case "receive":
				v, ok := shadow.Receive2(o.Ch)
				if shadow.Busy == 0 || !shadow.Unwinding() {
					m.Value = v
					if !ok {
						m.Value = -1
					}
				}
			case "receive1":
				v := shadow.Receive(o.Ch)
				if shadow.Busy == 0 || !shadow.Unwinding() {
					m.Value = v
				}
			case "select":
			again:
				stop := shadow.Blocking()
				if shadow.Busy == 0 || !shadow.Unwinding() {
					select {
					case m.Value = <-o.Ch:
						m.Count++
					case o.Ch2 <- m.Count:
						m.Value = -2
					case <-stop:
						if !shadow.Interrupted() {
							goto again
						}
					}
				}
			case "lock":
				shadow.Lock(o.Mutex)
			case "wlock":
				shadow.Lock(o.RW)
			case "rlock":
				shadow.RLock(o.RW)
			case "wait":
				shadow.Wait(o.Group)
			case "condwait":
				shadow.CondWait(o.Cond)
			case "sleep":
				blocking.Sleep(o.D)
			case "go":
				shadow.Go(o.M.call)
			case "gowait":
				shadow.GoWait(o.Group, o.M.call)
			case "afterfunc":
				o.Timer = blocking.AfterFunc(o.D, o.M.call)
			case "tick":
				shadow.Receive(o.Ticks())
			default:
				m.rest(o)
			}
			if shadow.Busy != 0 && shadow.Unwinding() {
				shadow.Push(&machine_frame{At: 1, m: m})
				return
			}
		}
		m.PC++
	}
	m.PC = 0
}

// plain executes an operation as the language does.
func (m *machine) plain(o *op) {
	switch o.Do {
	case "checkpoint":
	case "call":
		o.M.call()
	case "send":
		o.Ch <- o.To
	case "receive", "receive1":
		v, ok := <-o.Ch
		m.Value = v
		if !ok && o.Do == "receive" {
			m.Value = -1
		}
	case "select":
		select {
		case m.Value = <-o.Ch:
			m.Count++
		case o.Ch2 <- m.Count:
			m.Value = -2
		}
	case "lock":
		o.Mutex.Lock()
	case "wlock":
		o.RW.Lock()
	case "rlock":
		o.RW.RLock()
	case "wait":
		o.Group.Wait()
	case "condwait":
		o.Cond.Wait()
	case "sleep":
		time.Sleep(o.D)
	case "go":
		go o.M.call()
	case "gowait":
		o.Group.Go(o.M.call)
	case "afterfunc":
		o.Timer = time.AfterFunc(o.D, o.M.call)
	case "tick":
		<-o.Ticks()
	default:
		m.rest(o)
	}
}

// rest executes an operation at which no checkpoint is taken.
func (m *machine) rest(o *op) {
	switch o.Do {
	case "print":
		fmt.Println(m.Name, o.Text, m.Value)
	case "say":
		fmt.Println(m.Name, o.Text)
	case "note":
		notes.Lock()
		noted = append(noted, fmt.Sprint(m.Name, " ", o.Text, " ", m.Value))
		notes.Unlock()
	case "notes":
		notes.Lock()
		slices.Sort(noted)
		fmt.Println(len(noted), noted)
		noted = nil
		notes.Unlock()
	case "unlock":
		o.Mutex.Unlock()
	case "wunlock":
		o.RW.Unlock()
	case "runlock":
		o.RW.RUnlock()
	case "add":
		o.Group.Add(o.To)
	case "done":
		o.Group.Done()
	case "signal":
		o.Cond.Signal()
	case "broadcast":
		o.Cond.Broadcast()
	case "external":
		go receiveOutside()
	case "pipe":
		go readPipe()
	case "read":
		fmt.Scan(&m.Value)
	case "outside":
		outside <- o.To
	case "close":
		close(o.Ch)
	case "set":
		m.Count = o.To
	case "loop": // back to To until Count is 0
		if m.Count--; m.Count > 0 {
			m.PC = o.To - 1
		}
	case "sum":
		total += m.Value
	case "total":
		fmt.Println(m.Name, "total", total)
	case "unless": // jumps unless the last value is negative
		if m.Value != -1 {
			m.PC = o.To - 1
		}
	case "jump":
		m.PC = o.To - 1
	case "end":
		m.PC = len(m.Ops) - 1
	case "spin": // no opportunity for a checkpoint
		for began := time.Now(); time.Since(began) < o.D; {
		}
	case "sort": // what it calls can't be saved
		slices.SortFunc([]int{2, 1}, func(a, b int) int { o.M.call(); return a - b })
	case "panic":
		panic(o.Text)
	case "goexit":
		runtime.Goexit()
	case "clock":
		clock = time.Now()
	case "elapsed": // between D and, as other processes run as well, much more
		if d := time.Since(clock.Round(0)); d < o.D || d > 10*o.D {
			fmt.Println("elapsed", d)
		}
	case "settle":
		settled()
	case "timer":
		o.M.Timer = time.NewTimer(o.D)
	case "ticker":
		o.M.Ticker = time.NewTicker(o.D)
	case "after":
		o.M.After = time.After(o.D)
	case "stoptimer":
		fmt.Println("stopped", m.Ops[o.To].Timer.Stop())
	case "goroutines":
		for range 100 {
			if runtime.NumGoroutine() <= o.To {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if n := runtime.NumGoroutine(); n > o.To {
			fmt.Println("goroutines", n)
		}
	case "memory":
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		if m.Value > 0 && s.HeapAlloc > uint64(2*m.Value) {
			fmt.Println("memory", m.Value, s.HeapAlloc)
		}
		m.Value = int(s.HeapAlloc)
	default:
		panic("unknown operation " + o.Do)
	}
}

// readPipe is called by a goroutine that is no part of checkpoints, and does what package blocking
// does not know: it waits for the standard input, and hands it on.
func readPipe() {
	var v int
	fmt.Scan(&v)
	outside <- v
}

// receiveOutside is called by a goroutine that is no part of checkpoints.
func receiveOutside() {
	for v := range outside {
		fmt.Println("outside", v)
	}
}

var (
	notes sync.Mutex
	noted []string
	total int
	clock time.Time
	top   *machine
)

type program_frame struct{ At int }

func (fr *program_frame) ResumePoint() (*shadow.Function, int) { return program_function, fr.At }

func program() {
	if shadow.Busy != 0 {
		if _, ok := shadow.Enter(program_function).(*program_frame); ok {
			goto resume1
		}
	}
	top = scenarios[os.Args[1]]()
resume1:
	top.call()
	if shadow.Busy != 0 && shadow.Unwinding() {
		shadow.Push(&program_frame{At: 1})
		return
	}
	fmt.Println("end")
}

func main() {
	if plain {
		program()
		return
	}
	ckp.Main(program)
}

var (
	machine_function = &shadow.Function{Description: &shadow.Description{Name: "main.(*machine).call", File: "example.org/goroutines/machine.go", Line: 60, Fingerprint: "m", Points: []shadow.Point{{Line: 70, Call: "step"}}}}
	program_function = &shadow.Function{Description: &shadow.Description{Name: "main.program", File: "example.org/goroutines/machine.go", Line: 270, Fingerprint: "p", Points: []shadow.Point{{Line: 277, Call: "top.call"}}}}
)

// atInit is where a goroutine waits that package initialisation has started.
var atInit chan int

// unsavable is nil if checkpoints are not to fail.
var unsavable func()

// outside is where one waits that is no part of checkpoints.
var outside chan int

func init() {
	if len(os.Args) > 1 && os.Args[1] == "init" {
		atInit = make(chan int)
		m := &machine{Name: "init", Ops: list(receive(atInit), print("got"), checkpoint, send(atInit, 5), op{Do: "jump"})}
		if plain {
			go m.call()
		} else {
			shadow.Go(m.call)
		}
	}
	outside = make(chan int, 1)
	if n := 0; os.Getenv("GOROUTINES_UNSAVABLE") != "" {
		unsavable = func() { n++ }
	}
	shadow.Register(&shadow.Package{
		Path:      "main",
		Functions: []*shadow.Function{machine_function, program_function},
		Globals: []shadow.Global{
			{Name: "main.notes", Ptr: &notes},
			{Name: "main.noted", Ptr: &noted},
			{Name: "main.total", Ptr: &total},
			{Name: "main.clock", Ptr: &clock},
			{Name: "main.top", Ptr: &top},
			{Name: "main.atInit", Ptr: &atInit},
			{Name: "main.outside", Ptr: &outside},
			{Name: "main.unsavable", Ptr: &unsavable},
		},
		External: []shadow.Launch{{File: "example.org/goroutines/machine.go", Line: 234}, {File: "example.org/goroutines/machine.go", Line: 236}},
		Envs:     []any{(*machine)(nil)},
		Alone:    len(os.Args) > 1 && alone[os.Args[1]],
	})
}

package testing

import (
	"internal/race"
	"os"
	"reflect"
	"runtime"
	"strings"
	"time"
)

// Added:

// off reports whether there are no checkpoints.
//
//ckp:off
func off() bool { return true }

// CkpgenStart, if not nil, is what the runtime of checkpoints runs the tests with: below it, all
// can be saved. It returns false if it has been called before.
var CkpgenStart func(program func()) bool

// CkpgenBubble, if not nil, is called when a bubble of testing/synctest begins to run, with 1, and
// with -1 when it has ended. None of its goroutines are part of checkpoints.
var CkpgenBubble func(delta int)

// CkpgenMeasuring, if not nil, is called when a measurement of allocations begins, with 1, and with
// -1 when it has ended. No checkpoint is taken meanwhile.
var CkpgenMeasuring func(delta int)

// ckpgenMeasure notes that there is one measurement more or less.
//
//ckp:asis
func ckpgenMeasure(delta int) {
	ckpgenProcess.measurements += delta
	if CkpgenMeasuring != nil {
		CkpgenMeasuring(delta)
	}
}

// ckpgenStarted runs the tests of m below CkpgenStart, and reports whether it has.
func (m *M) ckpgenStarted() bool {
	return CkpgenStart != nil && CkpgenStart(func() { m.Run() })
}

// ckpgenExit is the last exit code that Run has returned.
var ckpgenExit int

// CkpgenEnd gives m the exit code of the tests that have run. In a process that goes on from a
// checkpoint another M has run them.
func (m *M) CkpgenEnd() { m.exitCode = ckpgenExit }

// ckpgenProcess is what the tests have made of their process, and find out of it.
var ckpgenProcess struct {
	procs        int
	panics       *M // what has os.Exit(0) panic; nil if it does not
	races        int
	counted      allocations
	measurements int // that go on
}

type allocations struct{ mallocs, bytes uint64 }

// ckpgenRaces are the races that were found in the processes before this one.
var ckpgenRaces int

// ckpgenCounted is what was allocated before this process.
var ckpgenCounted allocations

// readMemStats gets the statistics, with what was allocated in all processes.
//
//ckp:asis
func readMemStats(m *runtime.MemStats) {
	runtime.ReadMemStats(m)
	m.Mallocs += ckpgenCounted.mallocs
	m.TotalAlloc += ckpgenCounted.bytes
}

func racesFound() int { return ckpgenRaces + race.Errors() }

// CkpgenNote brings ckpgenProcess up to date. It is called before each checkpoint.
//
//ckp:asis
func CkpgenNote() {
	ckpgenProcess.procs = runtime.GOMAXPROCS(0)
	ckpgenProcess.races = racesFound()
	var m runtime.MemStats
	readMemStats(&m)
	ckpgenProcess.counted = allocations{m.Mallocs, m.TotalAlloc}
}

// CkpgenResume makes a process that goes on from a checkpoint what the one before was.
//
//ckp:asis
func CkpgenResume() {
	if procs := ckpgenProcess.procs; procs != runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(procs)
	}
	if m := ckpgenProcess.panics; m != nil {
		m.deps.SetPanicOnExit0(true)
	}
	ckpgenRaces = ckpgenProcess.races
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := ckpgenProcess.counted
	ckpgenCounted = allocations{before.mallocs - m.Mallocs, before.bytes - m.TotalAlloc}
	if n := ckpgenProcess.measurements; n != 0 {
		CkpgenMeasuring(n)
	}
}

// textStart is the address of some function. Code may be elsewhere in the next process, but not at
// another distance from it.
//
//ckp:asis
func textStart() uintptr { return reflect.ValueOf(fmtDuration).Pointer() }

// fromText makes return addresses distances.
//
//ckp:asis
func fromText(pcs []uintptr) []uintptr {
	for i := range pcs {
		pcs[i] -= textStart()
	}
	return pcs
}

// inText makes distances return addresses.
//
//ckp:asis
func inText(pcs []uintptr) []uintptr {
	addresses := make([]uintptr, len(pcs))
	for i := range pcs {
		addresses[i] = pcs[i] + textStart()
	}
	return addresses
}

// runExampleToFile is runExample with a file where that has a pipe, which can't be saved.
func runExampleToFile(eg InternalExample) (ok bool) {
	if chatty.on {
		fmt.Printf("%s=== RUN   %s\n", chatty.prefix(), eg.Name)
	}
	stdout := os.Stdout
	w, err := os.CreateTemp("", "example")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout = w
	finished := false
	start := time.Now()
	defer func() {
		timeSpent := time.Since(start)
		w.Close()
		os.Stdout = stdout
		var out strings.Builder
		if text, err := os.ReadFile(w.Name()); err != nil {
			fmt.Fprintf(os.Stderr, "testing: reading the output of an example: %v\n", err)
			os.Exit(1)
		} else {
			out.Write(text)
		}
		os.Remove(w.Name())
		err := recover()
		ok = eg.processRunResult(out.String(), timeSpent, finished, err)
	}()
	eg.F()
	finished = true
	return
}

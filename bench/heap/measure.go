package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A cost is what one operation took.
type cost struct {
	clock, processor time.Duration // processor: of all threads, collecting garbage included
	allocs           uint64
	peak             int64 // bytes of memory beyond what there was before
}

// measure runs an operation once, from a clean state.
func measure(f func() error) (c cost, err error) {
	runtime.GC()
	debug.FreeOSMemory()
	before := resident("VmRSS:")
	forgetPeak()
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	p0, t0 := processorTime(), time.Now()
	err = f()
	c.clock, c.processor = time.Since(t0), processorTime()-p0
	runtime.ReadMemStats(&m1)
	c.allocs = m1.Mallocs - m0.Mallocs
	c.peak = max(0, resident("VmHWM:")-before)
	return c, err
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// forgetPeak lets the peak of resident memory begin anew.
func forgetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// resident returns a line of the memory statistics of the process, in bytes; 0 where there are
// none.
func resident(line string) int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for l := range bytes.Lines(b) {
		if rest, ok := strings.CutPrefix(string(l), line); ok {
			n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return n << 10
		}
	}
	return 0
}

// load is the load average of the machine, which tells how much else goes on.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "not known"
	}
	return fmt.Sprint(strings.Join(strings.Fields(string(b))[:2], ", "))
}

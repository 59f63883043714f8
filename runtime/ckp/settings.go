package ckp

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
)

// settings are limits of Go's runtime that the program has set. A field is nil if it has the value
// that the process began with.
type settings struct {
	GCPercent   *int   // see debug.SetGCPercent
	MemoryLimit *int64 // bytes
	MaxStack    *int   // bytes
	MaxThreads  *int
}

// limits are the values of all of them.
type limits struct {
	gcPercent   int
	memoryLimit int64
	maxStack    int
	maxThreads  int
}

// currentLimits asks for them, but for the first. Two can only be had by setting them, to something
// that does not limit what goes on meanwhile.
func currentLimits() (l limits) {
	l.memoryLimit = debug.SetMemoryLimit(-1)
	l.maxStack = debug.SetMaxStack(math.MaxInt)
	debug.SetMaxStack(l.maxStack)
	l.maxThreads = debug.SetMaxThreads(math.MaxInt32)
	debug.SetMaxThreads(l.maxThreads)
	return l
}

var startLimits = limitsAtStart()

// limitsAtStart returns those that the process begins with.
func limitsAtStart() limits {
	l := currentLimits()
	l.gcPercent = 100
	if s := os.Getenv("GOGC"); s == "off" {
		l.gcPercent = -1
	} else if n, err := strconv.ParseInt(s, 10, 32); err == nil {
		l.gcPercent = max(int(n), -1)
	}
	return l
}

// gcPercent asks for the first by keeping collections from beginning, as a capture does next. It is
// in package runtime/metrics, too, but that makes hundreds of objects when it is initialised, in each
// process.
func gcPercent() int {
	percent := debug.SetGCPercent(-1)
	debug.SetGCPercent(percent)
	return percent
}

// note returns what is to be saved now; s is what the process before this one has left.
func (s *settings) note() *settings {
	now := currentLimits()
	now.gcPercent = gcPercent()
	if s == nil {
		s = &settings{}
	}
	next := &settings{
		GCPercent:   changed(now.gcPercent, startLimits.gcPercent, s.GCPercent),
		MemoryLimit: changed(now.memoryLimit, startLimits.memoryLimit, s.MemoryLimit),
		MaxStack:    changed(now.maxStack, startLimits.maxStack, s.MaxStack),
		MaxThreads:  changed(now.maxThreads, startLimits.maxThreads, s.MaxThreads),
	}
	if *next == (settings{}) {
		return nil
	}
	return next
}

// changed returns the value if it is not that of the start, or if a process before this one had set
// it.
func changed[T comparable](now, start T, before *T) *T {
	if now == start && before == nil {
		return nil
	}
	return &now
}

// apply sets in this process what was set in the one before. It does so before anything of the
// program runs.
func (s *settings) apply() {
	if s == nil {
		return
	}
	if s.GCPercent != nil {
		debug.SetGCPercent(*s.GCPercent)
	}
	if s.MemoryLimit != nil {
		debug.SetMemoryLimit(*s.MemoryLimit)
	}
	if s.MaxStack != nil {
		debug.SetMaxStack(*s.MaxStack)
	}
	if s.MaxThreads != nil {
		debug.SetMaxThreads(*s.MaxThreads)
	}
}

// Package visits counts how often a program comes to places in it, and when. The command "ckpgen
// measure" adds counters to a program that is built with nothing else, runs it, and chooses from
// what they tell where polls are to be.
//
// Time is divided into windows of ten milliseconds or a little more. A site notes each window in
// which it is visited, at the first visit: any other costs an addition and a comparison. For each
// window is noted which goroutine came by first. There is one processor for all goroutines while a
// program is measured (GOMAXPROCS is 1), and a goroutine that computes keeps it for as long as a
// window, so that windows tell what each goroutine does for itself.
//
// Of a loop is also noted in how many windows one execution of it begins iterations, at most. That
// is how long it lasts, as far as it does not wait and its iterations do not last long themselves.
package visits

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Variable is the name of the environment variable with the file that is written.
const Variable = "CKP_VISITS"

// Window is the least length of a window.
const Window = 10 * time.Millisecond

// A Site is a place that is counted. The zero value is one that was never visited. Visits by
// several goroutines at once may get lost.
type Site struct {
	visits  uint64
	window  uint32 // that of the last visit, from 1
	longest uint32 // execution of a loop, in windows
	spans   []span
	stack   []uint64 // a bit for each element of pcs
}

// An Execution is one of a loop that is a Site. The zero value is one that has not begun.
type Execution struct {
	window uint32 // that of the last iteration
	count  uint32 // windows in which iterations began
}

// A span is windows without a gap, from the first to the last.
type span struct{ from, to uint32 }

// A window is when it began, since the program did, and the goroutine that came by first, 0 if none
// did.
type window struct {
	begin     time.Duration
	goroutine uint64
}

type table struct {
	path  string
	sites []Site
	names string
}

var (
	current uint32 = 1 // number of the window
	start          = time.Now()

	mutex   sync.Mutex // guards what follows, and what a Site has besides its number of visits
	windows = []window{{}, {}}
	tables  []table
)

// Visit counts a visit.
func (s *Site) Visit() {
	s.visits++
	if s.window != current {
		s.first()
	}
}

// Iterate counts the beginning of an iteration.
func (s *Site) Iterate(x *Execution) {
	s.visits++
	if now := current; x.window != now || s.window != now {
		s.next(x)
	}
}

// next notes the first iteration of an execution in a window.
func (s *Site) next(x *Execution) {
	if now := current; x.window != now {
		x.window = now
		x.count++
		s.longest = max(s.longest, x.count)
	}
	if s.window != current {
		s.first()
	}
}

// first notes the first visit in a window.
func (s *Site) first() {
	mutex.Lock()
	defer mutex.Unlock()
	now := current
	s.window = now
	if windows[now].goroutine == 0 {
		windows[now].goroutine = goroutine()
	}
	if stacked {
		s.noteStack()
	}
	if n := len(s.spans); n > 0 && s.spans[n-1].to+1 >= now {
		s.spans[n-1].to = now
		return
	}
	s.spans = append(s.spans, span{now, now})
}

// goroutine returns the number of the calling goroutine, as traces have it.
func goroutine() uint64 {
	var buf [64]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	digits, _, _ := bytes.Cut(text, []byte(" "))
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		panic("ckpgen: a trace of this version of Go has no number of the goroutine: " + string(text))
	}
	return n
}

// Register makes the sites of a package known by its import path. Each has a line of names.
func Register(path string, sites []Site, names string) {
	mutex.Lock()
	defer mutex.Unlock()
	tables = append(tables, table{path, sites, names})
}

func init() {
	name := os.Getenv(Variable)
	if name == "" {
		return
	}
	stacked = os.Getenv(StacksVariable) != ""
	os.Unsetenv(Variable) // it is not for processes that the program starts
	os.Unsetenv(StacksVariable)
	file = name
	runtime.GOMAXPROCS(1)
	go watch()
}

// file is where it is written, "" if nowhere.
var file string

// watch begins windows, and writes the file again whenever a tenth of the time since the start has
// passed: a program need not come to its end.
func watch() {
	var written time.Duration
	for {
		time.Sleep(Window)
		now := time.Since(start)
		mutex.Lock()
		windows = append(windows, window{begin: now})
		current++
		if walked = 0; stacked {
			noteWaiting(now)
		}
		mutex.Unlock()
		if now > written+written/10 && now-written > 5*Window {
			Write()
			written = now
		}
	}
}

// Write writes what was counted up to now. If that fails, standard error says so and the process
// ends with status 1.
func Write() {
	mutex.Lock()
	defer mutex.Unlock()
	if file == "" {
		return
	}
	if err := write(); err != nil {
		fmt.Fprintf(os.Stderr, "ckpgen: what was measured can't be written: %v\n", err)
		os.Exit(1)
	}
}

// write writes the file: a line for the end, one a window, one a site that was visited, and those
// of stacks.
//
//	end NANOSECONDS
//	window NANOSECONDS GOROUTINE
//	site VISITS LONGEST FIRST-LAST,... PATH NAME
func write() error {
	f, err := os.Create(file + ".new")
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	fmt.Fprintf(w, "end %d\n", time.Since(start))
	for _, x := range windows[1:] {
		fmt.Fprintf(w, "window %d %d\n", x.begin, x.goroutine)
	}
	for _, t := range tables {
		names := strings.Split(t.names, "\n")
		for i := range t.sites {
			s := &t.sites[i]
			if s.visits == 0 {
				continue
			}
			fmt.Fprintf(w, "site %d %d ", s.visits, s.longest)
			for k, p := range s.spans {
				if k > 0 {
					w.WriteByte(',')
				}
				fmt.Fprintf(w, "%d-%d", p.from, p.to)
			}
			fmt.Fprintf(w, " %s %s\n", t.path, names[i])
		}
	}
	writeStacks(w)
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

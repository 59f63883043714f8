package visits

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// StacksVariable is the name of the environment variable that has stacks noted, too, if it is not
// empty: which calls are on them at the first visit to a site in a window, and which are on those
// of goroutines that wait when a window begins.
//
// A stack is walked for a fifth of the time at most, those of all goroutines for a twentieth. In a
// window with so many sites that it is not enough, the last of them do without.
const StacksVariable = "CKP_VISITS_STACKS"

const (
	walksInWindow  = Window / 5
	partOfWaits    = 20
	deepestStack   = 1 << 17
	longestListing = 64 << 20 // bytes of a trace of all goroutines
)

// A call is where a function on a stack is executed.
type call struct {
	function, file string
	line           int
}

// All are guarded by mutex.
var (
	stacked bool // whether stacks are noted
	walked  time.Duration
	listed  time.Duration
	pcs     []uintptr               // all that were on a stack
	numbers = make(map[uintptr]int) // of them
	walk    = make([]uintptr, 1024)
	listing []byte
	waiting = make(map[call]bool)
)

// noteStack notes what is on the stack of the calling goroutine.
func (s *Site) noteStack() {
	if walked > walksInWindow {
		return
	}
	begin := time.Now()
	n := runtime.Callers(0, walk)
	for n == len(walk) && n < deepestStack {
		walk = make([]uintptr, 2*n)
		n = runtime.Callers(0, walk)
	}
	for _, pc := range walk[:n] {
		i, known := numbers[pc]
		if !known {
			i = len(pcs)
			numbers[pc] = i
			pcs = append(pcs, pc)
		}
		for len(s.stack) <= i/64 {
			s.stack = append(s.stack, 0)
		}
		s.stack[i/64] |= 1 << (i % 64)
	}
	walked += time.Since(begin)
}

// noteWaiting notes what is on the stacks of goroutines that wait. The time is that since the
// start.
func noteWaiting(now time.Duration) {
	if listed > now/partOfWaits {
		return
	}
	begin := time.Now()
	if listing == nil {
		listing = make([]byte, 64<<10)
	}
	n := runtime.Stack(listing, true)
	for n == len(listing) && n < longestListing {
		listing = make([]byte, 2*n)
		n = runtime.Stack(listing, true)
	}
	for c := range waitingIn(listing[:n]) {
		waiting[c] = true
	}
	listed += time.Since(begin)
}

// waitingIn returns the calls of goroutines that wait in a trace of all goroutines:
//
//	goroutine 5 [chan receive, 2 minutes]:
//	main.(*queue).take(0xc000012120, {0x4b2f60, 0x3})
//		/src/queue.go:12 +0x25
//	created by main.main in goroutine 1
//		/src/main.go:9 +0x1d
func waitingIn(trace []byte) map[call]bool {
	found := make(map[call]bool)
	for text := range bytes.SplitSeq(trace, []byte("\n\n")) {
		lines := strings.Split(string(text), "\n")
		_, state, _ := strings.Cut(lines[0], "[")
		state, _, _ = strings.Cut(strings.TrimRight(state, "]:"), ",")
		if state == "running" || state == "runnable" {
			continue
		}
		for i := 1; i+1 < len(lines); i++ {
			at, indented := strings.CutPrefix(lines[i+1], "\t")
			end := strings.LastIndexByte(lines[i], '(')
			if !indented || end < 0 || strings.HasPrefix(lines[i], "created by ") {
				continue
			}
			at, _, _ = strings.Cut(at, " +0x")
			colon := strings.LastIndexByte(at, ':')
			if colon < 0 {
				continue
			}
			if line, err := strconv.Atoi(at[colon+1:]); err == nil {
				found[call{lines[i][:end], at[:colon], line}] = true
			}
		}
	}
	return found
}

// writeStacks writes a line a call, and lines that list them by their numbers, from 0 on: one a
// site, and one of goroutines that wait.
//
//	call LINE FUNCTION FILE
//	stack NUMBER,... PATH NAME
//	waiting NUMBER,...
func writeStacks(w *bufio.Writer) {
	if !stacked {
		return
	}
	known := make(map[call]int)
	number := func(c call) int {
		n, ok := known[c]
		if !ok {
			n = len(known)
			known[c] = n
			fmt.Fprintf(w, "call %d %s %s\n", c.line, c.function, c.file)
		}
		return n
	}
	calls := make([][]int, len(pcs)) // of each, as calls of functions may have been inlined
	for i, pc := range pcs {
		frames := runtime.CallersFrames([]uintptr{pc})
		for more := true; more; {
			var fr runtime.Frame
			if fr, more = frames.Next(); fr.Function != "" {
				calls[i] = append(calls[i], number(call{fr.Function, fr.File, fr.Line}))
			}
		}
	}
	list := func(set map[int]bool) string {
		var texts []string
		for _, n := range slices.Sorted(maps.Keys(set)) {
			texts = append(texts, strconv.Itoa(n))
		}
		return strings.Join(texts, ",")
	}
	for _, t := range tables {
		names := strings.Split(t.names, "\n")
		for i := range t.sites {
			set := make(map[int]bool)
			for k, word := range t.sites[i].stack {
				for bit := range 64 {
					if word&(1<<bit) != 0 {
						for _, n := range calls[64*k+bit] {
							set[n] = true
						}
					}
				}
			}
			if len(set) > 0 {
				fmt.Fprintf(w, "stack %s %s %s\n", list(set), t.path, names[i])
			}
		}
	}
	set := make(map[int]bool)
	for c := range waiting {
		set[number(c)] = true
	}
	if len(set) > 0 {
		fmt.Fprintf(w, "waiting %s\n", list(set))
	}
}

package ckp

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// ending is how long a goroutine that has done its work (and, say, called
// WaitGroup.Done) is given to disappear.
const ending = 20 * time.Millisecond

// otherGoroutines returns an error that names a goroutine which belongs to the
// program and is not part of checkpoints: it would be missing in a process that
// continues the checkpoint. external reports whether there are others that the program has declared
// not to be part of checkpoints.
func (r *run) otherGoroutines() (external bool, err error) {
	// What is running behind the program now was there when they were counted. If it has just
	// ended, the traces tell.
	if n := runtime.NumGoroutine(); n <= shadow.Count()+r.helpers() || r.behind.busy() && n <= shadow.Count()+r.helpers()+1 {
		return false, nil
	}
	deadline := time.Now().Add(ending)
	for wait := 50 * time.Microsecond; ; wait *= 2 {
		g, external := foreign(allStacks())
		if g == "" {
			return external, nil
		}
		if time.Now().After(deadline) {
			return external, fmt.Errorf("no checkpoint can be taken while other goroutines of the program run: %s; start them by code that ckpgen rewrites (with 'ckpgen build -auto=all' it is all of other modules, too), or put //ckp:external above the go statement of one that is not to be saved", g)
		}
		time.Sleep(wait)
	}
}

// helpers is the number of goroutines that have been started here and stay.
func (r *run) helpers() int {
	n := 0
	if r.signals != nil {
		n += 2 // ours, and that of package os/signal
	}
	if r.schedule.asks != nil {
		n++ // the watcher
	}
	return n
}

func allStacks() string {
	const perGoroutine = 1 << 10 // a guess: what does not fit is written again
	buf := make([]byte, max(64<<10, runtime.NumGoroutine()*perGoroutine))
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			return string(buf[:n])
		}
		buf = make([]byte, 2*len(buf))
	}
}

// A trace is a goroutine in the runtime's stack traces.
type trace struct {
	number uint64
	state  string
	calls  []call // innermost first
	by     call   // the go statement; main has none
}

// A call is a line of a trace.
type call struct {
	function string
	file     string
	line     int
}

// root returns the index of the call below which nothing is saved; -1 if there is none: the
// goroutine is parked, or no part of checkpoints.
func (t trace) root() int {
	for i := len(t.calls) - 1; i >= 0; i-- {
		if t.calls[i].function == rootCall {
			return i
		}
	}
	return -1
}

// outermost returns the function that the goroutine was started with.
func (t trace) outermost() string {
	if len(t.calls) == 0 {
		return ""
	}
	return t.calls[len(t.calls)-1].function
}

func (c call) String() string {
	if shadow.IsGenerated(c.file) { // where polls are
		return title(c.function)
	}
	return fmt.Sprintf("%s (%s:%d)", title(c.function), c.file, c.line)
}

// title returns what people know a function by.
func title(function string) string {
	if f := shadow.FunctionByName(function); f != nil {
		return f.String()
	}
	if pkg, outer, ok := literalIn(function); ok {
		return "a function literal of " + shadow.Readable(pkg) + outer
	}
	return shadow.Readable(function)
}

// literalIn takes the name of what is written for a function literal that is not part of
// checkpoints, but is started by one that is: main.(*work_closure1).call, one of its literals, or
// main.work_literal2. It returns the package, with a dot, and the function that the literal stands
// in. (Package regexp has tables that each program would have then, for this alone.)
func literalIn(function string) (pkg, outer string, ok bool) {
	for _, method := range []string{").call", ").fill.func1"} {
		if name, ok := strings.CutSuffix(function, method); ok {
			function = name
			break
		}
	}
	name := strings.TrimSuffix(function, "[...]")
	bare := strings.TrimRight(name, "0123456789")
	kind := max(strings.LastIndex(bare, "_closure"), strings.LastIndex(bare, "_literal"))
	if len(bare) == len(name) || kind < 0 || kind+len("_closure") != len(bare) {
		return "", "", false
	}
	dot := strings.LastIndexByte(bare[:kind], '.') + 1
	outer = strings.TrimPrefix(bare[dot:kind], "(*")
	return bare[:dot], outer, dot > 0 && outer != "" && !strings.ContainsAny(outer, "/()*[]")
}

// parseTraces parses the stack traces of all goroutines.
func parseTraces(stacks string) []trace {
	var list []trace
	for text := range strings.SplitSeq(stacks, "\n\n") {
		lines := strings.Split(text, "\n")
		t := parseHeader(lines[0])
		for i := 1; i+1 < len(lines); i += 2 {
			name := lines[i]
			if strings.HasPrefix(name, "...") {
				i-- // frames elided: a line of its own
				continue
			}
			c := call{}
			at, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
			if k := strings.LastIndexByte(at, ':'); k > 0 {
				c.file = at[:k]
				c.line, _ = strconv.Atoi(at[k+1:])
			}
			if creator, ok := strings.CutPrefix(name, "created by "); ok {
				c.function, _, _ = strings.Cut(creator, " in goroutine ")
				t.by = c
				continue
			}
			if k := strings.LastIndexByte(name, '('); k > 0 && name[:k] != "runtime.goexit" { // which is there before a goroutine has begun
				c.function = name[:k]
				t.calls = append(t.calls, c)
			}
		}
		list = append(list, t)
	}
	return list
}

// parseHeader parses "goroutine 12 [sync.Mutex.Lock, 3 minutes]:".
func parseHeader(line string) trace {
	var t trace
	number, state, _ := strings.Cut(strings.TrimPrefix(line, "goroutine "), " [")
	t.number, _ = strconv.ParseUint(number, 10, 64)
	state, _, _ = strings.Cut(state, "]")
	t.state, _, _ = strings.Cut(state, ",")
	return t
}

// goroutineStates returns the states of all goroutines by their numbers.
func goroutineStates(stacks string) map[uint64]string {
	states := make(map[uint64]string)
	for {
		header, _, _ := strings.Cut(stacks, "\n")
		t := parseHeader(header)
		states[t.number] = t.state
		_, rest, more := strings.Cut(stacks, "\n\n")
		if !more {
			return states
		}
		stacks = rest
	}
}

// Runtime names of package shadow.
const (
	rootCall = shadowPath + ".call"

	// In full, since they may be elsewhere than this package.
	shadowPath   = "github.com/ckpgen/ckpgen/runtime/ckp/shadow"
	blockingPath = "github.com/ckpgen/ckpgen/runtime/ckp/blocking"
)

// foreign finds a goroutine of the program in the stack traces of all that is not part of
// checkpoints, and says where it is. A goroutine is the program's if a
// function of the program started it or is on its stack. external reports whether there are
// goroutines that the program has declared not to be part of checkpoints.
func foreign(stacks string) (where string, external bool) {
	packages := make(map[string]bool)
	library := make(map[string]bool) // whoever is in a function of it need not be the program's
	declared := make(map[call]bool)
	for _, p := range shadow.Packages() {
		packages[p.Path] = !p.Standard
		library[p.Path] = p.Standard
		for _, l := range p.External {
			declared[call{file: filepath.Base(l.File), line: l.Line}] = true
		}
	}
	for i, t := range parseTraces(stacks) {
		path := packagePath(t.by.function)
		if i == 0 || t.by == (call{}) || path == shadowPath {
			continue
		}
		if declared[call{file: filepath.Base(t.by.file), line: t.by.line}] {
			external = true
			continue
		}
		where, own := t.where(library)
		if !own && !startedByProgram(path, packages) {
			continue
		}
		return where, external // without its number: the same reason is told once
	}
	return "", external
}

// where tells who has started a goroutine, and in which function of the program, if in any, it is.
// Those of library are nobody's.
func (t trace) where(library map[string]bool) (where string, own bool) {
	for _, c := range t.calls {
		if shadow.FunctionByName(c.function) != nil && !library[packagePath(c.function)] {
			where, own = "in "+c.String()+", ", true
			break
		}
	}
	if t.by == (call{}) { // one for finalizers and cleanups
		return where + "started by the runtime", own
	}
	return where + "started by " + t.by.String(), own
}

// packagePath returns the import path in the runtime name of a function.
func packagePath(function string) string {
	slash := strings.LastIndexByte(function, '/')
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return function
	}
	return shadow.Readable(function[:slash+1+dot])
}

const module = "github.com/ckpgen/ckpgen/"

// startedByProgram reports whether goroutines that a package starts are part
// of the program: those of instrumented packages and of their dependencies, not
// those of the standard library (a signal handler, a timer) nor ours.
func startedByProgram(path string, instrumented map[string]bool) bool {
	if instrumented[path] || path == "main" {
		return true
	}
	if rest, ok := strings.CutPrefix(path, module); ok {
		first, _, _ := strings.Cut(rest, "/")
		switch first {
		case "runtime", "heap", "bsp", "store", "detector", "launch":
			return false
		}
	}
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

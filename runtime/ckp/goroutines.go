package ckp

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// ending is how long a goroutine that has done its work (and, say, called
// WaitGroup.Done) is given to disappear.
const ending = 20 * time.Millisecond

// otherGoroutines returns an error that names a goroutine which belongs to the
// program and is not the calling one: it would be missing in a process that
// continues the checkpoint.
func otherGoroutines() error {
	if runtime.NumGoroutine() == 1 {
		return nil
	}
	deadline := time.Now().Add(ending)
	for wait := 50 * time.Microsecond; ; wait *= 2 {
		g := foreign(allStacks())
		if g == "" {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("no checkpoint can be taken while other goroutines of the program run: %s", g)
		}
		time.Sleep(wait)
	}
}

// goroutine returns the header of the calling goroutine's stack trace up to its
// number.
func goroutine() string {
	var buf [40]byte
	header, _, _ := strings.Cut(string(buf[:runtime.Stack(buf[:], false)]), " [")
	return header
}

func allStacks() []byte {
	buf := make([]byte, 64<<10)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			return buf[:n]
		}
		buf = make([]byte, 2*len(buf))
	}
}

// foreign finds a goroutine of the program in the stack traces of all, other
// than the first, and says where it is. A goroutine is the program's if a
// function of the program started it or is on its stack.
func foreign(stacks []byte) string {
	traces := bytes.Split(stacks, []byte("\n\n"))
	packages := make(map[string]bool)
	for _, p := range shadow.Packages() {
		packages[p.Path] = true
	}
	for _, trace := range traces[1:] {
		lines := strings.Split(string(trace), "\n")
		where := ""
		mine := false
		for i := 1; i < len(lines); i++ {
			line := lines[i]
			if strings.HasPrefix(line, "\t") || line == "" {
				continue
			}
			creator, created := strings.CutPrefix(line, "created by ")
			var name string
			if created {
				name, _, _ = strings.Cut(creator, " in goroutine ")
			} else if k := strings.LastIndexByte(line, '('); k > 0 {
				name = line[:k]
			}
			theirs := shadow.FunctionByName(name) != nil || created && startedByProgram(packagePath(name), packages)
			if theirs {
				mine = true
				if where == "" || created {
					where += describe(name, created, lines, i, where)
				}
			}
		}
		if mine {
			return where // without its number: the same reason is told once
		}
	}
	return ""
}

func describe(name string, created bool, lines []string, i int, before string) string {
	at := ""
	if i+1 < len(lines) {
		at = strings.TrimSpace(lines[i+1])
		at, _, _ = strings.Cut(at, " +0x")
	}
	s := "in " + name
	if created {
		s = "started by " + name
	}
	if before != "" {
		s = ", " + s
	}
	return s + " (" + at + ")"
}

// packagePath returns the import path in the runtime name of a function.
func packagePath(function string) string {
	slash := strings.LastIndexByte(function, '/')
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return function
	}
	// The runtime escapes dots in the last element.
	return strings.ReplaceAll(function[:slash+1+dot], "%2e", ".")
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

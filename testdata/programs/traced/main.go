// Traced keeps what the runtime tells of functions on its stack, as loggers and errors do.
package main

import (
	"fmt"
	"path"
	"runtime"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

type failure struct {
	text   string
	frames []runtime.Frame
	of     *runtime.Func
}

func (f *failure) Error() string {
	s := f.text
	for _, fr := range f.frames {
		s += fmt.Sprintf(" %s:%d %s %v", path.Base(fr.File), fr.Line, fr.Function, fr.Func == nil || fr.Func.Name() == fr.Function)
	}
	file, line := f.of.FileLine(f.of.Entry())
	return fmt.Sprint(s, " ", f.of.Name(), " ", path.Base(file), ":", line)
}

func fail(text string) error {
	pcs := make([]uintptr, 2)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	f := &failure{text: text}
	for {
		fr, more := frames.Next()
		f.frames = append(f.frames, fr)
		if !more {
			break
		}
	}
	f.of = f.frames[0].Func
	return f
}

//go:noinline
func dig(depth int) error {
	if depth == 0 {
		ckp.Checkpoint()
		return fail("rock")
	}
	err := dig(depth - 1)
	ckp.Checkpoint()
	if depth%2 == 0 {
		return err
	}
	return fmt.Errorf("%d: %w", depth, err)
}

type entry struct {
	message string
	caller  *runtime.Frame
}

//go:noinline
func log(message string) *entry {
	pcs := make([]uintptr, 1)
	runtime.Callers(2, pcs)
	fr, _ := runtime.CallersFrames(pcs).Next()
	e := &entry{message, &fr}
	ckp.Checkpoint()
	return e
}

// callers looks for its own activations on the stack, one after the other.
//
//go:noinline
func callers(depth int) (names []string) {
	if depth > 0 {
		return callers(depth - 1)
	}
	pcs := make([]uintptr, 20)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for more := true; more; {
		var fr runtime.Frame
		fr, more = frames.Next()
		ckp.Checkpoint()
		if fr.Function == "main.callers" {
			names = append(names, fmt.Sprint(fr.Function, " ", path.Base(fr.File), ":", fr.Line))
		}
	}
	return names
}

func main() {
	fmt.Println(callers(5))
	err := dig(3)
	ckp.Checkpoint()
	fmt.Println(err)
	calls := map[*runtime.Func]int{}
	var entries []*entry
	for i := range 4 {
		e := log(fmt.Sprint("message ", i))
		calls[e.caller.Func]++
		ckp.Checkpoint()
		entries = append(entries, e)
	}
	for _, e := range entries {
		fmt.Println(e.message, e.caller.Function, e.caller.Line, calls[e.caller.Func])
	}
	pc, _, _, _ := runtime.Caller(0)
	var of any = runtime.FuncForPC(pc)
	ckp.Checkpoint()
	fmt.Println(of.(*runtime.Func).Name(), of == any(runtime.FuncForPC(pc)), len(calls))
}

package heap

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

//go:noinline
func frameOfCaller() runtime.Frame {
	pcs := make([]uintptr, 1)
	fr, _ := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)]).Next()
	return fr
}

//go:noinline
func calling() runtime.Frame { return frameOfCaller() }

// TestDescribedFunctions saves what the runtime tells of functions, as loggers and errors keep it.
func TestDescribedFunctions(t *testing.T) {
	type holder struct {
		frames []runtime.Frame
		fn     *runtime.Func
		any    any
		value  reflect.Value
		byFunc map[*runtime.Func]int
		f      func() runtime.Frame
		none   *runtime.Func
	}
	fn := runtime.FuncForPC(reflect.ValueOf(calling).Pointer())
	h := &holder{frames: []runtime.Frame{calling(), frameOfCaller()}, fn: fn, any: fn, value: reflect.ValueOf(fn), byFunc: map[*runtime.Func]int{fn: 7}, f: calling}
	check(t, h.frames[0].Func == fn)
	b := *again(t, &h)
	check(t, b != h)
	check(t, b.fn == fn && b.any == any(fn) && b.value.Interface() == any(fn) && b.none == nil)
	equal(t, 7, b.byFunc[fn])
	for i, fr := range b.frames {
		was := h.frames[i]
		equal(t, was.PC, fr.PC)
		check(t, fr.Func == was.Func && fr.Entry == was.Entry)
		equal(t, []any{was.Function, was.File, was.Line}, []any{fr.Function, fr.File, fr.Line})
	}
	equal(t, fn.Name(), b.f().Function)
}

// restOf returns what is left of a walk along a stack.
func restOf(frames *runtime.Frames) []string {
	var l []string
	for more := true; more; {
		var fr runtime.Frame
		fr, more = frames.Next()
		l = append(l, fmt.Sprint(fr.Function, fr.File, fr.Line, fr.Entry, fr.PC, fr.Func != nil))
	}
	return l
}

// TestFrames saves walks along a stack, from each place that they can be at.
func TestFrames(t *testing.T) {
	pcs := make([]uintptr, 20)
	n := runtime.Callers(0, pcs)
	const more = 3 // than there are
	for done := range n + more {
		for _, callers := range [][]uintptr{pcs[:n], pcs[:min(n, done)], pcs[:0], nil} {
			type holder struct {
				f *runtime.Frames
				v runtime.Frames
			}
			h := &holder{f: runtime.CallersFrames(callers)}
			same := runtime.CallersFrames(callers)
			for range done {
				h.f.Next()
				same.Next()
			}
			rest := restOf(same)
			b := *again(t, &h)
			b2 := *again(t, &b)
			equal(t, rest, restOf(b.f))
			equal(t, rest, restOf(b2.f))
			equal(t, rest, restOf(h.f))
			equal(t, []string{"0 0 0 false"}, restOf(&b.v))
		}
	}
}

// TestDescribedInlined refuses what the runtime has made to tell of a call that was inlined, here
// or in a function that comes behind.
func TestDescribedInlined(t *testing.T) {
	pcs := make([]uintptr, 1)
	runtime.Callers(1, pcs)
	own := runtime.FuncForPC(pcs[0]).Entry()
	for pc := own; pc < own+1<<14; pc++ {
		fn := runtime.FuncForPC(pc)
		if base, _, _ := findObject(reflect.ValueOf(fn).Pointer(), 0, 0); base == 0 {
			continue
		}
		_, err := Capture([]Root{{"fn", &fn}}, Options{})
		check(t, err != nil && strings.Contains(err.Error(), "inlined"), err)
		return
	}
	t.Error("nothing was inlined")
}

package heap

import (
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

// TestDescribedInlined refuses what the runtime has made to tell of a call that was inlined, here or in a function that comes behind.
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

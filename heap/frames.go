package heap

import (
	"reflect"
	"runtime"
	"unsafe"
)

// A runtime.Frames has the program counters that it has yet to find the frames of, which belong to
// the process, and at most two frames ahead, whose files and lines it looks up when they are asked
// for. Its method Next works as well if all frames have been found and looked up, and no program
// counters are left. So a capture asks for all that are to come, and gives it those: that changes
// nothing for the program.

// frames is laid out as runtime.Frames is.
type frames struct {
	callers    []uintptr
	nextPC     uintptr
	frames     []runtime.Frame
	frameStore [2]runtime.Frame
}

var typeOfFrames = reflect.TypeFor[runtime.Frames]()

// framesKnown reports whether a runtime.Frames is laid out as this package has it.
func framesKnown() bool {
	known := reflect.TypeFor[frames]()
	if typeOfFrames.NumField() != known.NumField() {
		return false
	}
	for i := range known.NumField() {
		is, was := typeOfFrames.Field(i), known.Field(i)
		if is.Name != was.Name || is.Type != was.Type || is.Offset != was.Offset {
			return false
		}
	}
	return true
}

// findFrames finds all frames that are to come.
func findFrames(f *runtime.Frames) {
	var all []runtime.Frame
	for more := true; more; {
		var fr runtime.Frame
		if fr, more = f.Next(); fr.PC != 0 {
			all = append(all, fr)
		}
	}
	*(*frames)(unsafe.Pointer(f)) = frames{frames: all}
}

package heap

import (
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A child process is not taken along, but a program may keep the os.Process of one that has ended,
// or that it has released, as in an exec.Cmd. The handle that leads to such a process is given up:
// it is a number that package os does not look at any more, and the cleanup that would have closed
// it is stopped.

var typeOfProcess = reflect.TypeFor[os.Process]()

// processField reports whether a field of an os.Process is saved.
func processField(field string) bool { return field != "cleanup" }

// processesKnown tests how package os tells in an os.Process that it has ended, on this process.
var processesKnown = sync.OnceValue(func() bool {
	state, ok := typeOfProcess.FieldByName("state")
	if !ok || state.Type != reflect.TypeFor[atomic.Uint32]() {
		return false
	}
	p, err := os.FindProcess(os.Getpid())
	if err != nil {
		return false
	}
	alive := !processEnded(unsafe.Pointer(p))
	return p.Release() == nil && alive && processEnded(unsafe.Pointer(p))
})

// processEnded reports whether the os.Process at p has ended or was released, or is a zero one.
func processEnded(p unsafe.Pointer) bool {
	state, _ := typeOfProcess.FieldByName("state")
	return (*atomic.Uint32)(unsafe.Add(p, state.Offset)).Load() != 0 || isZero(p, typeOfProcess.Size())
}

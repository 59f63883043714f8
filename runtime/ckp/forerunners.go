package ckp

import (
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// Package initialisation may start goroutines. They are part of checkpoints as any others. In a
// process that continues one it has started them again, when main is entered, and those of the
// image take their place: they are stopped as for a checkpoint and then forgotten. Their deferred
// calls are not made; but what they did before they could be stopped has happened once more.

// forerunners are the goroutines that package initialisation has started, in a process that is to
// continue a checkpoint.
type forerunners struct {
	halted <-chan struct{} // closed when they stand still; nil: they run
}

// halt begins to stop them.
func (f *forerunners) halt() {
	if f.halted == nil {
		f.halted = shadow.Halt()
	}
}

// wait reports whether they stand still, which they are given some time for.
func (f *forerunners) wait(limit time.Duration) bool {
	select {
	case <-f.halted:
		return true
	default:
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-f.halted:
		return true
	case <-timer.C:
		return false
	}
}

// haltPatience is how long they are given. They have just begun: what a goroutine does once, and
// can't be stopped in, it did before the checkpoint, too.
const haltPatience = 10 * patience

// end stops them for good.
func (f *forerunners) end() error {
	f.halt()
	if !f.wait(haltPatience) {
		list, _ := obstinate(allStacks(), nil)
		return fmt.Errorf("these goroutines were started before main, and did not stop within %v, so that those of the checkpoint can't take their place: %s. Start them in main, or put //ckp:external above the go statements", haltPatience, list)
	}
	return dismiss()
}

// release lets them go on if no checkpoint was continued after all.
func (f *forerunners) release() {
	if f.halted != nil && !shadow.Adopted() {
		shadow.Release()
	}
	f.halted = nil
}

// dismiss ends the companions of goroutines that stand still and are going to be forgotten. One
// that waits for a lock in a package variable would remain in the queue of that, and get the lock
// when the program that is continued unlocks it. Nobody else moves, so what a blocked companion
// waits for is held by somebody who will never let it go, or by a companion that has it already.
func dismiss() error {
	for {
		if err := companionsAtRest(); err != nil {
			return err
		}
		freed := make(map[any]bool) // each once: who gets it has it only when all are at rest again
		for _, c := range shadow.Companions() {
			object := c.Object()
			if cond, ok := object.(*sync.Cond); ok && c.Signalled() {
				object = cond.L
			}
			if reflect.TypeOf(object) == typeOfRLocker {
				object = (*sync.RWMutex)(reflect.ValueOf(object).UnsafePointer())
			}
			switch object.(type) {
			case *sync.Mutex, *sync.RWMutex, *sync.WaitGroup, *sync.Cond: // not a lock of the program's own
				if !c.Over() && !freed[object] && free(object) {
					freed[object] = true
				}
			}
		}
		if len(freed) == 0 {
			return nil
		}
	}
}

// typeOfRLocker is the type of what the method RLocker of an RWMutex returns: the lock itself under
// another name.
var typeOfRLocker = reflect.TypeOf(new(sync.RWMutex).RLocker())

// free lets one at least go of those that wait for an object of package sync, if it is known how.
func free(object any) bool {
	switch o := object.(type) {
	case *sync.Mutex:
		o.Unlock()
	case *sync.RWMutex:
		// With a writer that waits for readers the number of these is here.
		waits := reflect.ValueOf(o).Elem().FieldByName("readerWait")
		if waits.Kind() == reflect.Struct {
			waits = waits.FieldByName("v")
		}
		switch {
		case waits.Kind() != reflect.Int32:
			return false
		case waits.Int() > 0:
			o.RUnlock()
		default:
			o.Unlock()
		}
	case *sync.WaitGroup:
		o.Done()
	case *sync.Cond:
		o.Broadcast()
	}
	return true
}

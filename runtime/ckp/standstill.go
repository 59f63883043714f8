package ckp

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// patience is how long all goroutines are given to come to where they can be stopped. If some wait
// for a mutex in code that can't stop there, they have it one after the other: they are given as
// long again while there are fewer of them each time.
const patience = time.Second

// politeness is how long those that wait for others are left where they wait, and can be found by
// who still runs.
const politeness = patience / 20

// standstill waits until all goroutines of the program stand still, and returns an error
// that names those that do not.
func (r *run) standstill() error {
	arrived := shadow.Arrivals()
	select {
	case <-arrived:
	default:
		// Only while it is waited for: a timer hides a deadlock of the program.
		limit, slow := time.NewTicker(patience), time.NewTimer(politeness)
		defer limit.Stop()
		defer slow.Stop()
		missing := shadow.Moving()
		for queue, here := math.MaxInt, false; !here; {
			select {
			case <-arrived:
				here = true
			case <-slow.C:
				shadow.Ask()
			case <-limit.C:
				before := missing
				if missing = shadow.Moving(); come(before, missing) {
					continue
				}
				stacks := allStacks()
				n := inQueues(stacks)
				if n >= queue || n == 0 && queue == math.MaxInt { // there is none, or it stands
					return moving(stacks)
				}
				queue = n
			}
		}
	}
	if err := companionsAtRest(); err != nil {
		return err
	}
	var err error
	r.external, err = r.otherGoroutines()
	return err
}

// many goroutines need more than patience to come, one after the other, although each comes as soon
// as it is its turn.
const many = 100

// come reports whether so many of the goroutines that were missing have come meanwhile that the
// others can be expected to: at least an eighth. With that the time is bounded if it is chance that
// lets them come, such as answers from the network.
func come(before, now int) bool { return before >= many && before-now >= before/8 }

// companionsAtRest waits until nothing happens any more to what goroutines wait for in
// package sync: a lock that was unlocked before all were parked may find
// its next owner only now. When all that wait are blocked at one moment, there is nobody left
// to wake them.
func companionsAtRest() error {
	deadline := time.Now().Add(patience)
	for wait := 20 * time.Microsecond; ; wait *= 2 {
		list := shadow.Companions()
		if len(list) == 0 {
			return nil
		}
		states := goroutineStates(allStacks())
		restless := ""
		for _, c := range list {
			state, exists := states[c.Number()]
			switch {
			case c.Over():
			case exists && blockedInSync[state]:
				c.SetSignalled(c.Kind == shadow.CondWaiting && state != shadow.CondWaiting.String())
			default:
				restless = fmt.Sprintf("%s (it is in state %q)", c.Kind, state)
			}
		}
		if restless == "" {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.New("no checkpoint can be taken while a goroutine is neither in nor out of " + restless)
		}
		time.Sleep(wait)
	}
}

// inQueues counts the goroutines of the program, in stack traces, that wait for a mutex.
func inQueues(stacks string) (n int) {
	for _, t := range parseTraces(stacks) {
		if t.root() > 0 && lockedOut[t.state] {
			n++
		}
	}
	return n
}

// lockedOut are the states of goroutines that wait for a mutex.
var lockedOut = map[string]bool{
	"sync.Mutex.Lock":    true,
	"sync.RWMutex.Lock":  true,
	"sync.RWMutex.RLock": true,
}

// blockedInSync are the states of goroutines that wait in package sync.
var blockedInSync = map[string]bool{
	"sync.Mutex.Lock":     true,
	"sync.RWMutex.Lock":   true,
	"sync.RWMutex.RLock":  true,
	"sync.WaitGroup.Wait": true,
	"sync.Cond.Wait":      true,
}

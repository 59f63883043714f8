package ckp

import (
	"os"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// The runtime of the language ends a program all of whose goroutines wait for each other. It does
// not if signals are watched, or a timer runs, as here for the interval. So the watcher does it:
// with the same message and exit status, and never without need.
//
// It looks when it is told that all goroutines of the program wait, none of them in time.Sleep, and
// nothing happens for a while. Stack traces show all goroutines at one moment. If each, also one
// that is not part of checkpoints, waits at a channel or in package sync, then only a timer or a
// signal could wake one. The precompiler knows if a program has such: code that is not ours and can
// run calls the functions of package time that make timers, or uses os/signal, or there is C
// ([shadow.Package.Alone]). In such a program nothing is looked for.
//
// Of a goroutine that waits where nothing is rewritten, for a mutex that no checkpoint finds
// locked, say, nobody tells. So it also looks from time to time, if the process has hardly used the
// processor since the last time.
//
// So what is not detected: deadlocks in programs that make timers or handle signals anywhere, also
// if these are over; and those of a part of the goroutines, as ever.

// unseen is a number of events that there never is.
const unseen = ^uint64(0)

// detectable reports whether goroutines that all wait do so for ever, if none of them sleeps.
func detectable() bool {
	for _, p := range shadow.Packages() {
		if p.Alone {
			return true
		}
	}
	return false
}

// exitDeadlock is what the runtime of the language exits with after a fatal error.
const exitDeadlock = 2

// deadlocked ends the process if all goroutines wait for ever. If not it returns the events up to
// which they do not.
func (r *run) deadlocked() (events uint64) {
	events, settled, forever := shadow.Idle()
	if settled && !forever {
		return events
	}
	time.Sleep(grace)
	if !settled {
		return unseen
	}
	began := time.Now()
	stacks := allStacks()
	after, _, still := shadow.Idle()
	if still = still && after == events; still {
		endIfAllSleep(stacks)
	}
	r.rest(began)
	if !still {
		return unseen
	}
	return events
}

// endIfAllSleep ends the process if all goroutines wait for others.
func endIfAllSleep(stacks string) {
	report, all := sleepers(stacks)
	if !all {
		return
	}
	message := "all goroutines are asleep"
	if report == "" {
		message = "no goroutines (main called runtime.Goexit)"
	}
	startStderr.WriteString("fatal error: " + message + " - deadlock!\n" + report)
	os.Exit(exitDeadlock)
}

// lookEvery is how often it is looked at whether the goroutines wait although nobody has told.
const lookEvery = time.Second

// lookAround ends the process if all goroutines wait for others, whether they have told or not. In
// a stack trace one that sleeps looks like one that waits, and while there is a stop so does one
// that goes on after it.
func (r *run) lookAround() {
	events, underway := shadow.Underway()
	if !underway {
		return
	}
	began := time.Now()
	stacks := allStacks()
	if after, underway := shadow.Underway(); underway && after == events {
		endIfAllSleep(stacks)
	}
	r.rest(began)
}

// rest waits a hundred times as long as it took to look at the stacks since began, whatever was
// found: the program stands still meanwhile, for a tenth of a second if there are some ten thousand
// goroutines. It ends at once when a checkpoint is wanted.
func (r *run) rest(began time.Time) {
	select {
	case <-time.After(100 * time.Since(began)):
	case <-r.schedule.asks:
		select {
		case r.schedule.asks <- struct{}{}:
		default:
		}
	}
}

// processorUse is the processor time of the process when it was last looked at.
type processorUse struct{ at time.Duration }

// still reports whether the process has done nothing to speak of since it was last asked.
func (u *processorUse) still() bool {
	const little = 5 * time.Millisecond
	before := u.at
	now, known := processorTime()
	u.at = now
	return known && now-before < little
}

// sleepers returns the traces of the program's goroutines, as they would be without us, and
// reports whether all goroutines that there are wait for others.
func sleepers(stacks string) (report string, all bool) {
	var b strings.Builder
	texts := strings.Split(strings.TrimRight(stacks, "\n"), "\n\n")
	for i, t := range parseTraces(stacks) {
		path := packagePath(t.by.function)
		switch {
		case i == 0: // the watcher itself
		case t.by.function == signalsCall && t.state == "select":
		case (t.outermost() == "os/signal.loop" || t.outermost() == "os/signal.ckpgenLoop") && t.state == "syscall":
		case !asleep[t.state]:
			return "", false
		case t.by.function == companionCall:
		case strings.HasPrefix(path, module) && path != shadowPath && !startedByProgram(path, nil):
			return "", false // ours, with work to do
		default:
			b.WriteString("\n" + ownTrace(t, texts[i]) + "\n")
		}
	}
	return b.String(), true
}

const (
	signalsCall   = module + "runtime/ckp.(*run).watchSignals"
	companionCall = shadowPath + ".accompany"
)

// ownTrace returns the trace of a goroutine as it would be if nothing had been rewritten: without
// the functions that begin it and without those that stand for an operation of the language.
func ownTrace(t trace, text string) string {
	root := t.root()
	if root < 0 {
		return text
	}
	operation := 0
	state := t.state
	for operation < root && isOperation(t.calls[operation].function) {
		if s := operationState(t.calls[operation].function); s != "" {
			state = s
		}
		operation++
	}
	lines := strings.Split(text, "\n")
	own := []string{strings.Replace(lines[0], "["+t.state, "["+state, 1)}
	calls := 0
	for i := 1; i+1 < len(lines); i += 2 {
		if strings.HasPrefix(lines[i], "...") {
			own = append(own, lines[i])
			i--
			continue
		}
		if calls++; calls > root {
			break
		}
		if calls > operation {
			own = append(own, lines[i], lines[i+1])
		}
	}
	return strings.Join(own, "\n")
}

// isOperation reports whether a function is one that generated code calls in place of
// an operation that waits.
func isOperation(function string) bool {
	path := packagePath(function)
	return path == shadowPath || path == blockingPath
}

// operationState is what the runtime of the language calls the state of a goroutine in the
// operation that a function of package shadow stands for.
func operationState(function string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(function, shadowPath+"."), "[")
	switch name {
	case "Send":
		return shadow.Sending.String()
	case "Receive", "Receive2":
		return shadow.Receiving.String()
	case "Lock", "LockAny":
		return shadow.Locking.String()
	case "RLock":
		return shadow.RLocking.String()
	case "Wait":
		return shadow.GroupWaiting.String()
	case "CondWait":
		return shadow.CondWaiting.String()
	}
	return ""
}

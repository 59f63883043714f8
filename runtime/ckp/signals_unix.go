//go:build unix

package ckp

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// The signals that are requests.
var watched = []os.Signal{syscall.SIGTERM, syscall.SIGUSR1}

// watchSignals makes requests of signals from now on.
func (r *run) watchSignals() {
	c := make(chan os.Signal, 4)
	r.signals, r.settled = c, make(chan chan bool)
	if first != nil {
		// A program that ends by itself when it is told to would do so in the checkpoint that is
		// taken, and in each process that goes on from it.
		first(func(s os.Signal) bool {
			if s != syscall.SIGTERM {
				return false
			}
			select {
			case c <- s:
			default:
			}
			return true
		})
	}
	signal.Notify(c, watched...)
	go func() {
		var last request
		for {
			select {
			case s := <-c:
				last = r.signalled(s, last)
				r.expect(last)
			case ack := <-r.settled:
				for len(c) > 0 {
					last = r.signalled(<-c, last)
				}
				close(ack)
			}
		}
	}()
}

// signalled makes a request of a signal that came after another one.
func (r *run) signalled(s os.Signal, last request) request {
	switch {
	case s != syscall.SIGTERM:
		r.schedule.request(SaveAndGoOn)
		if last.stops {
			return last
		}
	case !last.stops:
		r.schedule.request(SaveAndStop)
	case time.Since(last.at) < repetition:
		return last
	case r.config.launched: // it is the launcher's business
	case handOn(syscall.SIGTERM):
		r.schedule.end()
		say("SIGTERM again: the program is notified of it, and no more checkpoints are taken")
	default:
		r.die()
	}
	return request{name: signalName(s), at: time.Now(), stops: s == syscall.SIGTERM, committed: r.committed.Load()}
}

func signalName(s os.Signal) string {
	if s == syscall.SIGTERM {
		return "SIGTERM"
	}
	return "SIGUSR1"
}

// die ends the process as a program that does not handle SIGTERM is ended.
func (r *run) die() {
	say("SIGTERM again: the program ends at once, without another checkpoint" + r.wayOn())
	signal.Reset(syscall.SIGTERM)
	_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	time.Sleep(time.Second)
	os.Exit(128 + int(syscall.SIGTERM)) // it was ignored when the process was started
}

// wayOn tells what a start of the same command does now.
func (r *run) wayOn() string {
	if r.base == 0 && r.committed.Load() == r.config.committed {
		return ""
	}
	return "; the same command goes on from the last one"
}

// settleSignals returns when all signals that have arrived are requests.
func (r *run) settleSignals() {
	if r.signals == nil {
		return
	}
	// Stop waits until what has arrived is in the channels of all that are notified.
	other := make(chan os.Signal, 1)
	signal.Notify(other, watched...)
	signal.Stop(other)
	ack := make(chan bool)
	r.settled <- ack
	<-ack
}

// unwatchSignals gives the signals the meaning back that they had.
func (r *run) unwatchSignals() {
	if r.signals != nil {
		if first != nil {
			first(func(os.Signal) bool { return false })
		}
		signal.Stop(r.signals)
	}
}

// processorTime is the processor time that the process has used, as far as that is known.
func processorTime() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}

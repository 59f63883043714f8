//go:build unix

package ckp

import (
	"os"
	"os/signal"
	"syscall"
)

// The signals that are requests.
var watched = []os.Signal{syscall.SIGTERM, syscall.SIGUSR1}

// watchSignals makes requests of signals from now on.
func (r *run) watchSignals() {
	c := make(chan os.Signal, 4)
	r.signals, r.settled = c, make(chan chan bool)
	signal.Notify(c, watched...)
	go func() {
		for {
			select {
			case s := <-c:
				r.signalled(s)
			case ack := <-r.settled:
				for len(c) > 0 {
					r.signalled(<-c)
				}
				close(ack)
			}
		}
	}()
}

func (r *run) signalled(s os.Signal) {
	if s == syscall.SIGTERM {
		r.schedule.request(SaveAndStop)
	} else {
		r.schedule.request(Save)
	}
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
		signal.Stop(r.signals)
	}
}

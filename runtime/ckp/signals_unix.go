//go:build unix

package ckp

import (
	"os"
	"os/signal"
	"syscall"
)

// watchSignals makes requests of signals until the function it returns is
// called.
func (r *run) watchSignals() (stop func()) {
	c := make(chan os.Signal, 4)
	signal.Notify(c, syscall.SIGTERM, syscall.SIGUSR1)
	go func() {
		for s := range c {
			if s == syscall.SIGTERM {
				r.schedule.request(SaveAndStop)
			} else {
				r.schedule.request(Save)
			}
		}
	}()
	return func() { signal.Stop(c); close(c) }
}

package ckp

import (
	"testing"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// While a goroutine begins a checkpoint others that come to a poll go on: thousands of them would each ask for the stacks of all.
func TestPollWhileAnotherBegins(t *testing.T) {
	r := &run{schedule: schedule{interval: 1 << 60}}
	defer current.Store(current.Swap(r))
	defer shadow.Want(false)
	r.schedule.want(asked)
	r.beginning.Lock()
	done := make(chan bool)
	go func() {
		poll()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("a poll waits while another goroutine begins a checkpoint")
	}
	if r.schedule.reasons()&asked == 0 || !r.refusal.at.IsZero() {
		t.Error("the poll has decided that there can be no checkpoint")
	}
}

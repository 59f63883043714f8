package ckp

import (
	"testing"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// What the watcher rests for after a long look at the stacks does not keep it from a checkpoint
// that is wanted.
func TestRestEndsWhenWanted(t *testing.T) {
	r := &run{schedule: schedule{interval: 1 << 60, asks: make(chan struct{}, 1)}}
	defer shadow.Want(false)
	r.schedule.want(stop)
	began := time.Now()
	r.rest(began.Add(-time.Second))
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("rested for %v although a checkpoint was wanted", took)
	}
	select {
	case <-r.schedule.asks:
	default:
		t.Error("what is asked for is forgotten")
	}
}

// Nothing that is found in stacks lets the watcher look again at once.
func TestRest(t *testing.T) {
	r := &run{schedule: schedule{asks: make(chan struct{}, 1)}}
	began := time.Now()
	r.rest(began.Add(-time.Millisecond))
	if took := time.Since(began); took < 100*time.Millisecond {
		t.Errorf("rested for %v after a look of a millisecond", took)
	}
}

package ckp

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

// While a goroutine begins a checkpoint others that come to a poll go on: thousands of them would
// each ask for the stacks of all.
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
	if r.schedule.reasons()&asked == 0 || !r.missed.at.IsZero() {
		t.Error("the poll has decided that there can be no checkpoint")
	}
}

// One that is part of checkpoints and comes to a poll every few seconds must not find each time
// that the others have given up: they wait longer the next time.
func TestLeavesForLonger(t *testing.T) {
	r := &run{schedule: schedule{interval: 1 << 60}}
	refused := func(after time.Duration) bool {
		r.left.Store(time.Now().Add(-after).UnixNano())
		before := r.missed.at
		r.leave()
		return r.missed.at != before
	}
	require.False(t, refused(leaving/2))
	require.True(t, refused(leaving+time.Millisecond))
	require.False(t, refused(leaving+time.Millisecond))
	require.True(t, refused(2*leaving+time.Millisecond))
	require.False(t, refused(2*leaving+time.Millisecond))
	for range 10 {
		require.True(t, refused(mostLeaving+time.Millisecond))
	}
}

// The goroutines that call finalizers and cleanups are started by no go statement that a trace
// would tell of.
func TestWhereCleanupsAre(t *testing.T) {
	told := make(chan string, 1)
	runtime.AddCleanup(new([64]int), func(c chan string) {
		where, _ := parseTraces(string(debug.Stack()))[0].where(nil)
		c <- where
	}, told)
	runtime.GC()
	require.Equal(t, "started by the runtime", <-told)
}

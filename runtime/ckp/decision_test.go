package ckp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A stop that comes after the decision for a checkpoint is for the next one.
func TestStopAfterDecision(t *testing.T) {
	s := &schedule{interval: time.Hour}
	s.start()
	s.request(SaveAndGoOn)
	d := s.due()
	require.Equal(t, SaveAndGoOn, d)
	s.request(SaveAndStop)
	s.taken(d)
	s.start()
	require.True(t, s.stopping())
	d = s.due()
	require.Equal(t, SaveAndStop, d)
	s.taken(d)
	require.Equal(t, None, s.due())
}

// A stop that waits for the time of the next try is not forgotten when something else
// sets the timer, nor when another checkpoint is taken in the meantime.
func TestStopThatWaits(t *testing.T) {
	s := &schedule{interval: time.Hour}
	s.start()
	s.failed(SaveAndStop) // could not be written
	require.Equal(t, None, s.due())
	s.request(SaveAndGoOn)
	require.Equal(t, SaveAndGoOn, s.due())
	s.taken(SaveAndGoOn)
	s.start()
	require.Equal(t, SaveAndStop, s.due())

	s = &schedule{interval: time.Hour}
	s.request(SaveAndStop)
	s.refused(time.Minute)
	require.Equal(t, None, s.due())
	s.request(SaveAndGoOn)
	s.refused(time.Microsecond)
	require.Eventually(t, func() bool { return s.due() == SaveAndStop }, 10*time.Second, time.Millisecond)

	s = &schedule{torture: 1}
	s.request(SaveAndStop)
	s.refused(time.Hour)
	s.taken(SaveAndRestart)
	s.start()
	require.True(t, s.stopping())
}

// The interval that has passed is not asked for again after a refusal and a checkpoint.
func TestReasonsEnd(t *testing.T) {
	s := &schedule{}
	s.start()
	require.Equal(t, SaveAndGoOn, s.due())
	s.interval = time.Hour
	s.refused(time.Hour)
	s.request(SaveAndGoOn)
	s.taken(s.due())
	s.start()
	require.Equal(t, None, s.due())
}

// An interval that has passed while many goroutines were let go begins anew; other reasons stay.
func TestReleased(t *testing.T) {
	s := &schedule{interval: time.Microsecond}
	due := func() bool { return s.due() == SaveAndGoOn }
	s.start()
	require.Eventually(t, due, 10*time.Second, time.Millisecond)
	s.released(time.Nanosecond)
	require.True(t, due())
	s.released(time.Hour)
	require.Equal(t, None, s.due())
	s.request(SaveAndStop)
	require.Equal(t, SaveAndStop, s.due())
	s.taken(SaveAndGoOn)
	s.released(time.Millisecond)
	require.Equal(t, SaveAndStop, s.due())
	s.taken(SaveAndStop)
	require.Eventually(t, due, 10*time.Second, time.Millisecond)
}

package ckp

import (
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSetback(t *testing.T) {
	var s setback
	begin := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	var reminded []int // minutes
	for minute := range 300 {
		now := begin.Add(time.Duration(minute) * time.Minute)
		if minute != 17 {
			s.note("no space", now)
		}
		if s.reminds(now) {
			reminded = append(reminded, minute)
			require.False(t, s.reminds(now))
		}
	}
	require.Equal(t, []int{10, 20, 40, 80, 160}, reminded)
	require.Equal(t, 299, s.tries)

	s = setback{} // one has succeeded
	require.False(t, s.reminds(begin.Add(time.Hour)))
	s.note("once", begin)
	require.False(t, s.reminds(begin.Add(time.Hour)), "it was not tried again")
}

// In a job of several processes the first one reminds, and nobody else.
func TestRemindsInJob(t *testing.T) {
	agreed.Store(true)
	defer agreed.Store(false)
	out, w, err := os.Pipe()
	require.NoError(t, err)
	defer out.Close()
	defer func(f *os.File) { startStderr = f }(startStderr)
	startStderr = w
	for rank := range 2 {
		r := &run{config: configuration{rank: rank, size: 2, interval: time.Minute}}
		for range 3 {
			r.miss("no space", "checkpoint failed: no space", false, true)
		}
		r.tellOverdue(overdue{})
		r.setback.since = r.setback.since.Add(-remindAfter)
		r.tellOverdue(overdue{})
	}
	require.NoError(t, w.Close())
	told, err := io.ReadAll(out)
	require.NoError(t, err)
	require.Equal(t, "ckpgen: no checkpoint for 10m0s, in which 3 were tried; the last: checkpoint failed: no space\n", string(told))
}

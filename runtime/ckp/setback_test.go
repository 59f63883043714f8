package ckp

import (
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

package bsp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/bsp"
)

func init() {
	programs["plain"] = func() {
		bsp.Begin()
		bsp.Sync()
		bsp.End()
	}
}

// A launcher can't keep a program alive that was not instrumented. The program says so,
// once for the job.
func TestNotInstrumented(t *testing.T) {
	const told = "was not built with 'ckpgen build'"
	l := newLauncher(t, "plain", 2)
	for _, status := range l.live() {
		require.Zero(t, status, l.report())
	}
	require.Equal(t, 1, strings.Count(l.err.String(), told), l.report())
	succeed(t, "plain", 2) // without a launcher it says nothing
}

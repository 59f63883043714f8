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
// once for the job, unless the launcher has, to whoever asks for checkpoints.
func TestNotInstrumented(t *testing.T) {
	const told = "was not built with 'ckpgen build'"
	l := newLauncher(t, "plain", 2)
	for _, status := range l.live() {
		require.Zero(t, status, l.report())
	}
	require.Equal(t, 1, strings.Count(l.err.String(), told), l.report())
	l = newLauncher(t, "plain", 2, "CKP_PLAIN=1")
	l.live()
	require.NotContains(t, l.err.String(), told)
	succeed(t, "plain", 2) // nobody asks
	require.Contains(t, start(t, "plain", 1, "CKP_DIR="+t.TempDir()).wait()[0].err, told)
}

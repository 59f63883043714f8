package rewrite_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has garbage collected late, as the command has: most of what an analysis makes stays in
// use until it ends.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

package heap

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNamesOfFunctions compares the index of functions with what the entry point of each tells.
func TestNamesOfFunctions(t *testing.T) {
	x := functions()
	require.Greater(t, len(x.things), 1000)
	for _, f := range x.things {
		require.Equal(t, x.hash(functionName(f.thing)), f.hash, "%s", functionName(f.thing))
	}
}

package ckp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A swapper is rebuilt with its slice alone.
func TestSwapper(t *testing.T) {
	list := []string{"a", "b", "c"}
	sliceSwapper(list)(0, 2)
	require.Equal(t, []string{"c", "b", "a"}, list)
	rebuilt := &swapper{slice: list}
	rebuilt.swap(0, 1)
	rebuilt.swap(1, 2)
	require.Equal(t, []string{"b", "a", "c"}, list)
	require.Panics(t, func() { rebuilt.swap(0, 3) })
	require.Panics(t, func() { sliceSwapper(0) })
	require.Contains(t, options().Transient, madeSwap())
}

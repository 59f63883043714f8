package ckp

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/heap"
)

// TestDurable checks which files are synced for a checkpoint: those that may have been written
// since they were the last time.
func TestDurable(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	f, err := os.Create(name)
	require.NoError(t, err)
	defer f.Close()
	calls := 0
	var fails error
	d := durable{fsync: func(f *os.File) error {
		calls++
		require.NoError(t, f.Sync())
		return fails
	}}
	files := []heap.WrittenFile{{File: f, Path: name}}
	expect := func(n int, why string) {
		t.Helper()
		calls = 0
		require.NoError(t, d.sync(files))
		require.Equal(t, n, calls, why)
	}
	_, err = f.WriteString("x")
	require.NoError(t, err)
	expect(1, "it was written")
	expect(1, "it may have been written again within the resolution of its time")
	past := time.Now().Add(-time.Minute)
	require.NoError(t, os.Chtimes(name, past, past))
	expect(1, "its time has changed")
	expect(0, "nothing has happened")
	_, err = f.WriteString("y")
	require.NoError(t, err)
	expect(1, "it was written")

	fails = errors.New("no space")
	require.ErrorContains(t, d.sync(files), "file "+name+", which the program has open, can't be put on stable storage: no space")
	fails = nil

	// The program goes on while the checkpoint is written.
	require.NoError(t, f.Close())
	expect(1, "it is closed, and there")
	require.NoError(t, os.Remove(name))
	expect(0, "it is gone")
}

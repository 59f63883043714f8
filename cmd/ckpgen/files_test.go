//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSharedFile runs a job whose processes append to one file, and one of which dies in the midst
// of it. Each line is there once: what was written after the checkpoint is cut off before any of
// the new processes writes.
func TestSharedFile(t *testing.T) {
	ifLong(t)
	h := ready(t)
	dir := t.TempDir()
	binary := filepath.Join(dir, "sharedlog")
	build := exec.CommandContext(limited(t), h.ckpgen, "build", "-o", binary, "./cmd/ckpgen/testdata/sharedlog")
	build.Dir, build.Env = root(), h.environment()
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd := exec.CommandContext(limited(t), h.ckpgen, "run", "-n", "3", "--interval", "0s", "--dir", filepath.Join(dir, "job"), binary)
	cmd.Dir, cmd.Env = dir, h.environment()
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, 2, strings.Count(string(out), "restarting 3 processes from checkpoint"), "%s", out)
	var want []string
	for process := range 3 {
		for step := range 60 {
			for i := range 20 {
				want = append(want, fmt.Sprintf("process %d step %d line %d", process, step, i))
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "shared.log"))
	require.NoError(t, err)
	got := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	slices.Sort(want)
	slices.Sort(got)
	require.Equal(t, want, got)
}

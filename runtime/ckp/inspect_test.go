//go:build unix

package ckp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/runtime/ckp/inspect"
)

func TestInspect(t *testing.T) {
	dir := stopped(t, 20)
	require.Equal(t, 75, run(t, []string{"CKP_DIR=" + dir, "CKP_INTERVAL=0", "CKP_EXIT_AFTER=5"}, "walk").status)
	r, err := inspect.Open(dir, inspect.Options{})
	require.NoError(t, err)

	require.Len(t, r.Checkpoints, 2)
	require.EqualValues(t, 25, r.Checkpoints[0].Seq)
	require.Len(t, r.Incarnations, 2)
	require.EqualValues(t, 20, r.Incarnations[0].Base)
	require.EqualValues(t, 25, r.Shown)
	require.Len(t, r.Processes, 1)
	p := r.Processes[0]
	require.Empty(t, p.Problem)
	require.EqualValues(t, 25, p.Seq)
	require.Equal(t, 3, p.Functions)

	// In the 25th step the walk is in the right child of the root.
	require.Len(t, p.Stack, 4)
	require.Equal(t, "main.step", p.Stack[0].Function)
	require.Equal(t, 64, p.Stack[0].Line)
	require.Equal(t, "ckp.Checkpoint", p.Stack[0].Call)
	require.Equal(t, "main.program", p.Stack[3].Function)
	values := map[string]string{}
	for _, v := range p.Stack[1].Variables {
		values[v.Name] = v.Value
	}
	require.Equal(t, "1", values["depth"])
	require.Equal(t, "0", values["i"])
	require.Contains(t, values["t"], "key: 12")
	require.NotContains(t, values, "At")
	for _, v := range p.Variables {
		values[v.Name] = v.Value
	}
	require.Equal(t, "25", values["main.visits"])
	for _, entry := range []string{"0: 3", "1: 4", "2: 6", "3: 12"} {
		require.Contains(t, values["main.byDepth"], entry)
	}
	require.Equal(t, "main.node", p.Types[0].Type)
	require.Equal(t, 15, p.Types[0].Objects)

	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text))
	require.Contains(t, text.String(), "main.walk  example.org/walk/main.go:50 in the call of step")
	require.Contains(t, text.String(), "main.visits   int          = 25")
	b, err := json.Marshal(r)
	require.NoError(t, err)
	var back inspect.Report
	require.NoError(t, json.Unmarshal(b, &back))
	require.Equal(t, r.Processes, back.Processes)

	// The same of a checkpoint's directory, its manifest, one image.
	older := filepath.Join(dir, "ckpt-00000024.e00000002")
	for _, path := range []string{older, filepath.Join(older, "manifest.json"), filepath.Join(older, "rank-00000.img")} {
		r, err := inspect.Open(path, inspect.Options{})
		require.NoError(t, err, path)
		require.EqualValues(t, 24, r.Shown)
		require.Len(t, r.Processes, 1)
		require.Empty(t, r.Processes[0].Problem)
	}

	// Damage is shown, and the checkpoint before.
	flip(t, filepath.Join(dir, "ckpt-00000025.e00000002", "rank-00000.img"))
	r, err = inspect.Open(dir, inspect.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 24, r.Shown)
	require.Len(t, r.Damage, 1)
	require.Equal(t, "damaged", r.Checkpoints[0].State)
	require.Contains(t, r.Checkpoints[0].Fault, "checksum")
	require.Equal(t, "committed", r.Checkpoints[1].State)
	r, err = inspect.Open(dir, inspect.Options{Seq: 25})
	require.NoError(t, err)
	require.NotEmpty(t, r.Processes[0].Problem)
	require.Equal(t, "damaged", r.Checkpoints[0].State)
	require.NoError(t, r.WriteText(&text))

	_, err = inspect.Open(t.TempDir(), inspect.Options{})
	require.ErrorContains(t, err, "not a directory of checkpoints")
	junk := filepath.Join(t.TempDir(), "junk")
	require.NoError(t, os.WriteFile(junk, []byte("junk"), 0o666))
	_, err = inspect.Open(junk, inspect.Options{})
	require.Error(t, err)
}

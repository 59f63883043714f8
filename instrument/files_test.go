package instrument_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestKilledWriter kills a program that writes files again and again, wherever it is. What it has
// written in the end is there once.
func TestKilledWriter(t *testing.T) {
	root, command := built(t)
	bin := t.TempDir()
	binary := filepath.Join(bin, "logging")
	run(t, root, nil, command, "build", "-o", binary, "./instrument/testdata/logging")
	kills, continued, fellBack, damaged := 0, 0, false, false
	for {
		var stderr bytes.Buffer
		cmd := exec.Command(binary)
		cmd.Dir = bin
		cmd.Env = append(os.Environ(), "CKP_DIR="+filepath.Join(bin, "job"), "CKP_INTERVAL=20ms")
		cmd.Stderr = &stderr
		require.NoError(t, cmd.Start())
		timer := time.AfterFunc(time.Duration(200+37*kills)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		timer.Stop()
		if strings.Contains(stderr.String(), "continues checkpoint") {
			continued++
		}
		fellBack = fellBack || strings.Contains(stderr.String(), "falling back to checkpoint")
		if err == nil {
			break
		}
		require.False(t, cmd.ProcessState.Exited(), "%s", stderr.String())
		if kills++; kills >= 3 && !damaged {
			damaged = damageNewest(t, filepath.Join(bin, "job")) // the one before needs less of the files
		}
		require.Less(t, kills, 100)
	}
	require.Greater(t, continued, 3)
	require.True(t, fellBack)
	var want strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&want, "line %d\n", i)
	}
	for _, name := range []string{"direct.log", "buffered.log"} {
		got, err := os.ReadFile(filepath.Join(bin, name))
		require.NoError(t, err)
		require.Equal(t, want.String(), string(got), name)
	}
}

// damageNewest changes a byte of the newest checkpoint of a job of one process, if there is one
// before it.
func damageNewest(t *testing.T, job string) bool {
	manifests, err := filepath.Glob(filepath.Join(job, "ckpt-*", "manifest.json"))
	require.NoError(t, err)
	if len(manifests) < 2 {
		return false
	}
	parts, err := filepath.Glob(filepath.Join(filepath.Dir(slices.Max(manifests)), "rank-*.img"))
	require.NoError(t, err)
	require.Len(t, parts, 1)
	image, err := os.ReadFile(parts[0])
	require.NoError(t, err)
	image[len(image)/2] ^= 1
	require.NoError(t, os.WriteFile(parts[0], image, 0o666))
	return true
}

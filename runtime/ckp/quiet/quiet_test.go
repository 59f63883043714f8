//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package quiet

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProcesses runs a program that prints during its initialisation: the first process
// prints all, one that continues a checkpoint only what main prints, and a panic.
func TestProcesses(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "speaks")
	out, err := exec.Command("go", "build", "-o", binary, "./testdata/speaks").CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := func(env string, args ...string) (stdout, stderr string, status int) {
		cmd := exec.Command(binary, args...)
		cmd.Env = append(os.Environ(), env)
		var o, e bytes.Buffer
		cmd.Stdout, cmd.Stderr = &o, &e
		if err := cmd.Run(); err != nil {
			require.ErrorAs(t, err, new(*exec.ExitError))
		}
		return o.String(), e.String(), cmd.ProcessState.ExitCode()
	}
	first, firstErr, _ := run("CKP_AGAIN=")
	require.Equal(t, "out\nmain out\n", first)
	require.Equal(t, "err\nmain err\n", firstErr)

	again, againErr, status := run("CKP_AGAIN=1:1:1:")
	require.Equal(t, "main out\n", again)
	require.Equal(t, "main err\n", againErr)
	require.Zero(t, status)

	again, againErr, status = run("CKP_AGAIN=1:1:1:", "panic")
	require.Empty(t, again)
	require.True(t, strings.HasPrefix(againErr, "panic: as asked\n"), againErr)
	require.Contains(t, againErr, "speaks/main.go:16")
	require.Equal(t, 2, status)
}

// TestContinues checks what the environment tells.
func TestContinues(t *testing.T) {
	empty, full := t.TempDir(), filepath.Join(t.TempDir(), "a[b]*")
	require.NoError(t, os.MkdirAll(filepath.Join(full, "ckpt-00000001.e00000001"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(full, "ckpt-00000001.e00000001", "manifest.json"), nil, 0o666))
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, false},
		{map[string]string{"CKP_DIR": empty}, false},
		{map[string]string{"CKP_DIR": full}, true},
		{map[string]string{"CKP_DIR": full, "CKP_EPOCH": "1", "CKP_RESTORE": "0"}, false},
		{map[string]string{"CKP_DIR": empty, "CKP_EPOCH": "2", "CKP_RESTORE": "7"}, true},
		{map[string]string{"CKP_AGAIN": "1:1:1:"}, true},
	} {
		require.Equal(t, c.want, continues(func(name string) string { return c.env[name] }), "%v", c.env)
	}
}

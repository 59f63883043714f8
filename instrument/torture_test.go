package instrument_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTorture builds the programs in testdata/programs plainly and with
// checkpoints, and runs the second under CKP_TORTURE: every Kth checkpoint goes
// to disk and a fresh process restores it. What the program prints must be what
// the plain one prints.
func TestTorture(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	bin := t.TempDir()
	command := filepath.Join(bin, "ckpgen")
	run(t, root, nil, "go", "build", "-o", command, "./cmd/ckpgen")

	dirs, err := filepath.Glob(filepath.Join(root, "testdata", "programs", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for _, dir := range dirs {
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			plain, saved := filepath.Join(bin, name), filepath.Join(bin, name+"-saved")
			run(t, root, nil, "go", "build", "-o", plain, "./testdata/programs/"+name)
			run(t, root, nil, command, "build", "-o", saved, "./testdata/programs/"+name)
			want, _ := run(t, bin, nil, plain)
			require.NotEmpty(t, want)
			got, stderr := run(t, bin, nil, saved)
			require.Equal(t, want, got, "without CKP_ variables")
			require.Empty(t, stderr)
			for _, k := range []int{1, 2, 5} {
				dir := t.TempDir()
				got, stderr := run(t, bin, []string{"CKP_TORTURE=" + strconv.Itoa(k), "CKP_DIR=" + dir}, saved)
				require.Equal(t, want, got, "CKP_TORTURE=%d\n%s", k, stderr)
				require.NotContains(t, stderr, "ckpgen:")
				if k == 1 {
					// It must really have been saved and restored.
					manifests, err := filepath.Glob(filepath.Join(dir, "*", "*manifest*"))
					require.NoError(t, err)
					require.NotEmpty(t, manifests)
				}
			}
		})
	}
}

// TestPanicPosition checks that a panic in rewritten code shows the user's own
// file and lines.
func TestPanicPosition(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	bin := t.TempDir()
	command := filepath.Join(bin, "ckpgen")
	run(t, root, nil, "go", "build", "-o", command, "./cmd/ckpgen")
	source := filepath.Join(root, "instrument", "testdata", "panics")
	run(t, root, nil, "go", "build", "-o", filepath.Join(bin, "plain"), "./instrument/testdata/panics")
	run(t, root, nil, command, "build", "-o", filepath.Join(bin, "saved"), "./instrument/testdata/panics")
	lines := regexp.MustCompile(`panics/main\.go:\d+`)
	for _, how := range []string{"index", "nil", "closure", "generic", "divide", "method"} {
		trace := func(binary string) []string {
			cmd := exec.Command(filepath.Join(bin, binary), how)
			out, err := cmd.CombinedOutput()
			require.Error(t, err)
			require.Contains(t, string(out), filepath.Join(source, "main.go"))
			return lines.FindAllString(string(out), -1)
		}
		require.Equal(t, trace("plain"), trace("saved"), how)
	}
}

// run runs a command to its end, which must be a good one, and returns what it
// wrote.
func run(t *testing.T, dir string, env []string, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	timer := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Run()
	require.NoError(t, err, "%s %v\n%s%s", name, args, out.String(), errs.String())
	return out.String(), errs.String()
}

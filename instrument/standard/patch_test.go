package standard

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPatches applies the patches to the sources of the toolchain that runs the test. Lines of these stay
// where they are; a file that is not known is told.
func TestPatches(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	for name := range changes {
		dir, file := filepath.Split(name)
		pkg := strings.TrimSuffix(dir, "/")
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "src", filepath.FromSlash(name)))
		require.NoError(t, err)
		patched, err := Patch(pkg, file, text)
		require.NoError(t, err)
		before, after := strings.Split(string(text), "\n"), strings.Split(string(patched), "\n")
		require.Greater(t, len(after), len(before))
		changed := 0
		for i, line := range before[:len(before)-1] {
			if after[i] != line {
				changed++
			}
		}
		want := 0
		for _, c := range changes[name] {
			want += c.times
		}
		require.Equal(t, want, changed, name)

		_, err = Patch(pkg, file, []byte("package "+pkg+"\n"))
		require.ErrorContains(t, err, "0 times")
	}
	text := []byte("package sort\n")
	same, err := Patch("sort", "search.go", text)
	require.NoError(t, err)
	require.Equal(t, text, same)
}

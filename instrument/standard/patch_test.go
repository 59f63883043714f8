package standard

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPatches applies the patches to the sources of the toolchain that runs the test. Lines of
// these stay where they are; a file that is not known is told.
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
		require.GreaterOrEqual(t, len(after), len(before))
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

		if want > 0 { // else there are only additions
			_, err = Patch(pkg, file, []byte("package "+pkg+"\n"))
			require.ErrorContains(t, err, "0 times")
		}
	}
	text := []byte("package sort\n")
	same, err := Patch("sort", "search.go", text)
	require.NoError(t, err)
	require.Equal(t, text, same)
}

// TestBelow checks that nothing is rewritten that the packages are built from which new sources
// import: it would import itself.
func TestBelow(t *testing.T) {
	for path, exempt := range map[string][]string{
		"runtime/ckp/shadow": nil,
		// Of the packages that are rewritten, context alone calls what this one stands for, and
		// package reflect has a patch against it.
		"runtime/ckp/blocking": {"errors", "iter", "reflect", "slices", "sync"},
	} {
		out, err := exec.Command("go", "list", "-deps", "github.com/ckpgen/ckpgen/"+path).Output()
		require.NoError(t, err)
		deps := strings.Fields(string(out))
		require.Contains(t, deps, "sync/atomic")
		for _, dep := range deps {
			if !slices.Contains(exempt, dep) {
				require.False(t, Has(dep) || OnDemand(dep, false), "%s imports %s", path, dep)
			}
		}
	}
}

package gen

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUpdate checks that a folder comes to have the files that it should, that files which
// are not ckpgen's stay, and that nothing is written if one of them is in the way.
func TestUpdate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	update := func(files map[string]string) (*Result, error) {
		t.Helper()
		tree, err := openTree(dir)
		require.NoError(t, err)
		m := make(map[string][]byte)
		for name, text := range files {
			m[filepath.Join(dir, name)] = []byte(text)
		}
		return tree.update(m)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "none"
		}
		return string(text)
	}

	r, err := update(map[string]string{"a.go": header + "1", "sub/b.go": header + "2", "sub/data.txt": "3"})
	require.NoError(t, err)
	require.Equal(t, Result{Files: 3, Changed: 3}, *r)
	require.Equal(t, "3", read("sub/data.txt"))

	// The same again touches nothing; a difference, and what is no longer needed, does.
	r, err = update(map[string]string{"a.go": header + "1", "sub/b.go": header + "2", "sub/data.txt": "3"})
	require.NoError(t, err)
	require.Equal(t, Result{Files: 3}, *r)
	r, err = update(map[string]string{"a.go": header + "changed"})
	require.NoError(t, err)
	require.Equal(t, Result{Files: 1, Changed: 1, Removed: 2}, *r)
	require.Equal(t, header+"changed", read("a.go"))
	require.NoDirExists(t, filepath.Join(dir, "sub"))

	// A generated file is known by its header without the list; any other file is the
	// user's.
	require.NoError(t, os.Remove(filepath.Join(dir, listName)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine.go"), []byte("package mine"), 0o666))
	r, err = update(map[string]string{"c.go": header})
	require.NoError(t, err)
	require.Equal(t, 1, r.Removed)
	require.Equal(t, "package mine", read("mine.go"))

	_, err = update(map[string]string{"d.go": header, "mine.go": header})
	require.ErrorContains(t, err, "mine.go is in the way")
	require.Equal(t, "none", read("d.go"))
	require.Equal(t, header, read("c.go"))

	// A list can't lead out of the folder.
	victim := filepath.Join(filepath.Dir(dir), "victim")
	require.NoError(t, os.WriteFile(victim, []byte("x"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, listName), []byte("../victim\n"), 0o666))
	_, err = update(map[string]string{"c.go": header})
	require.NoError(t, err)
	require.FileExists(t, victim)
}

// TestAllowed checks the rule of internal folders.
func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		importer, imported string
		want               bool
	}{
		{"m/a", "m/b", true},
		{"m/out/a", "m/internal/b", true},
		{"m", "m/internal", true},
		{"m/out/a/c", "m/a/internal/b", false},
		{"m/a/c", "m/a/internal/b", true},
		{"m/ab", "m/a/internal/b", false},
		{"m/a", "m/a/internal/x/internal/y", false},
		{"m/a/internal/x", "m/a/internal/x/internal/y", true},
	} {
		require.Equal(t, c.want, allowed(c.importer, c.imported), "%s imports %s", c.importer, c.imported)
	}
}

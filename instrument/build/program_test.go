package build

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func keyOf(t *testing.T, dir string, env []string, c *CommandLine) (string, error) {
	t.Helper()
	set, err := settle(context.Background(), dir, env)
	require.NoError(t, err)
	k, _, _, err := key(context.Background(), dir, env, set, c, nil, false)
	return k, err
}

// TestKey checks that the key of a program is the same as long as nothing that the
// analysis depends on changes, and that it is another one after each such change.
func TestKey(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	c := &CommandLine{Patterns: []string{"."}}
	seen := make(map[string]string)
	last := ""
	changes := func(what string) {
		t.Helper()
		k, err := keyOf(t, dir, env, c)
		require.NoError(t, err)
		require.Empty(t, seen[k], "%s did not change the key", what)
		seen[k], last = what, k
	}
	stays := func(what string) {
		t.Helper()
		k, err := keyOf(t, dir, env, c)
		require.NoError(t, err)
		require.Equal(t, last, k, what)
	}

	write("go.mod", "module example.org/m\n\ngo 1.24\n")
	write("main.go", "package main\n\nimport \"example.org/m/sub\"\n\nfunc main() { sub.F() }\n")
	write("sub/sub.go", "package sub\n\nfunc F() {}\n")
	changes("the beginning")
	stays("nothing")
	write("sub/sub_test.go", "package sub\n")
	stays("a test")
	write("unused/unused.go", "package unused\n")
	stays("a package that is not part of the program")
	write("sub/sub.go", "package sub\n\nfunc F() { }\n")
	changes("the contents of a file")
	write("sub/more.go", "package sub\n")
	changes("a file more")
	write("sub/tagged.go", "//go:build x\n\npackage sub\n")
	stays("a file that does not take part")
	c.Load = []string{"-tags=x"}
	changes("a tag")
	write("go.mod", "module example.org/m\n\ngo 1.23\n")
	changes("the language version")
	env = append(env, "GOOS=plan9")
	changes("the operating system")

	write("sub/sub.go", "package wrong\n")
	_, err := keyOf(t, dir, env, c)
	require.ErrorIs(t, err, errListing)
}

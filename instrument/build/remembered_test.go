package build

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestRemembered changes what a program consists of in many ways: what is remembered of it must be
// what the go command would say, or not be used.
func TestRemembered(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour)
	age := func() {
		require.NoError(t, filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
			require.NoError(t, err)
			return os.Chtimes(name, old, old)
		}))
	}
	write := func(name, text string) func() {
		return func() {
			name := filepath.Join(dir, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
			require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
		}
	}
	remove := func(name string) func() {
		return func() { require.NoError(t, os.RemoveAll(filepath.Join(dir, name))) }
	}
	main := filepath.Join(dir, "m")
	env := append(os.Environ(), "GOFLAGS=")
	c := &CommandLine{Patterns: []string{"."}}
	asked := func() (*setting, string, []listed) {
		t.Helper()
		set, err := settle(context.Background(), main, env)
		require.NoError(t, err)
		k, own, _, err := key(context.Background(), main, env, set, c, nil, false)
		require.NoError(t, err)
		return set, k, own
	}
	open := func() memory {
		t.Helper()
		m, err := openMemory(main, env, c, nil, false)
		require.NoError(t, err)
		return m
	}

	write("m/go.mod", "module example.org/m\n\ngo 1.24\n\nrequire example.org/other v1.0.0\n\nreplace example.org/other => ../other\n")()
	write("other/go.mod", "module example.org/other\n\ngo 1.24\n")()
	write("other/other.go", "package other\n\nfunc F() {}\n")()
	write("m/main.go", "package main\n\nimport (\n\"example.org/m/sub\"\n\"example.org/other\"\n)\n\nfunc main() { sub.F(); other.F() }\n")()
	write("m/sub/sub.go", "package sub\n\nfunc F() {}\n")()
	write("m/sub/tagged.go", "//go:build x\n\npackage sub\n")()

	begun := time.Now()
	set, k, own := asked()
	require.NoError(t, open().remember(main, set, c, k, own, nil, begun))
	_, _, known := open().recall()
	require.False(t, known, "files that have just been written")

	for _, change := range []struct {
		what string
		make func()
		used bool
	}{
		{"nothing", func() {}, true},
		{"a file that is no source", write("m/sub/notes.txt", "notes"), true},
		{"contents", write("m/sub/sub.go", "package sub\n\nfunc F() { }\n"), false},
		{"contents of another module", write("other/other.go", "package other\n\nfunc F() { }\n"), false},
		{"a file more", write("m/sub/more.go", "package sub\n"), false},
		{"a file less", remove("m/sub/more.go"), false},
		{"a file that takes part now", write("m/sub/tagged.go", "//go:build !x\n\npackage sub\n"), false},
		{"the module", write("m/go.mod", "module example.org/m\n\ngo 1.25\n\nrequire example.org/other v1.0.0\n\nreplace example.org/other => ../other\n"), false},
		{"the other module", write("other/go.mod", "module example.org/other\n\ngo 1.25\n"), false},
		{"a workspace", write("go.work", "go 1.25\n\nuse ./m\nuse ./other\n"), false},
		{"no workspace", remove("go.work"), false},
		{"the operating system", func() { env = append(env, "GOOS=plan9") }, false},
		{"a tag", func() { c.Load = []string{"-tags=x"} }, false},
		{"the file for modules", func() {
			write("m/alt.mod", "module example.org/m\n\ngo 1.25\n\nrequire example.org/other v1.0.0\n\nreplace example.org/other => ../other\n")()
			c.Load = []string{"-modfile=alt.mod"}
		}, false},
		{"contents of the file for modules", write("m/alt.mod", "module example.org/m\n\ngo 1.26\n\nrequire example.org/other v1.0.0\n\nreplace example.org/other => ../other\n"), false},
	} {
		set, k, own := asked()
		age()
		require.NoError(t, open().remember(main, set, c, k, own, nil, time.Now()))
		change.make()
		age() // a change need not be seen by its time
		set, got, known := open().recall()
		require.Equal(t, change.used, known, change.what)
		if known {
			said, want, _ := asked()
			require.Equal(t, want, got, change.what)
			require.Equal(t, said, set, change.what)
		}
	}

	// A package that becomes another module's is no longer the program's.
	c.Load = nil
	set, k, own = asked()
	age()
	require.NoError(t, open().remember(main, set, c, k, own, nil, time.Now()))
	write("m/sub/go.mod", "module example.org/m/sub\n")()
	_, _, known = open().recall()
	require.False(t, known)

	m := open()
	require.NoError(t, os.WriteFile(filepath.Join(m.entries.path(m.key), rememberedName), []byte("{"), 0o666))
	_, _, known = m.recall()
	require.False(t, known, "a damaged entry")

	c.Patterns = []string{"./..."}
	require.Empty(t, open().key, "a search for packages")
}

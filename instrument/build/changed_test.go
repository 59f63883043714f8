package build

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that is saved while the program is analysed, after the key was computed of it: what is
// built is what is there now, and when the old text is back, that.
func TestChangedMeanwhile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("stands a shell script in for the go command")
	}
	real, err := exec.LookPath("go")
	require.NoError(t, err)
	dir := t.TempDir()
	gocache, err := exec.Command(real, "env", "GOCACHE", "GOMODCACHE").Output()
	require.NoError(t, err)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("HOME", dir)
	caches := strings.Fields(string(gocache))
	t.Setenv("GOCACHE", caches[0])
	t.Setenv("GOMODCACHE", caches[1])
	module, bin := filepath.Join(dir, "m"), filepath.Join(dir, "bin")
	source := func(word string) []byte {
		return []byte("package main\n\nvar n int\n\nfunc main() {\n\tfor i := 0; i < 1000; i++ {\n\t\tstep(i)\n\t}\n\tprintln(n, \"" + word + "\")\n}\n\nfunc step(i int) {\n\tfor j := 0; j < i; j++ {\n\t\tn += j\n\t}\n}\n")
	}
	main := filepath.Join(module, "main.go")
	require.NoError(t, os.MkdirAll(module, 0o777))
	require.NoError(t, os.MkdirAll(bin, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(module, "go.mod"), []byte("module example.org/m\n\ngo 1.24\n"), 0o666))
	require.NoError(t, os.WriteFile(main, source("old"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "next"), source("new"), 0o666))
	// The packages are loaded with the flag -compiled.
	script := "#!/bin/sh\ncase \"$*\" in\n*-compiled*) test -e " + dir + "/next && mv " + dir + "/next " + main + ";;\nesac\nexec " + real + " \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))

	c := &CommandLine{Patterns: []string{"."}, Auto: true, Output: filepath.Join(dir, "program")}
	build := func() string {
		t.Helper()
		p, err := Instrument(context.Background(), module, nil, c, false)
		require.NoError(t, err)
		require.False(t, p.Empty)
		require.NoError(t, p.Go(context.Background(), module, nil, "build", c))
		out, err := exec.Command(c.Output).CombinedOutput()
		require.NoError(t, err)
		return string(out)
	}
	require.Equal(t, "166167000 new\n", build())
	require.NoFileExists(t, filepath.Join(dir, "next"))
	require.NoError(t, os.WriteFile(main, source("old"), 0o666))
	require.Equal(t, "166167000 old\n", build())
}

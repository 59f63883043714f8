package load_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/load"
)

func writeModule(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	return dir
}

// TestProgram checks what belongs to a program and which of it may be rewritten: the main
// module and modules replaced by a directory.
func TestProgram(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"go.mod":          "module example.org/m\n\ngo 1.24\n\nrequire example.org/r v0.0.0\n\nreplace example.org/r => ./replaced\n",
		"main.go":         "package main\n\nimport (\n\t\"sort\"\n\n\t\"example.org/m/sub\"\n\t\"example.org/r\"\n)\n\nfunc main() { sort.Ints(nil); sub.F(); r.F() }\n",
		"sub/sub.go":      "package sub\n\nfunc F() {}\n",
		"replaced/go.mod": "module example.org/r\n\ngo 1.24\n",
		"replaced/r.go":   "package r\n\nfunc F() {}\n",
	})
	p, err := load.Load(context.Background(), load.Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=")}, ".")
	require.NoError(t, err)
	var paths []string
	for _, pkg := range p.Rewritable() {
		paths = append(paths, pkg.PkgPath)
	}
	require.ElementsMatch(t, []string{"example.org/m", "example.org/m/sub", "example.org/r"}, paths)
	require.Len(t, p.Mains(), 1)

	byPath := make(map[string]*packages.Package)
	for i, pkg := range p.All {
		require.False(t, pkg.IllTyped, pkg.PkgPath)
		for path, imp := range pkg.Imports {
			require.Contains(t, p.All[:i], imp, "%s stands before its import %s", pkg.PkgPath, path)
		}
		byPath[pkg.PkgPath] = pkg
	}
	name := load.FileName(byPath["example.org/m/sub"])
	require.Equal(t, "example.org/m/sub/sub.go", name(filepath.Join(dir, "sub", "sub.go")))
	require.True(t, load.Importable(byPath["sort"]))
	require.False(t, load.Importable(byPath["internal/abi"]))
	require.False(t, load.Importable(byPath["example.org/m"]))
}

// TestErrors compares the errors in a package with those of go vet, and those in tests, which are
// put into words here, with those of go vet on them.
func TestErrors(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"go.mod":       "module example.org/m\n\ngo 1.24\n",
		"m.go":         "package m\n\nimport \"example.org/m/lib\"\n\nvar X int = lib.F()\n",
		"m_test.go":    "package m\n\nfunc f() { var x int; y() }\n",
		"lib/lib.go":   "package lib\n\nfunc F() string { return \"\" }\n",
		"many/many.go": "package many\n\nfunc f() {\n" + strings.Repeat("\tundefined()\n", 15) + "}\n",
	})
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	for _, pattern := range []string{".", "./many", "./nosuch"} {
		cmd := exec.Command("go", "build", pattern)
		cmd.Dir, cmd.Env = dir, env
		want, _ := cmd.CombinedOutput()
		_, err := load.Load(context.Background(), load.Config{Dir: dir, Env: env}, pattern)
		var broken *load.Error
		require.ErrorAs(t, err, &broken)
		require.Equal(t, string(want), broken.Text+"\n")
	}

	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.go"), []byte("package m\n"), 0o666))
	_, err := load.Load(context.Background(), load.Config{Dir: dir, Env: env, Tests: true}, ".")
	require.EqualError(t, err, "# example.org/m [example.org/m.test]\n./m_test.go:3:16: declared and not used: x\n./m_test.go:3:23: undefined: y")
}

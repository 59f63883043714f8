package standard

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFunctions looks for the functions that are named in the sources of the toolchain that runs
// the test, as they are rewritten.
func TestFunctions(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	for name, names := range functions {
		dir, base := filepath.Split(name)
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "src", filepath.FromSlash(name)))
		require.NoError(t, err)
		text, err = Patch(filepath.Clean(dir), base, text)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		require.NoError(t, err)
		var there []string
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				there = append(there, fn.Name.Name)
			}
		}
		require.Subset(t, there, names)
		require.True(t, HasFunction(filepath.Clean(dir), base, names[0]))
		require.False(t, HasFunction(filepath.Clean(dir), base, "none"))
	}
	require.True(t, HasFunction("os", "env.go", "Expand"))
	require.False(t, HasFunction("os", "exec.go", "Getpid"))
}

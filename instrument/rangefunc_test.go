package instrument_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPublicLoops runs the tests that the language's compiler has for loops over functions, with
// polls in every function: what iterators may do and what becomes of those that do something else.
func TestPublicLoops(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	_, command := built(t)
	dir := t.TempDir()
	goroot, _ := run(t, dir, nil, "go", "env", "GOROOT")
	const name = "rangefunc_test.go"
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(goroot), "src", "cmd", "compile", "internal", "rangefunc", name))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	version, _, _ := strings.Cut(strings.TrimPrefix(runtime.Version(), "go"), " ")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/rangefunc\n\ngo "+version+"\n"), 0o666))
	out, _ := run(t, dir, []string{"CKPGEN_POLLS=dense"}, command, "test", "-auto", "-v", ".")
	require.Contains(t, out, "--- PASS: TestPanicReturns")
}

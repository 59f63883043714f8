package instrument_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// newer is the Go release whose language the archives in testdata/go1.27 are written in, which is
// newer than that of go.mod: the compiler and gofmt of that one can't read them. The go command
// gets that release if it is another one.
const newer = "go1.27.3"

// TestNewerGo does what TestTorture does by that release, which also builds ckpgen: to the programs
// that need it, and to some that depend on how Go's runtime has goroutines, channels and maps.
func TestNewerGo(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	t.Setenv("GOTOOLCHAIN", newer)
	if said, err := exec.Command("go", "version").CombinedOutput(); err != nil || !strings.Contains(string(said), newer) {
		t.Skipf("no %s: %s", newer, said)
	}
	root, command := built(t)
	for name, k := range map[string]int{"genericmethods": 2, "promoted": 1} {
		t.Run(name, func(t *testing.T) {
			dir := unpacked(t, root, filepath.Join("go1.27", name))
			run(t, dir, nil, "go", "mod", "edit", "-go=1.27")
			torture(t, dir, command, ".", nil, k)
			torture(t, dir, command, ".", []string{"-auto"}, 17)
		})
	}
	for _, program := range []string{"maps", "selects"} {
		t.Run(program, func(t *testing.T) { torture(t, root, command, "./testdata/programs/"+program, nil, 5) })
	}
	t.Run("auto", func(t *testing.T) { torture(t, root, command, "./instrument/testdata/auto", []string{"-auto"}, 101) })
}

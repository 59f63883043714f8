package instrument_test

import (
	"os/exec"
	"strings"
	"testing"
)

// newer is the Go release whose language the programs in testdata/go1.27 are written in, which is newer than that of go.mod. The go command
// gets it if it is another one.
const newer = "go1.27.3"

// TestNewerGo does what TestTorture does by that release, which also builds ckpgen: to the programs that need it, and to some that depend on how Go's runtime has goroutines,
// channels and maps.
func TestNewerGo(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	t.Setenv("GOTOOLCHAIN", newer)
	if said, err := exec.Command("go", "version").CombinedOutput(); err != nil || !strings.Contains(string(said), newer) {
		t.Skipf("no %s: %s", newer, said)
	}
	root, command := built(t)
	for _, program := range []struct {
		folder, name string
		flags        []string
		k            int
	}{
		{"testdata/go1.27", "genericmethods", nil, 2},
		{"testdata/go1.27", "genericmethods", []string{"-auto"}, 17},
		{"testdata/go1.27", "promoted", nil, 1},
		{"testdata/programs", "maps", nil, 5},
		{"testdata/programs", "selects", nil, 5},
		{"instrument/testdata", "auto", []string{"-auto"}, 101},
	} {
		t.Run(program.name, func(t *testing.T) {
			torture(t, root, command, "./"+program.folder+"/"+program.name, program.flags, program.k)
		})
	}
}

package instrument_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// newer is the Go release whose language the programs in testdata/go1.27 are written in, which is newer than that of go.mod. The go command
// gets it if it is another one.
const newer = "go1.27.3"

// TestNewerGo does what TestTorture does by that release, which also builds ckpgen: to the programs that need it, and to those that most programs are like.
func TestNewerGo(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	t.Setenv("GOTOOLCHAIN", newer)
	if said, err := exec.Command("go", "version").CombinedOutput(); err != nil || !strings.Contains(string(said), newer) {
		t.Skipf("no %s: %s", newer, said)
	}
	root, command := built(t)
	for _, folder := range []string{"testdata/go1.27", "testdata/programs"} {
		list, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
		require.NoError(t, err)
		require.NotEmpty(t, list)
		for _, program := range list {
			if name := program.Name(); folder != "testdata/programs" || !slices.Contains(rare, name) {
				t.Run(name, func(t *testing.T) { torture(t, root, command, "./"+folder+"/"+name, nil, 5) })
			}
		}
	}
	for name, module := range map[string]string{"auto": "./instrument/testdata/auto", "genericmethods": "./testdata/go1.27/genericmethods"} {
		t.Run(name+" with polls", func(t *testing.T) { torture(t, root, command, module, []string{"-auto"}, 17) })
	}
}

package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A toolchain is the go command that builds, and the GOROOT by which it knows itself.
type toolchain struct {
	command string
	goroot  string
	env     []string // variables to add
	flags   []string // GOFLAGS
}

// renamed returns files with those of the standard library under the names that they have for the
// go command which builds.
func (set *setting) renamed(files map[string][]byte, tools toolchain) map[string][]byte {
	moved := make(map[string][]byte, len(files))
	for name, text := range files {
		if rest, ok := strings.CutPrefix(name, set.GOROOT+string(filepath.Separator)); ok {
			name = filepath.Join(tools.goroot, rest)
		}
		moved[name] = text
	}
	return moved
}

// toolchain returns the go command whose standard library can be added to. The go command
// refuses overlays of what lies in the module cache, and that is where it puts toolchains
// that it has downloaded; such a one is called by another name, that of a symbolic link. Its
// files have the other name in stack traces, too.
func (set *setting) toolchain() (toolchain, error) {
	rel, err := filepath.Rel(set.GOMODCACHE, set.GOROOT)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return toolchain{command: "go", goroot: set.GOROOT, flags: strings.Fields(set.GOFLAGS)}, nil
	}
	links, err := openFolder("toolchain")
	if err != nil {
		return toolchain{}, err
	}
	sum := sha256.Sum256([]byte(set.GOROOT))
	key := hex.EncodeToString(sum[:20])
	if !links.use(key) {
		err := links.add(key, func(dir string) error { return os.Symlink(set.GOROOT, filepath.Join(dir, "go")) })
		if err != nil {
			return toolchain{}, fmt.Errorf("toolchain in the module cache: %w; install %s outside of it and set GOTOOLCHAIN=local", err, set.GOVERSION)
		}
	}
	goroot := filepath.Join(links.path(key), "go")
	return toolchain{
		command: filepath.Join(goroot, "bin", "go"),
		goroot:  goroot,
		env:     []string{"GOROOT=" + goroot, "GOTOOLCHAIN=local"},
		flags:   strings.Fields(set.GOFLAGS),
	}, nil
}

package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	runDirPrefix = "ckpgen-"
	// maxRunDir bounds the path: names of unix sockets have at most 104 bytes
	// on some systems, and the processes put e<epoch>-r<rank> after it.
	maxRunDir = 64
)

// makeRunDir makes a short directory for sockets, for this user only.
func makeRunDir() (string, error) {
	var first error
	for _, parent := range []string{os.TempDir(), "/tmp"} {
		dir, err := os.MkdirTemp(parent, runDirPrefix)
		if err == nil && len(dir) > maxRunDir {
			_ = os.Remove(dir)
			err = fmt.Errorf("%s is too long a name for sockets: set TMPDIR to a shorter directory", dir)
		}
		if err == nil {
			return dir, nil
		}
		if first == nil {
			first = err
		}
	}
	return "", fmt.Errorf("make a directory for sockets: %w", first)
}

// removeRunDir removes what a launcher that was killed left behind. It takes
// only names that makeRunDir makes.
func removeRunDir(dir string) {
	name := filepath.Base(dir)
	if !filepath.IsAbs(dir) || !strings.HasPrefix(name, runDirPrefix) || strings.Trim(name[len(runDirPrefix):], "0123456789") != "" {
		return
	}
	_ = os.RemoveAll(dir)
}

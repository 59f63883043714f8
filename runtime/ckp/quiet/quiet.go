package quiet

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ckpgen/ckpgen/runtime/ckp/shadow"
)

func init() {
	// A test binary may have been built plainly: it would stay mute. One that continues its own
	// checkpoint has not.
	test := os.Getenv("CKP_AGAIN") == "" && len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")
	if !test && continues(os.Getenv) {
		shadow.WhenInitialised(end)
		begin()
	}
}

// continues reports whether the process is going to continue a checkpoint, as far as
// the environment tells: whether that works out is seen when main is entered.
func continues(getenv func(string) string) bool {
	if getenv("CKP_AGAIN") != "" {
		return true
	}
	if getenv("CKP_EPOCH") != "" { // one process of a job
		restore := getenv("CKP_RESTORE")
		return restore != "" && restore != "0"
	}
	dir := getenv("CKP_DIR")
	if dir == "" {
		return false
	}
	committed, err := filepath.Glob(filepath.Join(escape(dir), "ckpt-*", "manifest.json"))
	return err == nil && len(committed) > 0
}

// escape returns the pattern that matches a path and nothing else.
func escape(path string) string {
	if filepath.Separator == '\\' {
		return path // there is no way to write it; the pattern matches it at least
	}
	var b []byte
	for i := range len(path) {
		switch path[i] {
		case '*', '?', '[', '\\':
			b = append(b, '\\')
		}
		b = append(b, path[i])
	}
	return string(b)
}

package instrument

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// TestQuietImports compares what is known of the imports of package quiet with what it imports.
func TestQuietImports(t *testing.T) {
	list := func(args ...string) []string {
		cmd := exec.Command("go", append([]string{"list"}, append(args, rewrite.QuietPath)...)...)
		cmd.Env = append(cmd.Environ(), "GOOS=linux", "CGO_ENABLED=0")
		out, err := cmd.Output()
		require.NoError(t, err)
		return strings.Fields(string(out))
	}
	for _, path := range list("-f", `{{join .Imports "\n"}}`) {
		if !strings.Contains(path, ".") {
			require.Contains(t, quietImports, path)
		}
	}
	require.Subset(t, list("-deps"), quietImports)
}

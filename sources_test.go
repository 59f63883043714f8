package ckpgen_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ckpgen/ckpgen"
)

// TestSources compares the sources that the tool carries with what the go command says that
// package ckp consists of, on several platforms. It may need nothing but the standard
// library.
func TestSources(t *testing.T) {
	sources, err := ckpgen.Sources(func(folder string) string { return path.Join("some", folder) })
	require.NoError(t, err)
	require.Contains(t, string(sources["runtime/ckp/shadow/goroutines.go"]), `"some/runtime/ckp/shadow."`)
	require.NotContains(t, string(sources["runtime/ckp/pack/codec.go"]), "some/runtime/ckp/zstd", "what a message tells to import")
	for name, text := range sources {
		require.NotContains(t, string(text), ckpgen.Module+"/", name)
	}
	for _, platform := range []string{"linux/amd64", "linux/mips", "darwin/arm64", "windows/386", "freebsd/riscv64", "plan9/amd64"} {
		cmd := exec.Command("go", "list", "-deps", "-json=Dir,ImportPath,Standard,GoFiles,SFiles,CgoFiles,HFiles,EmbedFiles", "./runtime/ckp", "./runtime/ckp/quiet", "./runtime/ckp/blocking")
		goos, goarch, _ := strings.Cut(platform, "/")
		cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch)
		stdout, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		found := 0
		for dec := json.NewDecoder(stdout); ; {
			var pkg struct {
				Dir, ImportPath              string
				Standard                     bool
				GoFiles, SFiles              []string
				CgoFiles, HFiles, EmbedFiles []string
			}
			if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
				break
			} else {
				require.NoError(t, err)
			}
			if pkg.Standard {
				continue
			}
			folder, ok := strings.CutPrefix(pkg.ImportPath, ckpgen.Module+"/")
			require.True(t, ok, "on %s package ckp needs %s", platform, pkg.ImportPath)
			require.Empty(t, append(append(pkg.CgoFiles, pkg.HFiles...), pkg.EmbedFiles...), pkg.ImportPath)
			for _, name := range append(pkg.GoFiles, pkg.SFiles...) {
				require.Contains(t, sources, folder+"/"+name, platform)
				found++
			}
			if len(pkg.SFiles) > 0 {
				require.Equal(t, ckpgen.Assembly, folder)
			}
		}
		require.NoError(t, cmd.Wait())
		require.Greater(t, found, 20)
	}
}

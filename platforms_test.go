package ckpgen_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

var long = flag.Bool("long", false, "check the types of all packages and tests for other platforms")

// TestPlatforms checks the types of all packages and their tests for platforms that tests do not
// run on: one with 32 bits, and those with other system calls. All is read from source, so that
// nothing has to be compiled for them.
func TestPlatforms(t *testing.T) {
	if !*long {
		t.Skip("run with -long")
	}
	for _, platform := range []string{"linux/386", "darwin/arm64", "windows/amd64"} {
		t.Run(platform, func(t *testing.T) {
			goos, goarch, _ := strings.Cut(platform, "/")
			pkgs, err := packages.Load(&packages.Config{
				Mode:  packages.LoadAllSyntax,
				Env:   append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
				Tests: true,
			}, "./...")
			require.NoError(t, err)
			require.NotEmpty(t, pkgs)
			packages.Visit(pkgs, nil, func(pkg *packages.Package) {
				for _, err := range pkg.Errors {
					t.Errorf("%s: %v", pkg.ID, err)
				}
			})
		})
	}
}

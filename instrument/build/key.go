package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"sync"

	"github.com/ckpgen/ckpgen/instrument/closure"
	"github.com/ckpgen/ckpgen/instrument/polls"
)

// errListing says that go list found errors: there is no key, and loading the program
// will tell what is wrong.
var errListing = errors.New("the packages of the program can't be listed")

// toolHash returns the hash of the running executable.
var toolHash = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	return fileHash(name)
})

func fileHash(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// listed is what go list tells about a package.
type listed struct {
	ImportPath string
	ForTest    string
	Dir        string
	Standard   bool
	Incomplete bool
	Module     *struct {
		Path, Version, GoVersion string
		Main                     bool
		Replace                  *struct{ Path, Version string }
	}
	GoFiles, CgoFiles []string // those of tests are in the test variants' GoFiles

	sums map[string]string // of the files, if they can change
}

// fixed reports whether the files of a package never change: those of the standard library, for
// which GOVERSION and GOROOT stand, and those in the module cache.
func (p *listed) fixed() bool {
	m := p.Module
	return p.Standard || m != nil && m.Version != "" && !m.Main && (m.Replace == nil || m.Replace.Version != "") && !vendored(p.Dir)
}

// files returns the absolute names of the Go files of a package, in order.
func (p *listed) files() []string {
	var names []string
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		if !filepath.IsAbs(name) { // the main file of a test is generated elsewhere
			name = filepath.Join(p.Dir, name)
		} else if filepath.Base(name) == "_testmain.go" {
			continue
		}
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// key returns the hash of everything that the analysis of the program depends on, the packages
// whose files can change, and all Go files that are compiled as they are.
func key(ctx context.Context, dir string, env []string, set *setting, c *CommandLine, choice *polls.Choice, test bool) (k string, own []listed, files []string, err error) {
	args := []string{"list", "-deps"}
	if test {
		args = append(args, "-test")
	}
	args = append(args, "-json=ImportPath,ForTest,Dir,Standard,Incomplete,Module,GoFiles,CgoFiles")
	args = append(args, c.Load...)
	args = append(args, "--")
	out, err := goOutput(ctx, dir, env, append(args, c.Patterns...)...)
	if err != nil {
		return "", nil, nil, errListing
	}
	tool, err := toolHash()
	if err != nil {
		return "", nil, nil, fmt.Errorf("hash of the tool: %w", err)
	}

	h := sha256.New()
	fmt.Fprintf(h, "ckpgen program 1\ntool %s\ndir %s\ntest %t\nauto %t all %t %q %q measured %t polls %s trim %t cover %s\nflags %q\npatterns %q\nenv %s\n", tool, dir, test, c.Auto, c.All, c.Polled, choice, c.Measured, os.Getenv(closure.PollsVariable), set.trims(c), c.Cover, c.Load, c.Patterns, set.text)
	if name := set.modFile(dir, c); name != "" { // the overlay may have another one made from it
		sum, err := fileHash(name)
		if err != nil {
			return "", nil, nil, errListing
		}
		fmt.Fprintf(h, "modules %s %s\n", name, sum)
	}
	seen := make(map[string]bool)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return "", nil, nil, fmt.Errorf("go list: %w", err)
		}
		if p.Incomplete {
			return "", nil, nil, errListing
		}
		if p.ForTest == "" && len(p.CgoFiles) == 0 {
			files = append(files, p.files()...)
		}
		fmt.Fprintf(h, "package %s for %s in %s std %t\n", p.ImportPath, p.ForTest, p.Dir, p.Standard)
		if m := p.Module; m != nil && !p.Standard {
			fmt.Fprintf(h, "module %s %s %s %t\n", m.Path, m.Version, m.GoVersion, m.Main)
			if m.Replace != nil {
				fmt.Fprintf(h, "replace %s %s\n", m.Replace.Path, m.Replace.Version)
			}
		}
		if p.fixed() {
			continue
		}
		p.sums = make(map[string]string)
		own = append(own, p)
		for _, name := range p.files() {
			if seen[name] {
				continue
			}
			seen[name] = true
			sum, err := fileHash(name)
			if err != nil {
				return "", nil, nil, errListing
			}
			p.sums[name] = sum
			fmt.Fprintf(h, "file %s %s\n", name, sum)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:20]), own, files, nil
}

// changedError is the error of a file that was changed between the computation of the key and the
// analysis, whichever came first. What was analysed is then not what the key stands for.
type changedError struct{ name string }

func (e *changedError) Error() string {
	return fmt.Sprintf("%s changes while it is analysed: build again when it stays as it is", e.name)
}

// unchanged returns a *changedError if text does not return for each file what the key was computed
// of, or nil for one that was not analysed.
func unchanged(own []listed, text func(name string) []byte) error {
	for _, p := range own {
		for _, name := range p.files() {
			sum, read := p.sums[name], text(name)
			if sum == "" || read == nil {
				continue
			}
			if h := sha256.Sum256(read); hex.EncodeToString(h[:]) != sum {
				return &changedError{name}
			}
		}
	}
	return nil
}

// vendored reports whether a directory lies in a vendor directory, whose files can
// change without their version.
func vendored(dir string) bool {
	for d := dir; ; d = filepath.Dir(d) {
		if filepath.Base(d) == "vendor" {
			return true
		}
		if d == filepath.Dir(d) {
			return false
		}
	}
}

func goOutput(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = env
	return cmd.Output()
}

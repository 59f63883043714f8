// Builds measures how long builds take: esbuild, a module of 96,000 lines, by go build and by
// ckpgen build, with one checkpoint call where the code of a file is generated, and with polls.
//
//	go run ./builds [-rounds 3]
//
// It is run in the directory bench, downloads the module, and prints a table in Markdown: the time
// on the clock and that of the processors, as multiples of go build, if nothing has changed since
// the build before, if a file of the main package has, and if one has of the package that most
// others import. What a change adds is a variable, which the package exports: no object file is the
// one it was.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/ckpgen/ckpgen/bench/build"
	"github.com/ckpgen/ckpgen/bench/sidebyside"
)

const (
	module  = "github.com/evanw/esbuild"
	version = "v0.28.2"
	path    = "./cmd/esbuild"
)

var rounds = flag.Int("rounds", 3, "times that each build is made")

// changes are what is different from the build before: a file, or nothing.
var changes = []struct{ what, file string }{
	{"nothing", ""},
	{"a file of the main package", "cmd/esbuild/version.go"},
	{"the package that most others import", "internal/logger/logger.go"},
}

// ways are those to build it, each in a copy of the module.
var ways = []struct {
	name  string
	calls bool     // with a checkpoint call
	flags []string // of ckpgen build
	plain bool     // by go build
}{
	{name: "go build", plain: true},
	{name: "a checkpoint call", calls: true},
	{name: "polls", flags: []string{"-auto"}},
}

func main() {
	flag.Parse()
	if err := measure(); err != nil {
		fmt.Fprintf(os.Stderr, "builds: %v\n", err)
		os.Exit(1)
	}
}

func measure() error {
	b, done, err := build.New("builds")
	if err != nil {
		return err
	}
	defer done()
	source, err := download()
	if err != nil {
		return err
	}
	table := sidebyside.Table{Head: []string{"what has changed", "go build"}}
	for _, w := range ways[1:] {
		table.Head = append(table.Head, w.name+": clock", "processors")
	}
	copies := make([]string, len(ways))
	for i, w := range ways {
		copies[i] = filepath.Join(b.Dir(), fmt.Sprintf("copy%d", i))
		if err := prepare(source, copies[i], w.calls); err != nil {
			return err
		}
	}
	for _, change := range changes {
		var variants []sidebyside.Variant
		for i, w := range ways {
			variants = append(variants, sidebyside.Variant{Name: change.what + ", " + w.name, Command: func(round int) (*exec.Cmd, error) {
				if change.file != "" {
					if err := edit(filepath.Join(copies[i], change.file)); err != nil {
						return nil, err
					}
				}
				return command(b, copies[i], w.plain, w.flags), nil
			}})
		}
		tell := func(line string) { fmt.Fprintln(os.Stderr, line) }
		times, err := sidebyside.Run(*rounds, true, variants, tell)
		if err != nil {
			return err
		}
		clock, processor := sidebyside.Median(times[0].Clock), sidebyside.Median(times[0].Processor)
		row := []string{change.what, fmt.Sprintf("%.2f s", clock.Seconds())}
		for _, t := range times[1:] {
			row = append(row, ratio(t.Clock, clock), ratio(t.Processor, processor))
		}
		table.Add(row...)
	}
	fmt.Printf("Builds of %s %s, as multiples of go build. Medians of %d interleaved rounds, with a warm cache.\nMachine: %s.\n\n", module, version, *rounds, sidebyside.Machine())
	return table.Write(os.Stdout)
}

func ratio(d []time.Duration, plain time.Duration) string {
	return fmt.Sprintf("%.2f", sidebyside.Median(d).Seconds()/plain.Seconds())
}

// download returns the directory of the module's source.
func download() (string, error) {
	out, err := exec.Command("go", "mod", "download", "-json", module+"@"+version).Output()
	var m struct{ Dir, Error string }
	if e := json.Unmarshal(out, &m); e != nil || m.Dir == "" {
		return "", fmt.Errorf("go mod download %s@%s: %w %s", module, version, errors.Join(err, e), m.Error)
	}
	return m.Dir, nil
}

// prepare copies the module, and has it call for a checkpoint if that is asked for.
func prepare(source, dir string, calls bool) error {
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		return err
	}
	root, err := build.Root()
	if err != nil {
		return err
	}
	for _, list := range [][]string{
		{"mod", "edit", "-go=1.26.0", "-require=github.com/ckpgen/ckpgen@v0.0.0", "-replace=github.com/ckpgen/ckpgen=" + root},
		{"list", "-mod=mod", "-deps", "./...", "github.com/ckpgen/ckpgen/runtime/ckp"}, // completes go.mod
	} {
		c := exec.Command("go", list...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("go %q: %w\n%s", list, err, out)
		}
	}
	if !calls {
		return nil
	}
	linker := filepath.Join(dir, "internal", "linker", "linker.go")
	text, err := os.ReadFile(linker)
	if err != nil {
		return err
	}
	before, after, found := bytes.Cut(text, []byte("generateCodeForFileInChunkJS(\n"))
	signature, body, ends := bytes.Cut(after, []byte("\n) {\n"))
	if !found || !ends {
		return fmt.Errorf("%s: the function that generates code is not where it was", linker)
	}
	before = bytes.Replace(before, []byte("import (\n"), []byte("import (\n\t\"github.com/ckpgen/ckpgen/runtime/ckp\"\n"), 1)
	text = fmt.Appendf(nil, "%sgenerateCodeForFileInChunkJS(\n%s\n) {\n\tckp.Checkpoint()\n%s", before, signature, body)
	return os.WriteFile(linker, text, 0o666)
}

// revision counts the changes, no two of which are the same in any copy: a build must not find what
// another has compiled.
var revision = int(time.Now().UnixNano())

// edit adds an exported variable to a file, or changes the one it has.
func edit(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	const declaration = "\nvar Revision = "
	text, _, _ = bytes.Cut(text, []byte(declaration))
	revision++
	return os.WriteFile(name, fmt.Appendf(text, "%s%d\n", declaration, revision), 0o666)
}

func command(b *build.Builder, dir string, plain bool, flags []string) *exec.Cmd {
	name := b.Ckpgen()
	if plain || name == "" { // with -null all builds are plain
		name, flags = "go", nil
	}
	c := exec.Command(name, append(append([]string{"build"}, flags...), "-o", filepath.Join(dir, "program"), path)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	return c
}

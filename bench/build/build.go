// Package build makes the binaries that are compared: the same package by go build and by ckpgen.
package build

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Builder builds programs into a directory.
type Builder struct {
	dir    string
	ckpgen string // the command; "" if its column is to be a plain build as well
}

// What all benchmarks can be told.
var (
	ckpgen = flag.String("ckpgen", "", "the command; built from its source if not given")
	null   = flag.Bool("null", false, "plain builds in all columns, to see the error of the measurement")
)

// Null reports whether all programs are plain builds, by the flag -null.
func Null() bool { return *null }

// New prepares to build into a temporary directory, which done removes. The command ckpgen is built
// from its source, unless the flag -ckpgen gives one.
func New(name string) (b *Builder, done func(), err error) {
	dir, err := os.MkdirTemp("", "ckpgen-"+name+"-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { os.RemoveAll(dir) }
	b = &Builder{dir: dir}
	if err := b.command(); err != nil {
		done()
		return nil, nil, err
	}
	return b, done, nil
}

// command finds the command or builds it.
func (b *Builder) command() (err error) {
	switch {
	case *null:
		return nil
	case *ckpgen != "":
		b.ckpgen, err = filepath.Abs(*ckpgen)
		return err
	}
	root, err := Root()
	if err != nil {
		return err
	}
	b.ckpgen = filepath.Join(b.dir, "ckpgen")
	return run(root, "go", "build", "-o", b.ckpgen, "./cmd/ckpgen")
}

// Dir is the directory.
func (b *Builder) Dir() string { return b.dir }

// Plain builds the package of a module's directory by go build, with flags of it, and gives the
// binary.
func (b *Builder) Plain(module, pkg, name string, flags ...string) (string, error) {
	binary := filepath.Join(b.dir, name+"-plain")
	return binary, run(module, "go", append(append([]string{"build"}, flags...), "-o", binary, pkg)...)
}

// Instrumented builds it by ckpgen, with flags of ckpgen build.
func (b *Builder) Instrumented(module, pkg, name string, flags ...string) (string, error) {
	if b.ckpgen == "" {
		flags = slices.DeleteFunc(slices.Clone(flags), func(flag string) bool { return strings.HasPrefix(flag, "-auto") })
		return b.Plain(module, pkg, name+"-null", flags...)
	}
	binary := filepath.Join(b.dir, name+"-instrumented")
	return binary, run(module, b.ckpgen, append(append([]string{"build"}, flags...), "-o", binary, pkg)...)
}

// PlainTest builds the tests of the package of a directory by go test, and gives the binary.
func (b *Builder) PlainTest(dir, name string) (string, error) {
	binary := filepath.Join(b.dir, name+"-plain.test")
	return binary, run(dir, "go", "test", "-vet=off", "-c", "-o", binary, ".")
}

// InstrumentedTest builds them by ckpgen, with flags of ckpgen test.
func (b *Builder) InstrumentedTest(dir, name string, flags ...string) (string, error) {
	if b.ckpgen == "" {
		return b.PlainTest(dir, name+"-null")
	}
	binary := filepath.Join(b.dir, name+"-instrumented.test")
	return binary, run(dir, b.ckpgen, slices.Concat([]string{"test"}, flags, []string{"-c", "-o", binary, "."})...)
}

// Measured runs the program with arguments by ckpgen measure, and gives the file with the places
// where it should poll.
func (b *Builder) Measured(module, pkg, name string, args ...string) (string, error) {
	file := filepath.Join(b.dir, name+".polls")
	if b.ckpgen == "" {
		return file, nil
	}
	return file, run(module, b.ckpgen, append([]string{"measure", "-auto=all", "-o", file, pkg}, args...)...)
}

// Ckpgen is the command, "" if there is none.
func (b *Builder) Ckpgen() string { return b.ckpgen }

// Root is the directory of ckpgen's module, above that of the benchmarks, in which the working
// directory must be.
func Root() (string, error) {
	bench, err := Bench()
	return filepath.Dir(bench), err
}

// Bench is the directory of the module of the benchmarks.
func Bench() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	dir := filepath.Dir(string(bytes.TrimSpace(out)))
	if _, err := os.Stat(filepath.Join(dir, "kernels")); err != nil {
		return "", errors.New("run this in the directory bench of the source of ckpgen")
	}
	return dir, nil
}

func run(dir, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %q in %s: %w\n%s", name, args, dir, err, out)
	}
	return nil
}

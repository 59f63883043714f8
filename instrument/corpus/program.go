package corpus

import (
	"fmt"
	"go/build"
	"go/build/constraint"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
)

// A Program is one of Go's test programs.
type Program struct {
	Name  string   // path of its file below the folder test, without .go
	File  string   // absolute
	Dir   string   // the folder of a program of several packages; empty if it is one of files
	More  []string // further files of a program of files, absolute
	Build []string // flags for go build
	Args  []string
	Env   []string
	// Single is set if each file in Dir is a package of its own, whatever its name.
	Single bool
}

// folders are those that Go's own driver of the tests looks into.
var folders = []string{".", "abi", "chan", "dwarf", "fixedbugs", "interface", "ken", "typeparam", "typeparam/mdempsky"}

// Find returns the programs of the Go installation at goroot that are run, ordered
// by name, without those that are not meant for this system.
func Find(goroot string) ([]*Program, error) {
	root := filepath.Join(goroot, "test")
	var list []*Program
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			p, err := parse(root, file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			if p != nil {
				list = append(list, p)
			}
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list, nil
}

// parse reads the recipe of a test, its first line that is no build constraint. It
// returns nil if the test is not one that runs a program.
func parse(root, file string) (*Program, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	name, err := filepath.Rel(root, strings.TrimSuffix(file, ".go"))
	if err != nil {
		return nil, err
	}
	p := &Program{Name: filepath.ToSlash(name), File: file}
	recipe := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "package ") {
			break
		}
		if expr, err := constraint.Parse(line); err == nil {
			if !expr.Eval(meant) {
				return nil, nil
			}
			continue
		}
		if recipe == "" {
			recipe = strings.TrimSpace(strings.TrimPrefix(line, "//"))
		}
	}
	words := split(recipe)
	if len(words) == 0 {
		return nil, nil
	}
	switch words[0] {
	case "run":
	case "rundir":
		p.Dir = strings.TrimSuffix(file, ".go") + ".dir"
	default:
		return nil, nil
	}
	p.take(words[1:])
	return p, nil
}

// take reads the rest of a recipe: flags, then further files and arguments.
func (p *Program) take(words []string) {
	var compiler []string
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		flag := words[0]
		words = words[1:]
		next := func() string {
			if len(words) == 0 {
				return ""
			}
			word := words[0]
			words = words[1:]
			return word
		}
		switch {
		case flag == "-s":
			p.Single = true
		case flag == "-t":
			next()
		case flag == "-goexperiment":
			p.Env = append(p.Env, "GOEXPERIMENT="+next())
		case flag == "-godebug":
			p.Env = append(p.Env, "GODEBUG="+next())
		case flag == "-gcflags":
			p.Build = append(p.Build, "-gcflags="+next())
		case flag == "-ldflags":
			p.Build = append(p.Build, "-ldflags="+strings.Join(words, " "))
			words = nil
		case p.Dir != "": // for the compiler
			compiler = append(compiler, flag)
		default:
			p.Build = append(p.Build, flag)
		}
	}
	if !slices.ContainsFunc(p.Build, func(f string) bool { return strings.HasPrefix(f, "-ldflags") }) {
		p.Build = append(p.Build, "-ldflags=-w") // less to link
	}
	if len(compiler) > 0 {
		p.Build = append(p.Build, "-gcflags="+strings.Join(compiler, " "))
	}
	for _, word := range words {
		if strings.HasSuffix(word, ".go") && len(p.Args) == 0 {
			p.More = append(p.More, filepath.Join(filepath.Dir(p.File), word))
			continue
		}
		p.Args = append(p.Args, word)
	}
}

// split splits a line at spaces that are not quoted.
func split(line string) []string {
	var words []string
	var word strings.Builder
	var quote rune
	in := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, in = r, true
		case r == ' ' || r == '\t':
			if in {
				words = append(words, word.String())
				word.Reset()
				in = false
			}
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if in {
		words = append(words, word.String())
	}
	return words
}

// meant tells whether a build constraint holds here.
func meant(tag string) bool {
	switch {
	case slices.Contains(build.Default.ReleaseTags, tag):
		return true
	case strings.HasPrefix(tag, "goexperiment."):
		return slices.Contains(build.Default.ToolTags, tag)
	case tag == "cgo":
		return build.Default.CgoEnabled
	case tag == "unix":
		return runtime.GOOS != "windows" && runtime.GOOS != "plan9"
	}
	return tag == runtime.GOOS || tag == runtime.GOARCH || tag == "gc" || tag == "test_run"
}

// Expected returns what the authors of the program say that it prints, standard
// output and error together; nothing unless there is a file that tells.
func (p *Program) Expected() (string, error) {
	text, err := os.ReadFile(strings.TrimSuffix(p.File, ".go") + ".out")
	if os.IsNotExist(err) {
		return "", nil
	}
	return string(text), err
}

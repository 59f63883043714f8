package load

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// maxErrors is how many errors the compiler shows of one package.
const maxErrors = 10

// An Error is a program that does not build. Text is what go build would print
// about it, without a newline at the end; it is shown as it is.
type Error struct {
	Text string

	// With Config.Tests, Failed are the named packages whose tests do not build, and Sound the
	// import paths of the others, in the order of the import paths.
	Failed []Failure
	Sound  []string
}

// A Failure is a package whose tests do not build.
type Failure struct {
	Path  string // of the import
	Setup bool   // they were not compiled, as an import is missing, say
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// listError is for failures of the go command itself.
func listError(err error) error {
	text := err.Error()
	if cause, rest, ok := strings.Cut(text, "stderr:"); ok && strings.TrimSpace(rest) != "" {
		text = rest
	} else if ok { // the go command was not even started
		text = "ckpgen: " + strings.TrimSuffix(strings.TrimPrefix(cause, "err: "), ": ")
	}
	return &Error{Text: strings.TrimSpace(text)}
}

// inGoWords returns the error as go build tells it, whose wording differs from that of
// the packages go/parser and go/types here and there. If go build finds nothing wrong, it
// returns err itself.
func inGoWords(ctx context.Context, cfg Config, patterns []string, err error) error {
	args := append([]string{"build", "-o", os.DevNull}, cfg.Flags...)
	args = append(append(args, "--"), patterns...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = cfg.Dir
	cmd.Env = cfg.Env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if cmd.Run() == nil || stderr.Len() == 0 {
		return err
	}
	return &Error{Text: strings.TrimSuffix(stderr.String(), "\n")}
}

// errorsIn returns the errors of the packages as one *Error, or nil, and which are broken. pkgs has
// imports before importers; what is wrong in a package only because one of its
// imports is wrong is left out.
func errorsIn(pkgs []*packages.Package, dir string) (*Error, map[*packages.Package]breakage) {
	var out strings.Builder
	broken := make(map[*packages.Package]breakage)
	reported := make(map[string]bool) // test variants repeat the errors of their packages
	for _, pkg := range pkgs {
		for _, imp := range pkg.Imports {
			broken[pkg] = max(broken[pkg], broken[imp])
		}
		if len(pkg.Errors) == 0 || broken[pkg] != sound {
			continue
		}
		broken[pkg] = notCompiled
		if compiled(pkg) {
			broken[pkg] = miscompiled
		}
		head, text := describe(pkg, dir)
		if !reported[text] {
			reported[text] = true
			out.WriteString(head + text)
		}
	}
	if out.Len() == 0 {
		return nil, nil
	}
	return &Error{Text: strings.TrimSuffix(out.String(), "\n")}, broken
}

// A breakage tells how far a package comes.
type breakage int

const (
	sound       breakage = iota
	miscompiled          // it has errors that the compiler finds, or an import has
	notCompiled          // it, or an import, has others, such as an import that there is not
)

// divide notes which of the named packages have tests that build.
func (e *Error) divide(initial []*packages.Package, broken map[*packages.Package]breakage) {
	worst := make(map[string]breakage)
	for _, pkg := range initial {
		path := tested(pkg)
		worst[path] = max(worst[path], broken[pkg])
	}
	for _, path := range slices.Sorted(maps.Keys(worst)) {
		if worst[path] == sound {
			e.Sound = append(e.Sound, path)
		} else {
			e.Failed = append(e.Failed, Failure{path, worst[path] == notCompiled})
		}
	}
}

// tested returns the import path of the package whose tests pkg is a part of, or which it is
// itself.
func tested(pkg *packages.Package) string {
	if TestMain(pkg) {
		return strings.TrimSuffix(pkg.ID, ".test")
	}
	if _, test, ok := strings.Cut(pkg.ID, " ["); ok {
		return strings.TrimSuffix(test, ".test]")
	}
	return pkg.ID
}

// compiled reports whether the errors of a package are such as the compiler finds.
func compiled(pkg *packages.Package) bool {
	return !slices.ContainsFunc(pkg.Errors, func(e packages.Error) bool {
		return e.Kind == packages.ListError || e.Kind == packages.UnknownError
	})
}

// describe returns the errors of a package, and the line that comes before them.
func describe(pkg *packages.Package, dir string) (head, text string) {
	type diagnostic struct {
		file      string
		line, col int
		text      string
	}
	var list []diagnostic
	seen := make(map[diagnostic]bool)
	compiler := compiled(pkg)
	for _, e := range pkg.Errors {
		d := diagnostic{text: strings.TrimSpace(e.Msg)}
		d.file, d.line, d.col = splitPosition(e.Pos)
		if !seen[d] {
			seen[d] = true
			list = append(list, d)
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.file != b.file {
			return a.file < b.file
		}
		if a.line != b.line {
			return a.line < b.line
		}
		return a.col < b.col
	})
	var out strings.Builder
	if compiler {
		head = "# " + pkg.ID + "\n"
	}
	for i, d := range list {
		if i == maxErrors {
			fmt.Fprintf(&out, "%s: too many errors\n", short(d.file, dir, compiler))
			break
		}
		if d.file == "" {
			fmt.Fprintln(&out, d.text)
			continue
		}
		fmt.Fprintf(&out, "%s:%d:%d: %s\n", short(d.file, dir, compiler), d.line, d.col, d.text)
	}
	return head, out.String()
}

// splitPosition splits "file:line:col", in which the file may contain colons
// and line and column may be missing.
func splitPosition(pos string) (file string, line, col int) {
	if pos == "" || pos == "-" {
		return "", 0, 0
	}
	file = pos
	number := func() int {
		i := strings.LastIndexByte(file, ':')
		if i < 0 {
			return 0
		}
		n, err := strconv.Atoi(file[i+1:])
		if err != nil {
			return 0
		}
		file = file[:i]
		return n
	}
	last := number()
	if before := number(); before != 0 {
		return file, before, last
	}
	return file, last, 0
}

// short returns the name of a file relative to dir if that is shorter. Like the go
// command, it puts "./" before the names of files that lie in dir itself if the compiler found
// the error.
func short(file, dir string, compiler bool) string {
	if !filepath.IsAbs(file) {
		return file
	}
	rel, err := filepath.Rel(dir, file)
	if err != nil || len(rel) >= len(file) {
		return file
	}
	if compiler && filepath.Dir(rel) == "." {
		rel = "." + string(filepath.Separator) + rel
	}
	return rel
}

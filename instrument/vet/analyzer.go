// Package vet offers what 'ckpgen vet' finds as an analyzer of the framework
// golang.org/x/tools/go/analysis, so that 'go vet -vettool=$(which ckpgen)' and other
// drivers can run it beside their own.
//
// # A whole-program analysis in a framework for packages
//
// The framework shows an analyzer one package at a time, and what it has noted of the
// packages below. Whether a call can reach a checkpoint can't be told that way: the
// callees of dynamic calls, and the types that flow to them, lie in packages above. So
// the analyzer looks at the package that it is shown as 'ckpgen vet' would if it were
// named on the command line: it loads the package with all that it imports, and reports
// of the findings those that lie in its files. A package that imports no checkpoint
// call, directly or through others, and has no directive is passed over without any of that.
package vet

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/ckpgen/ckpgen/instrument"
	"github.com/ckpgen/ckpgen/instrument/directive"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// Analyzer reports what cannot be checkpointed in the packages that can reach a
// checkpoint call. It has one flag, auto: as if the program were built with polls. It
// runs the go command in the folder of the package, and is safe for concurrent use.
var Analyzer = &analysis.Analyzer{
	Name: "ckpgen",
	Doc: "report what cannot be checkpointed\n\n" +
		"Reported are constructs that ckpgen can't rewrite, and ways to a checkpoint on which it is refused at run time, because a " +
		"function of a package that is not rewritten lies between.",
	URL: "https://pkg.go.dev/" + load.Module + "/instrument/vet",
	Run: run,
}

var auto bool

func init() {
	Analyzer.Flags.BoolVar(&auto, "auto", false, "analyse the program as it is built with polls (ckpgen build -auto)")
}

// loading lets one program be loaded at a time: each takes hundreds of megabytes.
var loading sync.Mutex

func run(pass *analysis.Pass) (any, error) {
	if len(pass.Files) == 0 {
		return nil, nil
	}
	ctx := context.Background()
	files := make(map[string]source)
	dir := ""
	for _, f := range pass.Files {
		src := sourceOf(pass.Fset, f)
		name, err := filepath.Abs(src.name)
		if err != nil {
			return nil, err
		}
		if filepath.Base(name) == "_cgo_gotypes.go" {
			continue // all cgo's own, in a folder of the build
		}
		files[name] = src
		if dir == "" {
			dir = filepath.Dir(name)
		}
	}
	if !auto && !directed(pass.Files) {
		if ok, err := reaches(ctx, dir); !ok || err != nil {
			return nil, err
		}
	}
	loading.Lock()
	defer loading.Unlock()
	a, err := instrument.Analyze(ctx, load.Config{Dir: dir, Auto: auto}, ".")
	if err != nil {
		var broken *load.Error
		if errors.As(err, &broken) {
			return nil, fmt.Errorf("%s does not build: %w", pass.Pkg.Path(), err)
		}
		return nil, err
	}
	findings, err := a.Findings()
	if err != nil {
		return nil, err
	}
	for _, f := range findings {
		src, ok := files[f.Pos.Filename]
		if line := f.Pos.Line + src.added; ok && 1 <= line && line <= src.LineCount() {
			pass.Report(analysis.Diagnostic{
				Pos:     src.LineStart(line) + token.Pos(max(0, f.Pos.Column-1)),
				Message: f.Message(),
			})
		}
	}
	return nil, nil
}

// A source is a file of the package.
type source struct {
	*token.File
	name  string // the user's
	added int    // lines, before the user's first
}

// sourceOf returns the file that f is or, if cgo has written it into a folder of the build, was
// written for.
func sourceOf(fset *token.FileSet, f *ast.File) source {
	src := source{File: fset.File(f.FileStart)}
	src.name = src.Name()
	if strings.HasSuffix(src.name, ".cgo1.go") {
		at := src.PositionFor(f.Package, true)
		src.name, src.added = at.Filename, src.PositionFor(f.Package, false).Line-at.Line
	}
	return src
}

// directed reports whether there are directives in the files.
func directed(files []*ast.File) bool {
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, directive.Prefix) {
					return true
				}
			}
		}
	}
	return false
}

// reaches reports whether the package in dir imports one of the packages of ckpgen that
// programs call, directly or through others. What the type checker knows of the imports
// does not tell: export data names only the packages of which a declaration speaks.
func reaches(ctx context.Context, dir string) (bool, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-test", "-f", "{{.ImportPath}}", ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return false, fmt.Errorf("go list in %s: %w", dir, err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		if load.Runtime(path) {
			return true, nil
		}
	}
	return false, nil
}

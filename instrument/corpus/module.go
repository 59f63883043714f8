package corpus

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// lay puts the sources of a program into dir, and returns what to build. Programs of several
// packages, which import each other by relative paths, become the module test.
func (p *Program) lay(dir string) ([]string, error) {
	if p.Dir == "" {
		var files []string
		for _, file := range append([]string{p.File}, p.More...) {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o666); err != nil {
				return nil, err
			}
			files = append(files, filepath.Base(file))
		}
		return files, nil
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module test\n\ngo "+language()+"\n"), 0o666); err != nil {
		return nil, err
	}
	sources, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
	if err != nil {
		return nil, err
	}
	first := make(map[string]string) // the first file of each package, which gives it its path
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return nil, err
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), source, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		name := syntax.Name.Name
		path, ok := first[name]
		if !ok || p.Single {
			path = strings.TrimSuffix(filepath.Base(source), ".go")
			first[name] = path
		}
		if name == "main" {
			path = "."
		}
		if err := os.MkdirAll(filepath.Join(dir, path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, path, filepath.Base(source)), absolute(text, syntax), 0o666); err != nil {
			return nil, err
		}
	}
	return []string{"."}, nil
}

// language is the version of Go that this program was built with, as go.mod has it.
func language() string { return strings.TrimPrefix(strings.Fields(runtime.Version())[0], "go") }

// absolute returns a file with its relative imports made those of the module test.
func absolute(text []byte, syntax *ast.File) []byte {
	return withImports(text, syntax, func(path string) (string, bool) {
		name, ok := strings.CutPrefix(path, "./")
		return "test/" + name, ok
	})
}

// withImports returns a file with other import paths in the place of those for which there are.
func withImports(text []byte, syntax *ast.File, other func(path string) (string, bool)) []byte {
	var out []byte
	from := 0
	for _, im := range syntax.Imports {
		path, err := strconv.Unquote(im.Path.Value)
		if err != nil {
			continue
		}
		path, ok := other(path)
		if !ok {
			continue
		}
		at := int(im.Path.Pos() - syntax.FileStart)
		out = append(out, text[from:at]...)
		out = append(out, strconv.Quote(path)...)
		from = at + len(im.Path.Value)
	}
	return append(out, text[from:]...)
}

package corpus

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// lay puts the sources of a program into dir as the module test, so that the go
// command builds it: programs of several packages import each other by relative paths,
// which modules do not know. It returns what to build.
func (p *Program) lay(dir, checkout string) ([]string, error) {
	if err := requirements(dir, checkout); err != nil {
		return nil, err
	}
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

// absolute returns a file with its relative imports made those of the module test.
func absolute(text []byte, syntax *ast.File) []byte {
	var out []byte
	from := 0
	for _, im := range syntax.Imports {
		path, err := strconv.Unquote(im.Path.Value)
		if err != nil || !strings.HasPrefix(path, "./") {
			continue
		}
		at := int(im.Path.Pos() - syntax.FileStart)
		out = append(out, text[from:at]...)
		out = append(out, strconv.Quote("test/"+path[2:])...)
		from = at + len(im.Path.Value)
	}
	return append(out, text[from:]...)
}

// requirements writes a go.mod that knows ckpgen as the checkout does its own requirements.
func requirements(dir, checkout string) error {
	mod, err := os.ReadFile(filepath.Join(checkout, "go.mod"))
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(mod), "\n")
	text := fmt.Sprintf("module test\n%s\nrequire github.com/ckpgen/ckpgen v0.0.0\n\nreplace github.com/ckpgen/ckpgen => %s\n", rest, checkout)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o666)
}

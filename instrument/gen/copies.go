package gen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/edits"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// copies returns the files of the copies before instrumentation. Go files have the lines of
// their originals.
func (p *plan) copies() (map[string][]byte, error) {
	files := make(map[string][]byte)
	for _, pkg := range p.packages() {
		recorded := load.FileName(pkg)
		for _, name := range pkg.GoFiles {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, fmt.Errorf("copy of package %s: %w", pkg.PkgPath, err)
			}
			text, err = p.edit(name, text)
			if err != nil {
				return nil, err
			}
			dest := filepath.Join(p.folder[pkg.PkgPath], filepath.Base(name))
			files[dest] = text
			p.origin[dest] = name
			p.record[dest] = recorded(name)
		}
		for _, list := range [][]string{pkg.EmbedFiles, pkg.OtherFiles} {
			for _, name := range list {
				if slices.Contains(pkg.GoFiles, name) {
					continue // what is embedded is the copy
				}
				text, err := os.ReadFile(name)
				if err != nil {
					return nil, fmt.Errorf("copy of package %s: %w", pkg.PkgPath, err)
				}
				rel, err := filepath.Rel(pkg.Dir, name)
				if err != nil {
					return nil, fmt.Errorf("copy of package %s: %w", pkg.PkgPath, err)
				}
				if text == nil {
					text = []byte{} // nil is no contents to the loader
				}
				files[filepath.Join(p.folder[pkg.PkgPath], rel)] = text
			}
		}
	}
	return files, nil
}

// edit makes the imports and //go:linkname lines of a file name the copies, and removes its
// //go:generate lines.
func (p *plan) edit(name string, text []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("copy of %s: %w", name, err)
	}
	var list []edits.Edit
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("copy of %s: import %s: %w", name, spec.Path.Value, err)
		}
		if path, ok := p.path[imported]; ok {
			list = append(list, edits.Of(fset, spec.Path, strconv.Quote(path)))
		}
	}
	for link := range load.Links(file) {
		if pkg, ok := p.linked(link); ok {
			list = append(list, edits.Of(fset, link.Comment, "//go:linkname "+link.Local+" "+p.path[pkg]+strings.TrimPrefix(link.Target, pkg)))
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if isGenerate(c) {
				list = append(list, edits.Of(fset, c, "// (a go:generate line in the original)"))
			}
		}
	}
	return edits.Apply(text, list), nil
}

// linked returns the import path of the copied package whose function or variable a //go:linkname
// line names. "main." is not the name of a path and stays.
func (p *plan) linked(link load.Link) (string, bool) {
	for pkg := range p.path {
		if strings.HasPrefix(link.Target, pkg+".") && p.copied[pkg].Name != "main" {
			return pkg, true
		}
	}
	return "", false
}

func isGenerate(c *ast.Comment) bool {
	rest, ok := strings.CutPrefix(c.Text, "//go:generate")
	return ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// finish returns what is written: the copies as the rewriter changed them, with the header and
// with line directives.
func (p *plan) finish(copies, rewritten map[string][]byte) (map[string][]byte, error) {
	files := make(map[string][]byte)
	for name, text := range rewritten {
		if !below(name, p.output) {
			return nil, fmt.Errorf("%s needs to be rewritten, but its package was not copied; please report this", name)
		}
		files[name] = marked(text)
	}
	for name, text := range copies {
		if files[name] != nil {
			continue
		}
		if _, ok := p.origin[name]; ok {
			text = marked(append([]byte("//line "+p.line(name)+":1:1\n"), text...))
		}
		files[name] = text
	}
	return files, nil
}

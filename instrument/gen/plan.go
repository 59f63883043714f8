package gen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// A plan says which packages are copied, and where to.
type plan struct {
	output  string // folder, absolute
	module  *packages.Module
	program *load.Program
	copied  map[string]*packages.Package // by import path of the original
	path    map[string]string            // import path of the original to that of the copy
	folder  map[string]string            // import path of the original to the folder of the copy
	origin  map[string]string            // file of a copy to the original file
	record  map[string]string            // file of a copy to the name in checkpoints
}

// outside resolves the patterns to import paths and leaves out packages below the
// output folder, or below another one, which are what was generated before.
func outside(ctx context.Context, dir, output string, flags, patterns []string) ([]string, error) {
	args := append([]string{"list", "-e", "-find", "-f", "{{.ImportPath}}\t{{.Dir}}"}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), patterns...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && stderr.Len() == 0 {
		return nil, fmt.Errorf("go list: %w", err)
	} else if err != nil {
		return nil, &load.Error{Text: strings.TrimSpace(stderr.String())}
	}
	var list []string
	none := "matched no packages"
	for line := range strings.Lines(string(out)) {
		importPath, folder, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if importPath == "command-line-arguments" {
			return nil, errors.New("gen needs packages, not files: name the directory that the files are in")
		}
		switch {
		case below(folder, output):
			none = fmt.Sprintf("matched no packages outside of the output folder %s; choose another one with -o", output)
		case generated(folder):
			none = "matched only packages that 'ckpgen gen' wrote; name the originals"
		default:
			list = append(list, importPath)
		}
	}
	if len(list) == 0 {
		return nil, &load.Error{Text: fmt.Sprintf("ckpgen: %s %s", strings.Join(patterns, " "), none)}
	}
	return list, nil
}

// generated reports whether a folder belongs to a generated tree.
func generated(folder string) bool {
	for ; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, listName)); err == nil {
			return true
		}
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil || folder == filepath.Dir(folder) {
			return false
		}
	}
}

// below reports whether name is the folder dir or lies in it.
func below(name, dir string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func newPlan(program *load.Program, sources *instrument.Sources, output string) (*plan, error) {
	p := &plan{
		output:  output,
		program: program,
		copied:  make(map[string]*packages.Package),
		path:    make(map[string]string),
		folder:  make(map[string]string),
		origin:  make(map[string]string),
		record:  make(map[string]string),
	}
	for _, pkg := range program.All {
		if m := pkg.Module; m != nil && m.Main && below(output, m.Dir) && (p.module == nil || len(m.Dir) > len(p.module.Dir)) {
			p.module = m
		}
	}
	if p.module == nil || output == p.module.Dir {
		return nil, fmt.Errorf("%s is not a folder inside of the program's module; choose one there with -o", output)
	}
	rel, err := filepath.Rel(p.module.Dir, output)
	if err != nil {
		return nil, err
	}
	for _, element := range strings.Split(filepath.ToSlash(rel), "/") {
		if element[0] == '.' || element[0] == '_' || element == "testdata" || element == "vendor" {
			return nil, fmt.Errorf("the go command ignores packages below a folder named %s; choose another one with -o", element)
		}
	}
	for dir := output; dir != p.module.Dir; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return nil, fmt.Errorf("%s belongs to another module, that of %s; choose a folder in module %s with -o", output, filepath.Join(dir, "go.mod"), p.module.Path)
		}
	}

	changed := make(map[string]bool) // folders
	for name := range sources.Files {
		changed[filepath.Dir(name)] = true
	}
	named := make(map[*packages.Package]bool)
	for _, pkg := range program.Initial {
		named[pkg] = true
	}
	for _, pkg := range program.All {
		if !named[pkg] && !changed[pkg.Dir] {
			continue
		}
		if !load.Main(pkg) {
			if named[pkg] {
				return nil, fmt.Errorf("package %s is not part of the main module; gen copies packages of the main module only", pkg.PkgPath)
			}
			return nil, fmt.Errorf("package %s has functions that can be on the stack at a checkpoint, but is not part of the main module; use 'ckpgen build', or copy it into the module", pkg.PkgPath)
		}
		p.add(pkg, rel)
	}
	p.complete(rel)
	for _, pkg := range p.packages() { // cgo needs the folders, and all that is included, before there is anything to write
		if slices.ContainsFunc(pkg.CompiledGoFiles, func(name string) bool { return load.GeneratedByCgo(pkg, name) }) {
			return nil, fmt.Errorf("package %s has files that import \"C\", and can't be copied as a checkpoint can be in it, or in a package that it imports; use 'ckpgen build'", pkg.PkgPath)
		}
	}
	return p, nil
}

// add puts a package among those that are copied. rel is the output folder relative to
// the module.
func (p *plan) add(pkg *packages.Package, rel string) {
	if p.copied[pkg.PkgPath] != nil {
		return
	}
	p.copied[pkg.PkgPath] = pkg
	// Packages of other modules of a workspace go by their full path.
	inside := pkg.PkgPath
	if pkg.Module.Path == p.module.Path {
		inside = strings.TrimPrefix(strings.TrimPrefix(pkg.PkgPath, p.module.Path), "/")
	}
	p.path[pkg.PkgPath] = path.Join(p.module.Path, filepath.ToSlash(rel), inside)
	p.folder[pkg.PkgPath] = filepath.Join(p.output, filepath.FromSlash(inside))
}

// complete adds the packages that have to follow.
func (p *plan) complete(rel string) {
	for again := true; again; {
		before := len(p.copied)
		for _, pkg := range p.program.All {
			if !load.Main(pkg) || load.Runtime(pkg.PkgPath) {
				continue
			}
			for link := range load.Links(pkg.Syntax...) { // it may be imported elsewhere only
				if _, ok := p.linked(link); ok {
					p.add(pkg, rel)
				}
			}
			for _, imp := range pkg.Imports {
				from, isCopied := p.path[pkg.PkgPath]
				switch {
				case p.copied[imp.PkgPath] != nil:
					p.add(pkg, rel)
				case isCopied && load.Main(imp) && !load.Runtime(imp.PkgPath) && !allowed(from, imp.PkgPath):
					p.add(imp, rel)
				}
			}
		}
		again = len(p.copied) > before
	}
}

// allowed reports whether the rule of internal folders lets a package import another.
func allowed(importer, imported string) bool {
	elements := strings.Split(imported, "/")
	for i := len(elements) - 1; i >= 0; i-- {
		if elements[i] == "internal" {
			parent := strings.Join(elements[:i], "/")
			return importer == parent || strings.HasPrefix(importer, parent+"/")
		}
	}
	return true
}

// packages returns the packages that are copied, ordered by import path.
func (p *plan) packages() []*packages.Package {
	var list []*packages.Package
	for _, pkg := range p.copied {
		list = append(list, pkg)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].PkgPath < list[j].PkgPath })
	return list
}

// named returns the import paths of the copies of the packages that the user named.
func (p *plan) named() []string {
	var list []string
	for _, pkg := range p.program.Initial {
		list = append(list, p.path[pkg.PkgPath])
	}
	return list
}

// recorded returns the name in checkpoints of a file of a copy: that of the original.
func (p *plan) recorded(name string) string {
	if r, ok := p.record[name]; ok {
		return r
	}
	return filepath.Base(name)
}

// line returns the name of the original of a file of a copy, relative to the copy's
// folder.
func (p *plan) line(name string) string {
	origin, ok := p.origin[name]
	if !ok {
		return name
	}
	rel, err := filepath.Rel(filepath.Dir(name), origin)
	if err != nil {
		return origin
	}
	return filepath.ToSlash(rel)
}

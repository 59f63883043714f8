package load

import (
	"maps"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/directive"
	"github.com/ckpgen/ckpgen/instrument/standard"
)

// Standard reports whether pkg is one of the packages of the standard library that can be
// rewritten.
func Standard(pkg *packages.Package) bool {
	return pkg.Module == nil && standard.Has(pkg.PkgPath)
}

// StandardLibrary reports whether pkg belongs to the standard library and can be rewritten, as one
// of its packages that can be in any program, or on demand.
func (p *Program) StandardLibrary(pkg *packages.Package) bool {
	return Standard(pkg) || pkg.Module == nil && p.demanded[pkg.PkgPath]
}

// Demand makes further packages of the standard library rewritable, given by their import paths.
func (p *Program) Demand(paths []string) {
	for _, path := range paths {
		p.demanded[path] = true
	}
}

// Demanded reports whether the package of the standard library with this import path was
// demanded.
func (p *Program) Demanded(path string) bool { return p.demanded[path] }

// RewriteStandard makes the packages of the standard library rewritable that can be. It loads those
// that the program does not import: its runtime may, and then they shall be the same in every
// program.
func (p *Program) RewriteStandard() error {
	p.standard = true
	if p.apart == nil {
		p.beginStandard()
	}
	initial, err := p.apart()
	if err != nil {
		return listError(err)
	}
	maps.Copy(p.patched, p.aside.patched)
	maps.Copy(p.excluded, p.aside.unknown)
	packages.Visit(initial, nil, func(pkg *packages.Package) {
		if Standard(pkg) {
			p.beside = append(p.beside, pkg)
		}
	})
	return nil
}

// beginStandard begins to load the packages that the program does not import.
func (p *Program) beginStandard() {
	var missing []string
	for _, path := range standard.Packages() {
		if !p.Links(path) {
			missing = append(missing, path)
		}
	}
	p.aside = &skeleton{goroot: p.bones.goroot, folders: p.bones.folders, patched: make(map[string][]byte), unknown: make(map[string]string), directives: make(map[string]*directive.Expansion), texts: make(map[string][]byte)}
	cfg := *p.config
	cfg.Tests, cfg.ParseFile = false, p.aside.parse
	p.apart = sync.OnceValues(func() ([]*packages.Package, error) {
		if len(missing) == 0 {
			return nil, nil
		}
		return packages.Load(&cfg, missing...)
	})
	go p.apart()
}

// Beside returns packages of the standard library that can be rewritten and were loaded by
// themselves, imports before importers: those that the program does not import, and what they
// import.
func (p *Program) Beside() []*packages.Package { return p.beside }

// Standard reports whether packages of the standard library are rewritten.
func (p *Program) Standard() bool { return p.standard }

// Source returns the text of a file as it was analysed, if it was changed before that or does not
// belong to the standard library, and as it is otherwise.
func (p *Program) Source(name string) ([]byte, error) {
	if text, ok := p.patched[name]; ok {
		return text, nil
	}
	if text := p.Expanded(name); text != nil {
		return text, nil
	}
	if text := p.Text(name); text != nil {
		return text, nil
	}
	return os.ReadFile(name)
}

// Text returns what was in a file when it was loaded; nil if it was not, or belongs to the standard
// library.
func (p *Program) Text(name string) []byte { return p.bones.texts[name] }

// patch returns the text in which a file is analysed, and notes which packages can't be
// rewritten because they are not the ones that are known.
func (s *skeleton) patch(name string, src []byte) []byte {
	if s.goroot == "" {
		return src
	}
	rel, err := filepath.Rel(filepath.Join(s.goroot, "src"), filepath.Dir(name))
	if err != nil {
		return src
	}
	path := filepath.ToSlash(rel)
	if !standard.Patched(path, filepath.Base(name)) {
		return src
	}
	text, err := standard.Patch(path, filepath.Base(name), src)
	s.lock.Lock()
	defer s.lock.Unlock()
	switch {
	case err != nil:
		s.unknown[path] = err.Error()
		return src
	case len(text) != len(src):
		s.patched[name] = text
	}
	return text
}

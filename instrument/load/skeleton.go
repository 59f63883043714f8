package load

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/directive"
	"github.com/ckpgen/ckpgen/instrument/standard"
)

// A skeleton knows the packages of which only the declarations are loaded, without
// function bodies: Go's runtime and package syscall, which never call what a program hands
// to them in a way that the source shows, and ckpgen's own runtime, which is not part of
// the analysis. They are half of a small program. Packages below these that can be rewritten,
// as runtime/pprof, are loaded whole.
type skeleton struct {
	goroot  string   // "" if it is not known
	folders []string // absolute; those below belong to them

	lock    sync.Mutex
	patched map[string][]byte // files of the standard library, and their texts
	unknown map[string]string // packages of it, and why they can't be patched

	directives map[string]*directive.Expansion // by file, of those that have directives
	texts      map[string][]byte               // of the files that are not of the standard library
}

// newSkeleton asks the go command where these packages are.
func newSkeleton(ctx context.Context, cfg Config) *skeleton {
	var goroot, module string
	var wg sync.WaitGroup
	ask := func(answer *string, args ...string) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			cmd := exec.CommandContext(ctx, "go", args...)
			cmd.Dir, cmd.Env = cfg.Dir, cfg.Env
			if out, err := cmd.Output(); err == nil {
				*answer = strings.TrimSpace(string(out))
			}
		}()
	}
	ask(&goroot, "env", "GOROOT")
	ask(&module, "list", "-m", "-f", "{{.Dir}}", Module)
	wg.Wait()
	s := &skeleton{goroot: goroot, patched: make(map[string][]byte), unknown: make(map[string]string), directives: make(map[string]*directive.Expansion), texts: make(map[string][]byte)}
	if goroot != "" {
		for _, path := range []string{"runtime", "internal/runtime", "syscall"} {
			s.folders = append(s.folders, filepath.Join(goroot, "src", filepath.FromSlash(path)))
		}
	}
	if module != "" {
		for _, folder := range runtimeFolders {
			if folder != "bsp" { // parts of bsp are in the closure
				s.folders = append(s.folders, filepath.Join(module, folder))
			}
		}
	}
	return s
}

// has reports whether a file belongs to one of the packages. Programs and tests
// below their folders don't.
func (s *skeleton) has(file string) bool {
	for _, folder := range s.folders {
		if rest, ok := strings.CutPrefix(file, folder+string(filepath.Separator)); ok {
			return !strings.Contains(rest, "testdata") && !strings.HasSuffix(rest, "_test.go") && !s.onDemand(file)
		}
	}
	return false
}

// onDemand reports whether a file belongs to a package of the standard library that is rewritten on
// demand.
func (s *skeleton) onDemand(file string) bool {
	dir, below := strings.CutPrefix(filepath.Dir(file), filepath.Join(s.goroot, "src")+string(filepath.Separator))
	return s.goroot != "" && below && standard.OnDemand(filepath.ToSlash(dir), false)
}

// ofStandardLibrary reports whether a file belongs to the standard library.
func (s *skeleton) ofStandardLibrary(file string) bool {
	_, below := strings.CutPrefix(file, filepath.Join(s.goroot, "src")+string(filepath.Separator))
	return s.goroot != "" && below
}

// parse is the ParseFile of a packages.Config. What is parsed of the standard library is
// what is going to be rewritten; of the program, with calls in place of directives.
func (s *skeleton) parse(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	if !s.ofStandardLibrary(name) {
		s.lock.Lock()
		s.texts[name] = src
		s.lock.Unlock()
	}
	file, err := parser.ParseFile(fset, name, s.expand(name, s.patch(name, src)), parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		return nil, err
	}
	if s.ofStandardLibrary(name) {
		withoutTables(file)
	}
	if s.has(name) && file.Name.Name != "main" {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				fn.Body = nil
			}
		}
	}
	return file, err
}

// forgive removes the errors that come from missing bodies: imports that nothing
// uses. What is really wrong in these packages, go build will tell.
func (s *skeleton) forgive(pkgs []*packages.Package) {
	for _, pkg := range pkgs {
		if pkg.Name != "main" && len(pkg.GoFiles) > 0 && s.has(pkg.GoFiles[0]) {
			pkg.Errors, pkg.TypeErrors = nil, nil
		}
	}
	broken := false
	for _, pkg := range pkgs {
		broken = broken || len(pkg.Errors) > 0
	}
	if !broken {
		for _, pkg := range pkgs {
			pkg.IllTyped = false
		}
	}
}

package instrument

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// A task is the rewriting of one package.
type task struct {
	pkg     *packages.Package
	in      rewrite.Input
	dialect dialect

	files     map[string][]byte // the new files
	renamed   []rewrite.Refusal
	uncovered map[string]string
	bad       []rewrite.Refusal
	err       error
}

// rewriteAll rewrites packages, several at a time. What comes out does not depend on their order,
// but for those with the same import path: a package, and then its variants for tests.
func rewriteAll(tasks []*task) {
	var paths []string
	groups := make(map[string][]*task)
	size := make(map[string]int)
	for _, t := range tasks {
		path := t.pkg.PkgPath
		if groups[path] == nil {
			paths = append(paths, path)
		}
		groups[path] = append(groups[path], t)
		for _, file := range t.in.Pkg.Syntax {
			size[path] += int(file.FileEnd - file.FileStart)
		}
	}
	// The largest first, so that none is left to one processor in the end.
	slices.SortStableFunc(paths, func(a, b string) int { return cmp.Compare(size[b], size[a]) })
	var next atomic.Int64
	var work sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		work.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(paths)); i = next.Add(1) - 1 {
				var taken []string // by the packages before with this path
				var uncovered map[string]string
				for _, t := range groups[paths[i]] {
					t.in.Taken, t.in.Uncovered = slices.Concat(t.in.Taken, taken), uncovered
					t.run()
					if uncovered == nil {
						uncovered = t.uncovered
					}
					if len(groups[paths[i]]) > 1 {
						for _, text := range t.files {
							taken = append(taken, declaredIn(text)...)
						}
					}
				}
			}
		})
	}
	work.Wait()
}

// run rewrites the package.
func (t *task) run() {
	result, bad := rewrite.Package(t.in)
	t.bad = bad
	if len(bad) > 0 || result == nil {
		return
	}
	t.renamed, t.uncovered = result.Renamed, result.Uncovered
	t.files = make(map[string][]byte, len(result.Files))
	for name, contents := range result.Files {
		if t.files[name], t.err = t.dialect.put(name, contents, slices.Contains(t.pkg.CompiledGoFiles, name)); t.err != nil {
			return
		}
	}
}

// declaredIn returns the names that a Go file declares at package level, its imports
// included.
func declaredIn(text []byte) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil // the compiler will say more
	}
	var names []string
	add := func(id *ast.Ident) {
		if id != nil {
			names = append(names, id.Name)
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				add(decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ImportSpec:
					add(spec.Name)
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}

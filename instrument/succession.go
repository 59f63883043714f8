package instrument

import (
	"container/heap"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/blocking"
	"github.com/ckpgen/ckpgen/instrument/directive"
	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// Packages of which none imports the other are initialised in the order of their import paths, each
// as soon as what it imports is. A rewritten package imports what its user does not, package quiet
// above all, and so can come later, behind a package that it came before. That can be seen if both
// call functions of a third one while they are initialised:
//
//	package add
//
//	func init() { registry.Register("add") }
//
// Then a rewritten package that would come too early imports the one that comes before it in the
// plain program. It can't import one that is internal elsewhere, and imports the one before that.

// A succession is the order in which the packages of a program are initialised.
type succession struct {
	list    []*packages.Package
	waiting map[*packages.Package]int
	waiters map[*packages.Package][]*packages.Package // those that wait for a package
	heap    []*packages.Package
}

func (s *succession) Len() int           { return len(s.heap) }
func (s *succession) Less(i, j int) bool { return symbol(s.heap[i]) < symbol(s.heap[j]) }
func (s *succession) Swap(i, j int)      { s.heap[i], s.heap[j] = s.heap[j], s.heap[i] }
func (s *succession) Push(x any)         { s.heap = append(s.heap, x.(*packages.Package)) }

func (s *succession) Pop() any {
	last := s.heap[len(s.heap)-1]
	s.heap = s.heap[:len(s.heap)-1]
	return last
}

// symbol is what the linker sorts packages by.
func symbol(pkg *packages.Package) string { return pkg.PkgPath + "..inittask" }

// succeed returns the order of packages, each of which stands after those that it imports; more are
// what some import besides. To the linker there are only those that have something to initialise,
// or import one that has. Which have is noted in own.
func succeed(all []*packages.Package, more map[*packages.Package][]*packages.Package, own map[*packages.Package]bool) []*packages.Package {
	s := &succession{waiting: make(map[*packages.Package]int), waiters: make(map[*packages.Package][]*packages.Package)}
	tasks := make(map[*packages.Package]bool)
	for _, pkg := range all {
		imports := make(map[*packages.Package]bool)
		for _, dep := range pkg.Imports {
			imports[dep] = tasks[dep]
		}
		for _, dep := range more[pkg] {
			imports[dep] = tasks[dep] || own[dep]
		}
		for dep, task := range imports {
			if task {
				s.waiting[pkg]++
				s.waiters[dep] = append(s.waiters[dep], pkg)
			}
		}
		if _, known := own[pkg]; !known {
			own[pkg] = rewrite.Initialises(pkg) || isComputed(pkg)
		}
		tasks[pkg] = s.waiting[pkg] > 0 || own[pkg]
		if tasks[pkg] && s.waiting[pkg] == 0 {
			s.heap = append(s.heap, pkg)
		}
	}
	heap.Init(s)
	for s.Len() > 0 {
		pkg := heap.Pop(s).(*packages.Package)
		s.list = append(s.list, pkg)
		for _, next := range s.waiters[pkg] {
			if s.waiting[next]--; s.waiting[next] == 0 {
				heap.Push(s, next)
			}
		}
	}
	return s.list
}

// isComputed reports whether the value of a variable of the package is computed when it is
// initialised, although no function is called for it: it is a map, or has that of a variable of
// another package.
func isComputed(pkg *packages.Package) bool {
	found := false
	look := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CompositeLit:
			if t := pkg.TypesInfo.TypeOf(n); t != nil {
				_, isMap := t.Underlying().(*types.Map)
				found = found || isMap
			}
		case *ast.UnaryExpr:
			if _, made := ast.Unparen(n.X).(*ast.CompositeLit); n.Op == token.AND && !made { // an address
				return false
			}
		case *ast.SelectorExpr:
			if v, ok := pkg.TypesInfo.Uses[n.Sel].(*types.Var); ok {
				found = found || v.IsField() || v.Pkg() != pkg.Types
			}
		}
		return !found
	}
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR {
				for _, spec := range d.Specs {
					for _, v := range spec.(*ast.ValueSpec).Values {
						ast.Inspect(v, look)
					}
				}
			}
		}
	}
	return found
}

// isStandard reports whether pkg belongs to the standard library.
func isStandard(pkg *packages.Package) bool { return pkg.Module == nil && !load.Own(pkg) }

// quietImports are the packages of the standard library that package quiet imports.
var quietImports = []string{"fmt", "os", "path/filepath", "runtime/debug", "strings", "syscall"}

// succeeds has the rewritten packages import those that come before them, if the order would be
// another one.
func (a *Analysis) succeeds(tasks []*task, carried bool) {
	if a.Tests {
		return // the tests of a package may import what must not import the package
	}
	seen := make(map[*packages.Package]bool)
	rewritten := make(map[*packages.Package]*task)
	for _, pkg := range a.Program.All {
		if !isStandard(pkg) && !load.Runtime(pkg.PkgPath) && pkg.Name != "main" && rewrite.Initialises(pkg) && isSeen(pkg) {
			seen[pkg] = true
		}
	}
	if len(seen) < 2 {
		return
	}
	quiet := &packages.Package{PkgPath: rewrite.QuietPath, Imports: make(map[string]*packages.Package)}
	if carried {
		quiet.PkgPath, _ = carriedPath(quiet.PkgPath)
	}
	all := slices.Clone(a.Program.All)
	for _, path := range quietImports {
		i := slices.IndexFunc(all, func(pkg *packages.Package) bool { return pkg.PkgPath == path })
		if i >= 0 {
			quiet.Imports[path] = all[i]
		} else { // it waits for others that are not there, with names down to this
			quiet.PkgPath = "unicode/utf8"
		}
	}
	more := make(map[*packages.Package][]*packages.Package)
	var waiting []*packages.Package
	for _, t := range tasks {
		if !t.in.State && !t.in.InLibrary && rewrite.Initialises(t.pkg) {
			more[t.pkg] = append(more[t.pkg], quiet)
			rewritten[t.pkg] = t
			if waitsForMore(t.pkg) {
				waiting = append(waiting, t.pkg)
			}
		}
	}
	unseen := func(pkg *packages.Package) bool { return !seen[pkg] }
	own := make(map[*packages.Package]bool)
	plain := slices.DeleteFunc(succeed(all, nil, own), unseen)
	all = withQuiet(all, quiet)
	settle := func() {
		for range plain {
			early := firstEarly(plain, slices.DeleteFunc(succeed(all, more, own), unseen))
			t := rewritten[early]
			if t == nil || len(t.in.Before) > 0 {
				return // there is none, or it can't be had to wait
			}
			for _, before := range slices.Backward(plain[:slices.Index(plain, early)]) {
				t.in.Before = append(t.in.Before, before.PkgPath)
				if len(t.in.Before) == 1 {
					more[early] = append(more[early], before)
				}
			}
		}
	}
	settle()
	if len(waiting) == 0 {
		return
	}
	// What these import need not be known here, with all that it waits for: the order is to be
	// right whether it comes soon or last of all.
	last := &packages.Package{PkgPath: "\xff"}
	own[last] = true
	all = slices.Insert(all, 0, last)
	for _, pkg := range waiting {
		more[pkg] = append(more[pkg], last)
	}
	settle()
}

// waitsForMore reports whether a package may import more of the runtime than package quiet when it
// is rewritten: package ckp for its directives and for reflect.Swapper, or package blocking in the
// place of packages time and reflect.
func waitsForMore(pkg *packages.Package) bool {
	if pkg.Imports["time"] != nil || usesSwapper(pkg) {
		return true
	}
	for _, of := range pkg.TypesInfo.Uses {
		if f, ok := of.(*types.Func); ok && blocking.Reflects(f) {
			return true
		}
	}
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && directive.Standing(fn) != "" {
				return true
			}
		}
	}
	return false
}

// firstEarly returns the first package in a list that should not have come yet; nil if there is
// none.
func firstEarly(want, got []*packages.Package) *packages.Package {
	for i, pkg := range want {
		if i < len(got) && got[i] != pkg {
			return got[i]
		}
	}
	return nil
}

// withQuiet returns the packages with one that stands after all that it imports and before all that
// import it.
func withQuiet(all []*packages.Package, quiet *packages.Package) []*packages.Package {
	below := make(map[*packages.Package]bool)
	packages.Visit([]*packages.Package{quiet}, nil, func(pkg *packages.Package) { below[pkg] = true })
	var first, rest []*packages.Package
	for _, pkg := range all {
		if below[pkg] {
			first = append(first, pkg)
		} else {
			rest = append(rest, pkg)
		}
	}
	return slices.Concat(first, []*packages.Package{quiet}, rest)
}

// telling are the packages of the standard library by which a package can be seen while it is
// initialised.
var telling = []string{"archive/zip", "crypto", "database/sql", "encoding/gob", "expvar", "flag", "image", "log", "log/slog", "math/rand", "math/rand/v2", "mime",
	"net/http", "os", "os/exec", "os/signal", "runtime", "runtime/debug", "syscall"}

// isSeen reports whether functions and variables of other packages are used while a package is
// initialised that may tell another one of it.
func isSeen(pkg *packages.Package) bool {
	declared := make(map[types.Object]*ast.FuncDecl)
	var roots []ast.Node
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil {
				continue
			}
			if d.Recv == nil && d.Name.Name == "init" {
				roots = append(roots, d.Body)
			}
			declared[pkg.TypesInfo.Defs[d.Name]] = d
		}
	}
	for _, init := range pkg.TypesInfo.InitOrder {
		roots = append(roots, init.Rhs)
	}
	library := make(map[string]bool)
	for _, dep := range pkg.Imports {
		library[dep.PkgPath] = isStandard(dep)
	}
	found := false
	done := make(map[types.Object]bool)
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || found {
			return !found
		}
		obj := pkg.TypesInfo.Uses[id]
		if v, ok := obj.(*types.Var); ok && v.IsField() || obj == nil || obj.Pkg() == nil || done[obj] {
			return true
		}
		done[obj] = true
		switch obj.(type) {
		case *types.Func, *types.Var:
			switch path := obj.Pkg().Path(); {
			case obj.Pkg() == pkg.Types:
				if d := declared[obj]; d != nil {
					ast.Inspect(d.Body, look)
				}
			case path == "fmt":
				found = !strings.HasPrefix(obj.Name(), "S") && obj.Name() != "Errorf"
			default:
				found = slices.Contains(telling, path) || !library[path]
			}
		}
		return !found
	}
	for _, n := range roots {
		ast.Inspect(n, look)
	}
	return found
}

package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/closure"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// A state tells which package variables of a program are saved: all of the user's own packages;
// of packages of other modules, rewritten or not, those that may change after the initialisation,
// unless they are about the machine.
// What the user's files name as transient, by a line
//
//	//ckp:transient example.org/mod/pkg.name
//
// (or without .name, for all variables of the package, or with .type.field, for a field) is left
// out. So is what a directive go:linkname makes of a variable that is none of a package, but of
// Go's runtime, or a symbol of C or assembly: these belong to the process, and the latter are code
// as a rule, which nothing may write.
type state struct {
	program  *load.Program
	stateful map[*types.Package]bool // packages of other modules
	process  map[*types.Package]bool // the other ones of these, whose variables belong to the process
	changing map[*types.Var]bool     // their variables that may change
	left     map[string]bool         // what is named as transient
	embedded map[*types.Var]bool     // variables that are embedded from files, and whether they may change
	foreign  map[*types.Var]bool     // what a directive makes variables of that are no package's
}

func newState(p *load.Program, c *closure.Closure) *state {
	s := &state{program: p, stateful: c.Stateful(), process: make(map[*types.Package]bool), left: make(map[string]bool), embedded: embedded(p), foreign: foreign(p)}
	if len(s.stateful) > 0 {
		s.changing = c.Changing(s.stateful)
	}
	if len(s.embedded) > 0 {
		embedding := make(map[*types.Package]bool)
		for v := range s.embedded {
			embedding[v.Pkg()] = true
		}
		changing := c.Changing(embedding)
		for v := range s.embedded {
			s.embedded[v] = changing[v]
		}
	}
	for _, pkg := range p.All {
		if load.Dependency(pkg) && !load.Variant(pkg) && !s.stateful[pkg.Types] {
			s.process[pkg.Types] = true
		}
		if !load.Own(pkg) {
			continue
		}
		for _, file := range pkg.Syntax {
			for _, group := range file.Comments {
				for _, comment := range group.List {
					rest, ok := strings.CutPrefix(comment.Text, "//ckp:transient ")
					if fields := strings.Fields(rest); ok && len(fields) > 0 {
						s.left[fields[0]] = true
					}
				}
			}
		}
	}
	return s
}

// foreign returns the variables that a directive go:linkname makes those of Go's runtime, or what
// no package has.
func foreign(p *load.Program) map[*types.Var]bool {
	found := make(map[*types.Var]bool)
	for _, pkg := range p.All {
		if p.StandardLibrary(pkg) {
			continue
		}
		for link := range load.Links(pkg.Syntax...) {
			v, ok := pkg.Types.Scope().Lookup(link.Local).(*types.Var)
			if !ok || link.Target == "" {
				continue
			}
			if path, _, ok := link.Split(); !ok || path == "runtime" || strings.HasPrefix(path, "runtime/") {
				found[v] = true
			}
		}
	}
	return found
}

// embedded returns the variables that are embedded from files.
func embedded(p *load.Program) map[*types.Var]bool {
	found := make(map[*types.Var]bool)
	for _, pkg := range p.All {
		for _, file := range pkg.Syntax {
			for _, d := range file.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.VAR {
					continue
				}
				for _, spec := range g.Specs {
					spec := spec.(*ast.ValueSpec)
					if !embeds(g.Doc) && !embeds(spec.Doc) {
						continue
					}
					for _, id := range spec.Names {
						if v, ok := pkg.TypesInfo.Defs[id].(*types.Var); ok {
							found[v] = false
						}
					}
				}
			}
		}
	}
	return found
}

// embeds reports whether there is a directive go:embed in the documentation of a variable.
func embeds(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:embed")
	})
}

// saves reports whether a package variable is a part of checkpoints. One that is embedded from
// files, which can be large, is if it may change.
func (s *state) saves(v *types.Var) bool {
	if s.process[v.Pkg()] || s.foreign[v] || s.leaves(v.Pkg().Path(), v.Name()) {
		return false
	}
	if changing, ok := s.embedded[v]; ok {
		return changing
	}
	return !s.stateful[v.Pkg()] || s.changing[v]
}

// leaves reports whether a variable is named as transient.
func (s *state) leaves(path, name string) bool { return s.left[path] || s.left[path+"."+name] }

// packages returns the packages of other modules that have variables which are saved, except the
// given ones, ordered by import path.
func (s *state) packages(except []*packages.Package) []*packages.Package {
	has := make(map[*types.Package]bool)
	for v := range s.changing {
		if s.saves(v) {
			has[v.Pkg()] = true
		}
	}
	for _, pkg := range except {
		delete(has, pkg.Types)
	}
	var list []*packages.Package
	for _, pkg := range s.program.All {
		if has[pkg.Types] {
			list = append(list, pkg)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].PkgPath < list[j].PkgPath })
	return list
}

// named returns what is named as transient, ordered.
func (s *state) named() []string { return slices.Sorted(maps.Keys(s.left)) }

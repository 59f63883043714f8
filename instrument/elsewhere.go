package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"sync"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// elsewhere returns a function that reports whether a package uses an exported field or variable
// that another package declares, by its name or in a literal without names. It may be called by
// several goroutines, and looks through the program when it is called first, as few programs have
// such ones that somebody asks for.
func (a *Analysis) elsewhere() func(*types.Var) bool {
	used := sync.OnceValue(a.usedElsewhere)
	return func(f *types.Var) bool { return used()[f.Pos()] }
}

// usedElsewhere returns where they are declared. (What a package has in common with its test
// variant are the positions.)
func (a *Analysis) usedElsewhere() map[token.Pos]bool {
	used := make(map[token.Pos]bool)
	note := func(f *types.Var, in *types.Package) {
		if f.Exported() && f.Pkg() != nil && f.Pkg().Path() != in.Path() {
			used[f.Pos()] = true
		}
	}
	for _, pkg := range a.Program.All {
		if load.Standard(pkg) || pkg.TypesInfo == nil {
			continue // which knows no fields of others
		}
		for _, obj := range pkg.TypesInfo.Uses {
			if v, ok := obj.(*types.Var); ok {
				note(v, pkg.Types)
			}
		}
		for e, tv := range pkg.TypesInfo.Types {
			lit, ok := e.(*ast.CompositeLit)
			if !ok || len(lit.Elts) == 0 {
				continue
			}
			if _, ok := lit.Elts[0].(*ast.KeyValueExpr); ok {
				continue
			}
			of := tv.Type.Underlying()
			if p, ok := of.(*types.Pointer); ok {
				of = p.Elem().Underlying()
			}
			if st, ok := of.(*types.Struct); ok {
				for f := range st.Fields() {
					note(f, pkg.Types)
				}
			}
		}
	}
	return used
}

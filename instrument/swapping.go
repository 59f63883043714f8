package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/edits"
	"github.com/ckpgen/ckpgen/instrument/load"
	"github.com/ckpgen/ckpgen/instrument/rewrite"
)

// takeSwappers has the packages that call reflect.Swapper, or keep that function, do so with one of
// package ckp, whether they are rewritten or not: func values of package reflect can't be saved.
//
//	swap := reflect.Swapper(list)
//
// becomes
//
//	swap := ckpSwapper0(list)
func (a *Analysis) takeSwappers(out *Sources) error {
	from := rewrite.RootPath
	if out.Carried {
		from, _ = carriedPath(from)
	}
	for _, pkg := range a.Program.All {
		if !load.Own(pkg) && (!load.Dependency(pkg) || a.OwnOnly) {
			continue
		}
		for i, file := range pkg.Syntax {
			of, name := swapperUsed(pkg, file), pkg.CompiledGoFiles[i]
			if of == "" || !slices.Contains(pkg.GoFiles, name) { // cgo has written it
				continue
			}
			err := a.revise(out, name, func(fset *token.FileSet, file *ast.File) ([]edits.Edit, map[string]bool) {
				return takeSwapper(fset, file, of, i, from), map[string]bool{from: true, "unsafe": true}
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// usesSwapper reports whether a package uses reflect.Swapper.
func usesSwapper(pkg *packages.Package) bool {
	for _, file := range pkg.Syntax {
		if swapperUsed(pkg, file) != "" {
			return true
		}
	}
	return false
}

// swapperUsed returns the name that a file has for package reflect if it uses Swapper of that;
// empty if it does not, or if something else in the file is written alike.
func swapperUsed(pkg *packages.Package, file *ast.File) (name string) {
	imported := false
	for _, spec := range file.Imports {
		imported = imported || spec.Path.Value == `"reflect"`
	}
	if !imported {
		return ""
	}
	other := make(map[string]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Swapper" {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		if p, ok := pkg.TypesInfo.Uses[x].(*types.PkgName); ok && p.Imported().Path() == "reflect" {
			name = x.Name
		} else {
			other[x.Name] = true
		}
		return true
	})
	if other[name] {
		return ""
	}
	return name
}

// takeSwapper has a file, number i of its package, get the function from package ckp, whose path is
// given.
func takeSwapper(fset *token.FileSet, file *ast.File, of string, i int, path string) []edits.Edit {
	var list []edits.Edit
	name := "ckpSwapper" + strconv.Itoa(i)
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Swapper" {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == of {
				list = append(list, edits.Of(fset, sel, name))
			}
		}
		return true
	})
	if len(list) == 0 {
		return nil
	}
	end := fset.PositionFor(file.FileEnd, false).Offset
	declaration := fmt.Sprintf("\n\nvar _ %s.Value // it may be imported for this alone\n\n//go:linkname %s %s.sliceSwapper\nfunc %[2]s(any) func(i, j int)\n", of, name, path)
	return append(list, edits.Edit{From: end, To: end, Text: declaration})
}

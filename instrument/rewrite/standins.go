package rewrite

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/directive"
)

// A directive that is a statement has become a call of a stand-in before the analysis (package
// directive). Here it becomes a call of package ckp, and the declaration of the stand-in goes.

// standIns returns the stand-ins of the package, and the functions that they stand for.
func (p *pkg) standIns() map[types.Object]string {
	var list map[types.Object]string
	for _, file := range p.Pkg.Syntax {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if name := directive.Standing(fn); name != "" {
				if list == nil {
					list = make(map[types.Object]string)
				}
				list[p.info.Defs[fn.Name]] = name
			}
		}
	}
	return list
}

// standIn reports whether a declaration is that of a stand-in.
func (f *file) standIn(d ast.Decl) bool {
	fn, ok := d.(*ast.FuncDecl)
	return ok && f.p.standing[f.p.info.Defs[fn.Name]] != ""
}

// directives is the name of package ckp for directives: one that means nothing else anywhere in the
// package, whatever the file calls it.
func (f *file) directives() string {
	name := f.added[RootPath]
	switch {
	case name != "":
	case f.imports[RootPath] == "":
		name = f.importName(RootPath, "ckp")
	default:
		name = f.p.packageName("ckp_directives")
		f.added[RootPath] = name
	}
	return name
}

// called tells people which function is called.
func (c *function) called(call *ast.CallExpr) string {
	if id, ok := call.Fun.(*ast.Ident); ok {
		if name := c.p.standing[c.p.info.Uses[id]]; name != "" {
			return "ckp." + name
		}
	}
	return strings.Join(strings.Fields(c.source(call.Fun.Pos(), call.Fun.End())), " ")
}

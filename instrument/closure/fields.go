package closure

import (
	"go/ast"
	"go/token"
	"go/types"
)

// What a loop counts with can be a field of what a local variable is or points to, as in scanners:
//
//	for p.pos < len(p.text) && isDigit(p.text[p.pos]) { p.pos++ }
//
// It is a variable like others if the loop names that field of nothing else, and can't assign it by
// another way: it assigns no whole structs, makes no literals that know the field, and calls
// nothing but what is quick or small functions that do no such things themselves.

// field returns the field that an expression names, of a local variable or of what that points to;
// else nil.
func (l counted) field(e *ast.SelectorExpr) *types.Var {
	s := l.info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal || l.base(e) == nil || embedsPointer(s) {
		return nil
	}
	return s.Obj().(*types.Var)
}

// embedsPointer reports whether a field is one of what an embedded pointer leads to, which may lead
// to something else in the next iteration.
func embedsPointer(s *types.Selection) bool {
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		t = t.Underlying().(*types.Struct).Field(i).Type()
		if _, ok := t.Underlying().(*types.Pointer); ok {
			return true
		}
	}
	return false
}

// base returns the local variable of which an expression names a field.
func (l counted) base(e *ast.SelectorExpr) *types.Var { return l.ownVariable(e.X) }

// keepsField reports whether a field is that of one variable in all of the loop, and no one else
// assigns it there.
func (l counted) keepsField(v *types.Var) bool {
	var of *types.Var
	keeps := true
	ast.Inspect(l.loop, func(n ast.Node) bool {
		if n, ok := n.(*ast.SelectorExpr); ok {
			if s := l.info.Selections[n]; s != nil && s.Obj() == v {
				base := l.base(n)
				keeps = keeps && base != nil && (of == nil || of == base)
				of = base
			}
		}
		return keeps
	})
	return keeps && of != nil && l.unassigned(of) && l.g.leavesField(l.info, l.loop, v, 0)
}

// unassigned reports whether the loop assigns a local variable nowhere, and does not declare it.
func (l counted) unassigned(v *types.Var) bool {
	return l.nothingElse(v, func(ast.Stmt) bool { return false })
}

// leavesField reports whether a node, but for assignments that name the field, can't change a
// field: it assigns no structs, has no literals that name the field, and calls only what does no
// such things.
func (g *graph) leavesField(info *types.Info, root ast.Node, field *types.Var, depth int) bool {
	leaves := true
	whole := func(e ast.Expr) {
		if t := info.TypeOf(e); t != nil {
			switch t.Underlying().(type) {
			case *types.Struct, *types.Array:
				leaves = leaves && isBlank(e)
			}
			_, any := types.Unalias(t).(*types.TypeParam) // which may stand for a struct
			leaves = leaves && (!any || isBlank(e))
			if _, ok := ast.Unparen(e).(*ast.StarExpr); ok {
				leaves = leaves && !types.Identical(t, field.Type()) // the address may have been taken before
			}
		}
		if s, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && depth > 0 {
			leaves = leaves && info.Uses[s.Sel] != field
		}
	}
	left := func(list []ast.Stmt) bool { return depth == 0 && (counted{}).leaves(list) } // the loop, on that way
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return !left(n.List)
		case *ast.CaseClause:
			if left(n.Body) {
				for _, e := range n.List {
					ast.Inspect(e, visit)
				}
				return false
			}
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt, *ast.SendStmt:
			leaves = false
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.RangeStmt:
			if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
				break
			}
			for _, e := range operands(n) {
				whole(e)
			}
		case *ast.UnaryExpr:
			switch n.Op {
			case token.ARROW:
				leaves = false // others may run meanwhile
			case token.AND:
				s, ok := ast.Unparen(n.X).(*ast.SelectorExpr)
				leaves = leaves && !(ok && info.Uses[s.Sel] == field)
			}
		case *ast.CallExpr:
			leaves = leaves && g.callLeavesField(info, n, field, depth)
		}
		return leaves
	}
	ast.Inspect(root, visit)
	return leaves
}

// callLeavesField reports the same of a call.
func (g *graph) callLeavesField(info *types.Info, call *ast.CallExpr, field *types.Var, depth int) bool {
	l := counted{g: g, info: info}
	if l.isQuick(call) {
		return !info.Types[ast.Unparen(call.Fun)].IsBuiltin() || len(call.Args) == 0 || !holdsStructs(info.TypeOf(call.Args[0]))
	}
	const deep = 3
	f := l.calledByName(call)
	if f == nil || depth == deep {
		return false
	}
	d, in := g.declaration(f)
	return d != nil && d.Body != nil && g.leavesField(in, d.Body, field, depth+1)
}

// holdsStructs reports whether a slice or a map has elements that may have fields, which append,
// copy and clear assign.
func holdsStructs(t types.Type) bool {
	var elem types.Type
	switch u := t.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Map:
		elem = u.Elem()
	default:
		return false
	}
	switch elem.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// declaration returns the declaration of a function or method in a rewritten package, and what is
// known of the types there; nil if there is none.
func (g *graph) declaration(f *types.Func) (*ast.FuncDecl, *types.Info) {
	info := g.infoAt(f.Pos())
	if info == nil {
		return nil, nil
	}
	if g.declarations == nil {
		g.declarations = make(map[token.Pos]*ast.FuncDecl)
		for _, pkg := range g.prog.Rewritable() {
			for _, file := range pkg.Syntax {
				for _, d := range file.Decls {
					if fd, ok := d.(*ast.FuncDecl); ok {
						g.declarations[fd.Name.Pos()] = fd
					}
				}
			}
		}
	}
	return g.declarations[f.Pos()], info
}

func isBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

package closure

import (
	"go/ast"
	"go/types"
)

// A loop can count to what a function returns, or go on to it, which does nothing but return the
// length of something or a field:
//
//	func (h *heap) Len() int    { return len(h.items) }
//	func (e *element) Next() *element { return e.next }

// An accessor is what a function returns that does nothing else.
type accessor struct {
	length bool       // the length of something
	field  *types.Var // a field of what its receiver is or points to, or nil
}

// accessor tells what a function returns that is declared in a rewritten package to do nothing
// else; nothing of any other function.
func (g *graph) accessor(f *types.Func) accessor {
	if f == nil {
		return accessor{}
	}
	if g.accessors == nil {
		g.accessors = make(map[*types.Func]accessor)
		for _, pkg := range g.prog.Rewritable() {
			for _, file := range pkg.Syntax {
				for _, d := range file.Decls {
					fd, ok := d.(*ast.FuncDecl)
					if !ok || fd.Body == nil || len(fd.Body.List) != 1 {
						continue
					}
					ret, ok := fd.Body.List[0].(*ast.ReturnStmt)
					if !ok || len(ret.Results) != 1 {
						continue
					}
					a := accessor{isLength(pkg.TypesInfo, ret.Results[0]), fieldOfReceiver(pkg.TypesInfo, fd, ret.Results[0])}
					if f, ok := pkg.TypesInfo.Defs[fd.Name].(*types.Func); ok && a != (accessor{}) {
						g.accessors[f] = a
					}
				}
			}
		}
	}
	return g.accessors[f]
}

// isLength reports whether an expression is the length or capacity of something that has an end.
func isLength(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !info.Types[call.Fun].IsBuiltin() {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && (id.Name == "len" || id.Name == "cap") && !isBoundless(info.TypeOf(call.Args[0]))
}

// fieldOfReceiver returns the field of the receiver of a method that an expression in it is, or
// nil.
func fieldOfReceiver(info *types.Info, fd *ast.FuncDecl, e ast.Expr) *types.Var {
	if fd.Recv == nil || len(fd.Recv.List[0].Names) != 1 {
		return nil
	}
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	s := info.Selections[sel]
	if !ok || s == nil || s.Kind() != types.FieldVal || embedsPointer(s) || info.Uses[id] != info.Defs[fd.Recv.List[0].Names[0]] {
		return nil
	}
	return s.Obj().(*types.Var).Origin()
}

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A package that looks at the words of an interface does it by a struct of two unsafe pointers:
//
//	type words struct{ typ, data unsafe.Pointer }
//
//	func wordsOf(x any) *words { return (*words)(unsafe.Pointer(&x)) }
//
// If it keeps that pointer, as gonum.org/v1/gonum/graph/iterator does, nothing tells any more that it leads to an interface. Such structs are registered. The type may also be
// a uintptr, as in github.com/puzpuzpuz/xsync/v3, where a hash function has captured the pointer.

// interfaceStructs returns those of the package.
func (p *pkg) interfaceStructs() (list []types.Type) {
	seen := make(map[*types.Named]bool)
	converted := func(n ast.Node) (to types.Type, from ast.Expr) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !p.info.Types[call.Fun].IsType() {
			return nil, nil
		}
		return p.typeOf(call), ast.Unparen(call.Args[0])
	}
	for _, file := range p.Pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			to, from := converted(n)
			pointer, ok := to.(*types.Pointer)
			if !ok {
				return true
			}
			named, ok := types.Unalias(pointer.Elem()).(*types.Named)
			if !ok || seen[named] || named.TypeArgs() != nil || !isWords(named) {
				return true
			}
			_, from = converted(from)
			if u, ok := from.(*ast.UnaryExpr); ok && u.Op == token.AND && isEmptyInterface(p.typeOf(u.X)) {
				seen[named] = true
				list = append(list, named)
			}
			return true
		})
	}
	return list
}

// isWords reports whether a type is a struct of two unsafe pointers, or of a number and one.
func isWords(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || st.NumFields() != 2 || !isUnsafePointer(st.Field(1).Type()) {
		return false
	}
	return isUnsafePointer(st.Field(0).Type()) || types.Identical(st.Field(0).Type().Underlying(), types.Typ[types.Uintptr])
}

func isEmptyInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty() && !isTypeParam(t)
}

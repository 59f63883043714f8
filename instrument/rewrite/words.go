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
// If it keeps that pointer, as gonum.org/v1/gonum/graph/iterator does, nothing tells any more that
// it leads to an interface. Such structs are registered. The type may also be a uintptr, as in
// github.com/puzpuzpuz/xsync/v3, where a hash function has captured the pointer, or a pointer to a
// struct that stands for the runtime's description of a type, as in github.com/goccy/go-json: one
// without fields, or one that begins as descriptions do.

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

// isWords reports whether a type is a struct of two unsafe pointers, or of a number or a pointer to
// the description of a type and one.
func isWords(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || st.NumFields() != 2 || !isUnsafePointer(st.Field(1).Type()) {
		return false
	}
	switch first := st.Field(0).Type().Underlying().(type) {
	case *types.Basic:
		return first.Kind() == types.UnsafePointer || first.Kind() == types.Uintptr
	case *types.Pointer:
		return isDescription(first.Elem())
	}
	return false
}

// isDescription reports whether a type is a struct without fields, or one that begins with two of
// uintptr and a uint32, as the runtime's descriptions of types do.
func isDescription(t types.Type) bool {
	if st, ok := t.Underlying().(*types.Struct); !ok || st.NumFields() == 0 {
		return ok
	}
	first := firstBasics(t, nil)
	return len(first) == 3 && first[0] == types.Uintptr && first[1] == types.Uintptr && first[2] == types.Uint32
}

// firstBasics appends the kinds of the first three values that a struct has.
func firstBasics(t types.Type, kinds []types.BasicKind) []types.BasicKind {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return append(kinds, u.Kind())
	case *types.Struct:
		for i := 0; i < u.NumFields() && len(kinds) < 3; i++ {
			kinds = firstBasics(u.Field(i).Type(), kinds)
		}
		return kinds
	}
	return append(kinds, types.Invalid)
}

func isEmptyInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty() && !isTypeParam(t)
}

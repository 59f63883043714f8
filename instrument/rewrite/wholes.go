package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Where the program keeps only a pointer to the first part of a struct, a head (heads.go), the
// larger struct is one of those that it makes pointers to elsewhere:
//
//	func (n *node) items() []int { return (*leaf)(unsafe.Pointer(n)).items[:] }
//
// Package heap looks which of them the allocation can be. It finds their types by their names in
// the binary, where the linker lists those only that something has a pointer to: the registration
// has, and shadow.Allocated for instances of generic ones.

// wholes returns the package's structs to which unsafe pointers are converted, other than those of
// a variable or field that is named there.
func (p *pkg) wholes() map[*types.TypeName]bool {
	if p.whole != nil {
		return p.whole
	}
	p.whole = make(map[*types.TypeName]bool)
	p.eachCall(func(call *ast.CallExpr, _ []ast.Node) {
		if !p.info.Types[call.Fun].IsType() || len(call.Args) != 1 || !isUnsafePointer(p.typeOf(call.Args[0])) {
			return
		}
		to, ok := p.typeOf(call).Underlying().(*types.Pointer)
		if !ok {
			return
		}
		if from, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok && len(from.Args) == 1 {
			if u, ok := ast.Unparen(from.Args[0]).(*ast.UnaryExpr); ok && u.Op == token.AND {
				return
			}
		}
		if t := p.ownStruct(to.Elem()); t != nil && t.Parent() == p.types.Scope() && beginsWithStruct(t.Type()) {
			p.whole[t] = true
		}
	})
	return p.whole
}

// beginsWithStruct reports whether the first field of a struct is one.
func beginsWithStruct(t types.Type) bool {
	s := t.Underlying().(*types.Struct)
	for i := 0; i < s.NumFields() && isFirst(s, i); i++ {
		if isStruct(s.Field(i).Type()) {
			return true
		}
	}
	return false
}

// plainWholes returns those that are not generic.
func (p *pkg) plainWholes() (list []types.Type) {
	for t := range p.wholes() {
		if t.Type().(*types.Named).TypeParams() == nil {
			list = append(list, t.Type())
		}
	}
	slices.SortFunc(list, func(a, b types.Type) int { return strings.Compare(a.String(), b.String()) })
	return list
}

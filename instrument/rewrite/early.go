package rewrite

import (
	"go/ast"
	"go/types"
)

// Where the language leaves the order open, a program is to see the one that the gc compiler chooses. It
// reads variables late, after all calls of the expression, but gives these operations their turn among the
// calls, from left to right:
//
//	x && y, x || y               (lowerShortCircuit)
//	x[i:j], and before it i, j   if they are more than a variable
//	x.(T)                        unless a T is a single pointer
//	[]byte(s), []rune(s)
//	map[K]V{...}
//
// So they become temporaries if a resume point follows in the expression.

// early lets a temporary stand for e, whose parts have been lowered, if it is one of these.
func (c *function) early(e ast.Expr) {
	if c.pending > 0 && c.hasTurn(e) {
		c.intoTemporary(e, "early")
	}
}

func (c *function) hasTurn(e ast.Expr) bool {
	t := c.p.typeOf(e)
	if _, several := t.(*types.Tuple); several || c.p.info.Types[e].Value != nil {
		return false
	}
	switch e := e.(type) {
	case *ast.SliceExpr:
		return true
	case *ast.TypeAssertExpr:
		return !singlePointer(t)
	case *ast.CallExpr: // a conversion
		_, slice := t.Underlying().(*types.Slice)
		from, ok := c.p.typeOf(e.Args[0]).Underlying().(*types.Basic)
		return slice && ok && from.Info()&types.IsString != 0
	case *ast.CompositeLit:
		_, ok := t.Underlying().(*types.Map)
		return ok && e.Type != nil
	}
	return false
}

// earlyBound is early for an index of a slice expression.
func (c *function) earlyBound(e ast.Expr) {
	if e == nil || c.pending == 0 || c.p.info.Types[e].Value != nil {
		return
	}
	if _, ok := ast.Unparen(e).(*ast.Ident); ok {
		return
	}
	if _, ok := c.subst[e]; !ok {
		c.intoTemporary(e, "early")
	}
}

// singlePointer reports whether values of the type are one pointer, which an interface holds in its second word.
func singlePointer(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() == 1 && singlePointer(u.Elem())
	case *types.Struct:
		return u.NumFields() == 1 && singlePointer(u.Field(0).Type())
	}
	return false
}

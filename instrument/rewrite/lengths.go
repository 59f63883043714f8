package rewrite

import (
	"go/ast"
	"go/types"
)

// The length of an array is a constant, and the array is not evaluated for it, unless the
// expression calls something:
//
//	len(*f())    call1 := f(); ...; len(shadow.Value(*call1))
//
// Where the call stands before the expression, a variable is left that calls nothing, so that a nil
// pointer would not fail any more, nor an index out of range. So it is for an array that is ranged
// over without its values.

// keepEvaluated notes that e, whose length alone is asked for, is evaluated if it was before calls
// were taken out of it.
func (c *function) keepEvaluated(e ast.Expr) {
	t := core(c.p.typeOf(e))
	if p, ok := t.(*types.Pointer); ok {
		t = core(p.Elem())
	}
	if _, ok := t.(*types.Array); !ok || c.p.constantLength(e) {
		return
	}
	e = ast.Unparen(e)
	if _, ok := c.subst[e]; ok {
		return // nothing is left to evaluate
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if n == nil || c.evaluated == e {
			return false
		}
		if _, ok := c.subst[n]; ok {
			c.evaluated = e
		}
		return true
	})
}

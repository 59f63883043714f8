package load

import (
	"go/ast"
	"go/types"
)

// Unconverted returns an expression without the conversions around it.
func Unconverted(info *types.Info, e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[ast.Unparen(call.Fun)].IsType() {
		return Unconverted(info, call.Args[0])
	}
	return e
}

package blocking

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Never reports whether a condition is false whenever it is evaluated, as a constant, or a
// conjunction with one, is. What stands below it, such as "if debug && verbose { wait() }", is not
// compiled.
func Never(info *types.Info, cond ast.Expr) bool {
	cond = ast.Unparen(cond)
	if v := info.Types[cond].Value; v != nil {
		return !constant.BoolVal(v)
	}
	both, ok := cond.(*ast.BinaryExpr)
	return ok && both.Op == token.LAND && (Never(info, both.X) || Never(info, both.Y))
}

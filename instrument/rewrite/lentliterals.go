package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A function literal can be lent as an address can (lent.go): to a function that calls it, and
// makes no use of it after that,
//
//	total := 0
//	each(list, func(x item) { total += x.size })
//
// If no checkpoint can be taken in the call, the literal is alive at none. So it stays what it is,
// as a part of the function it stands in. The variables that it shares with that are in no cell for
// it, but are as those whose address is lent: a frame holds their values. Then the compiler can
// inline such a call as in the program without checkpoints.
//
// What such a literal has inside is as simple as what any statement without resume points has,
// without code that lives longer or that the rest of the function would have to know of: other
// literals but such, defer, go and select statements, labels and declarations of types.

// lendsLiteral reports whether an argument of a call is a literal that is only lent.
func (p *pkg) lendsLiteral(call *ast.CallExpr, param int) bool {
	lit, ok := ast.Unparen(call.Args[param]).(*ast.FuncLit)
	if !ok || p.info.Types[call.Fun].IsType() || p.info.Types[call.Fun].IsBuiltin() {
		return false
	}
	return !p.Closure.Func(lit) && !p.reachesPoint(call) && p.Closure.Operation(call).Function == nil &&
		p.borrows(call, param) && !p.pointBetween(call, false) && p.canBePart(lit)
}

// pointBetween reports whether an operand of a call may be a resume point, or hold code if that
// counts as one.
func (p *pkg) pointBetween(call *ast.CallExpr, code bool) bool {
	found := false
	ast.Inspect(call, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = found || code
			return false
		case *ast.CallExpr:
			found = found || n != call && p.reachesPoint(n)
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// mostNodes is how large such a literal can be: it is written as often as what is around it
// (again.go).
const mostNodes = 600

// canBePart reports whether a literal has nothing inside that can't be a part of another function.
func (p *pkg) canBePart(lit *ast.FuncLit) bool {
	inside := make(map[*ast.FuncLit]bool)
	nodes, ok := 0, true
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if nodes++; nodes > mostNodes { // also those that are left
			ok = false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = ok && inside[n]
		case *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt, *ast.LabeledStmt, *ast.SendStmt:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.GenDecl:
			ok = ok && n.Tok == token.VAR
		case *ast.RangeStmt:
			ok = ok && !p.overFunction(n)
		case *ast.CallExpr:
			if p.info.Types[n.Fun].IsBuiltin() && builtinName(n.Fun) == "recover" {
				ok = false
			}
			for i, arg := range n.Args {
				if inner, is := ast.Unparen(arg).(*ast.FuncLit); is && p.lendsLiteral(n, i) {
					inside[inner] = true
				}
			}
		}
		return ok
	})
	return ok
}

// hand finds the literals among the arguments of a call that are only lent.
func (f *facts) hand(call *ast.CallExpr) {
	if f.goOrDefer[call] {
		return
	}
	for i, arg := range call.Args {
		if lit, ok := ast.Unparen(arg).(*ast.FuncLit); ok && f.lendsLiteral(call, i) {
			f.handed[lit] = true
		}
	}
}

// shareWithHanded notes the variables that such literals share with the functions around them, and
// that may change meanwhile.
func (f *facts) shareWithHanded() {
	for lit := range f.handed {
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			v, ok := f.info.Uses[id].(*types.Var)
			switch {
			case !ok || v.IsField() || lit.Pos() <= v.Pos() && v.Pos() < lit.End() || !f.assigned[v]:
			case takesLittle(v.Type(), mostFramed):
				f.lent[v] = true
			default:
				f.captured[v] = true
			}
			return true
		})
	}
}

// handedLiteral writes such a literal.
func (c *function) handedLiteral(lit *ast.FuncLit) string {
	c.inHanded++
	defer func() { c.inHanded-- }()
	return c.render(lit.Type) + c.source(lit.Type.End(), lit.Body.Pos()) + c.render(lit.Body)
}

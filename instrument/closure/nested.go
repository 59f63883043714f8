package closure

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// The loops inside of one that ends soon must not make it long. They don't if they
//
//	for j := 0; j < 6; j++        are brief: at most briefBound iterations, a constant,
//	for range [4]byte{}           and no loop in them
//	for !done { ... }             poll themselves: a turn in which they do nothing is short
//	for i < E && ... { ...; i++ } go on with the counter of the loop that they are in
//
// and not if they are made by goto statements. The last kind is how scanners skip blanks and read
// digits: together with the loop around them they can't step more often than up to the greatest of
// the lengths.

// briefBound is the largest number of iterations of a brief loop.
const briefBound = 16

// addLittle reports whether the loops in the body of one make it not much longer. The loop counts
// up with v, if that is not nil.
func (l counted) addLittle(body *ast.BlockStmt, v *types.Var) bool {
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			ok = ok && (l.brief(n) || l.goesOn(n, v) || l.polled(n))
		case *ast.RangeStmt:
			ok = ok && (l.brief(n) || l.polled(n))
		case *ast.BranchStmt:
			ok = ok && backTo(l.info, n) < body.Pos() // there is none, or it leads out
		}
		return ok
	})
	return ok
}

// polled reports whether a loop inside polls.
func (l counted) polled(loop ast.Stmt) bool { return l.polls != nil && l.polls(loop) }

// upCounter returns the variable with which the loop counts up to a length, if that is what the
// condition tells; else nil.
func (l counted) upCounter(cond *ast.BinaryExpr) *types.Var {
	switch x, y := cond.X, cond.Y; {
	case cond.Op == token.LSS || cond.Op == token.LEQ:
		if l.countsUp(x, cond.Op, y) {
			return l.variable(x)
		}
	case cond.Op == token.GTR || cond.Op == token.GEQ:
		if l.countsUp(y, mirrored[cond.Op], x) {
			return l.variable(y)
		}
	}
	return nil
}

// goesOn reports whether an inner loop steps the counter of the outer one, up to a length of its
// own.
func (l counted) goesOn(loop *ast.ForStmt, v *types.Var) bool {
	if v == nil || loop.Cond == nil || loop.Init != nil {
		return false
	}
	inner := l
	inner.loop = loop
	for _, cond := range conjuncts(loop.Cond) {
		if e, ok := cond.(*ast.BinaryExpr); ok && inner.upCounter(e) == v {
			return true
		}
	}
	return false
}

// brief reports whether a loop has few iterations, by a constant, and no loop inside.
func (l counted) brief(loop ast.Stmt) bool { return !holdsLoop(BodyOf(loop)) && l.hasFew(loop) }

// Few reports whether a loop of the function fn, or of a literal in it, has few iterations, by a
// constant.
func (c *Closure) Few(fn ast.Node, loop ast.Stmt) bool {
	c.asking.Lock()
	defer c.asking.Unlock()
	l := c.counted(fn, loop.Pos(), nil)
	return l.info != nil && l.hasFew(loop)
}

// hasFew reports whether a loop has few iterations, by a constant.
func (l counted) hasFew(loop ast.Stmt) bool {
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		return l.few(loop.X)
	case *ast.ForStmt:
		l.loop = loop
		return loop.Cond != nil && slices.ContainsFunc(conjuncts(loop.Cond), func(cond ast.Expr) bool {
			e, ok := cond.(*ast.BinaryExpr)
			return ok && l.countsFew(e)
		})
	}
	return false
}

// few reports whether a range loop over an expression has few iterations.
func (l counted) few(e ast.Expr) bool {
	if n := l.constant(e); n != nil {
		return constant.Compare(n, token.LEQ, constant.MakeInt64(briefBound))
	}
	t := l.info.TypeOf(e).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	array, ok := t.(*types.Array)
	return ok && array.Len() <= briefBound
}

// countsFew reports whether the loop counts from one constant to another, with few steps.
func (l counted) countsFew(cond *ast.BinaryExpr) bool {
	v := l.variable(cond.X)
	init, ok := l.loop.Init.(*ast.AssignStmt)
	if v == nil || !ok || len(init.Lhs) != 1 || len(init.Rhs) != 1 || l.variable(init.Lhs[0]) != v {
		return false
	}
	from, to := l.constant(init.Rhs[0]), l.constant(cond.Y)
	if from == nil || to == nil {
		return false
	}
	way := constant.BinaryOp(to, token.SUB, from)
	switch cond.Op {
	case token.LSS, token.LEQ:
		ok = l.only(v, l.ascends(cond.Op, cond.Y))
	case token.GTR, token.GEQ:
		ok, way = l.only(v, l.lowers(cond.Op, cond.Y)), constant.UnaryOp(token.SUB, way, 0)
	default:
		return false
	}
	return ok && constant.Compare(way, token.LSS, constant.MakeInt64(briefBound))
}

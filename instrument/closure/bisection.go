package closure

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// A search for something in what is ordered halves what is left of it, in one of two forms:
//
//	for n > 0 { half := n / 2; ...; if ... { n -= half + 1 } else { n = half } }
//	for i < j { h := (i + j) / 2; ...; if ... { i = h + 1 } else { j = h } }

// takesHalf reports whether an assignment leaves the variable with about half of its value: the half that the body of the loop computes, or the rest.
func (l counted) takesHalf(v *types.Var, a *ast.AssignStmt) bool {
	isHalf := func(e ast.Expr) bool {
		h := l.variable(e)
		return h != nil && l.half(h, v)
	}
	rest := func(e ast.Expr) bool { // h or h + 1
		return isHalf(l.apart(e, token.ADD))
	}
	switch a.Tok {
	case token.SUB_ASSIGN:
		return rest(a.Rhs[0])
	case token.ASSIGN:
		e := l.apart(a.Rhs[0], token.SUB) // v - h - 1
		if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.SUB && l.variable(b.X) == v {
			return rest(b.Y)
		}
		return isHalf(e)
	}
	return false
}

// half reports whether a variable is defined in the body of the loop as half of others, and assigned nowhere else.
func (l counted) half(h *types.Var, of ...*types.Var) bool {
	if !within(h, l.loop.Body) {
		return false
	}
	ok, times := false, 0
	ast.Inspect(l.loop, func(n ast.Node) bool {
		s, is := n.(ast.Stmt)
		if !is || !l.assigns(s, h) {
			return true
		}
		times++
		a, is := n.(*ast.AssignStmt)
		ok = is && len(a.Lhs) == 1 && len(a.Rhs) == 1 && a.Tok == token.DEFINE && l.dividesInTwo(a.Rhs[0]) &&
			!slices.ContainsFunc(of, func(v *types.Var) bool { return !l.mentions(a.Rhs[0], v) })
		return true
	})
	return ok && times == 1
}

// dividesInTwo reports whether something is divided by two in an expression.
func (l counted) dividesInTwo(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok {
			by := l.constant(b.Y)
			switch {
			case by == nil:
			case b.Op == token.QUO:
				found = found || constant.Compare(by, token.EQL, constant.MakeInt64(2))
			case b.Op == token.SHR:
				found = found || constant.Compare(by, token.EQL, constant.MakeInt64(1))
			}
		}
		return !found
	})
	return found
}

// bisects reports whether the condition compares the two ends of what is left, and each iteration moves one of them to the middle.
func (l counted) bisects(cond *ast.BinaryExpr) bool {
	low, high := l.variable(cond.X), l.variable(cond.Y)
	if cond.Op == token.GTR || cond.Op == token.GEQ {
		low, high = high, low
	} else if cond.Op != token.LSS && cond.Op != token.LEQ {
		return false
	}
	if low == nil || high == nil {
		return false
	}
	moves := func(s ast.Stmt) bool {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 {
			return false
		}
		v := l.variable(a.Lhs[0])
		if v != low && v != high {
			return false
		}
		h := l.variable(l.apart(a.Rhs[0], token.ADD, token.SUB))
		return h != nil && l.half(h, low, high)
	}
	return l.onEveryPath(moves) && l.nothingElse(low, moves) && l.nothingElse(high, moves)
}

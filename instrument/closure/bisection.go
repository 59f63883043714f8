package closure

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A search for something in what is ordered halves what is left of it, in one of two forms:
//
//	for n > 0 { half := n / 2; ...; if ... { n -= half + 1 } else { n = half } }
//	for i < j { h := (i + j) / 2; ...; if ... { i = h + 1 } else { j = h } }

// takesHalf reports whether an assignment leaves the variable with about half of its value: the
// half that the body of the loop computes, or the rest.
func (l counted) takesHalf(v *types.Var, a *ast.AssignStmt) bool {
	isHalf := func(e ast.Expr) bool {
		h := l.variable(e)
		return h != nil && l.between(h, v)
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

// between reports whether a variable is something between zero and another one, or between two
// others, in each iteration: it is half of it, or of their sum. That it is given in the body of the
// loop before anything else is done with it, and no other value.
func (l counted) between(h *types.Var, of ...*types.Var) bool {
	inside := within(h, l.loop.Body)
	if !inside && (l.assignedByOthers(h) || !l.givenFirst(h)) {
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
		if ok = is && len(a.Lhs) == 1 && len(a.Rhs) == 1 && (a.Tok == token.DEFINE || !inside && a.Tok == token.ASSIGN); ok {
			parts := make(map[*types.Var]float64)
			ok = l.addParts(parts, a.Rhs[0], 1) && len(parts) == len(of)
			sum := 0.0
			for _, v := range of {
				ok = ok && parts[v] > 0 && parts[v] < 1
				sum += parts[v]
			}
			ok = ok && (len(of) == 1 || sum == 1)
		}
		return true
	})
	return ok && times == 1
}

// givenFirst reports whether the loop mentions a variable first where a statement of its body
// itself assigns it.
func (l counted) givenFirst(v *types.Var) bool {
	for _, s := range l.loop.Body.List {
		if a, ok := s.(*ast.AssignStmt); ok && l.assigns(a, v) {
			first := true
			ast.Inspect(l.loop, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && l.info.ObjectOf(id) == v && id.Pos() < a.Pos() {
					first = false
				}
				return first
			})
			return first && !slices.ContainsFunc(a.Rhs, func(e ast.Expr) bool { return l.mentions(e, v) })
		}
	}
	return false
}

// addParts adds to parts how often an expression, times a factor, has the variables that it
// consists of, and small constants; it reports false for others.
func (l counted) addParts(parts map[*types.Var]float64, e ast.Expr, factor float64) bool {
	e = load.Unconverted(l.info, e)
	if l.small(e) {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		v := l.variable(e)
		parts[v] += factor
		return v != nil
	case *ast.BinaryExpr:
		by := 0.0
		if n := l.constant(e.Y); n != nil {
			by, _ = constant.Float64Val(n)
		}
		switch e.Op {
		case token.ADD:
			return l.addParts(parts, e.X, factor) && l.addParts(parts, e.Y, factor)
		case token.SUB:
			return l.addParts(parts, e.X, factor) && l.addParts(parts, e.Y, -factor)
		case token.QUO:
			return by == 2 && l.addParts(parts, e.X, factor/2)
		case token.SHR:
			return by == 1 && l.addParts(parts, e.X, factor/2)
		case token.AND: // all but the lowest bits
			return -smallBound <= by && by < 0 && l.addParts(parts, e.X, factor)
		case token.AND_NOT:
			return 0 <= by && by <= smallBound && l.addParts(parts, e.X, factor)
		}
	}
	return false
}

// bisects reports whether the condition compares the two ends of what is left, and each iteration
// moves one of them to the middle.
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
		return h != nil && l.between(h, low, high)
	}
	return l.onEveryPath(moves) && l.nothingElse(low, moves) && l.nothingElse(high, moves)
}

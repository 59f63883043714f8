package closure

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// A counter steps by a positive constant, or by a variable that has nothing but positive values:
//
//	i++, i += 2, i = i + 2
//	l, r = l+1, r-1
//	for i := 2; i*i <= n; i++ { for j := i * i; j <= n; j += i { composite[j] = true } }
//	for step := 1; step < n; step *= 2 { for i := 0; i < n; i += 2 * step { ... } }
//
// (Such a variable could become negative if it outgrew its type, which takes longer than any loop
// that it is the step of.)

// increments reports whether a statement adds a positive number to the variable.
func (l counted) increments(v *types.Var, s ast.Stmt) bool {
	return l.steps(v, s, token.INC, token.ADD_ASSIGN, token.ADD)
}

// decrements reports whether a statement takes a positive number from the variable.
func (l counted) decrements(v *types.Var, s ast.Stmt) bool {
	return l.steps(v, s, token.DEC, token.SUB_ASSIGN, token.SUB)
}

func (l counted) steps(v *types.Var, s ast.Stmt, one, several, op token.Token) bool {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		return s.Tok == one && l.variable(s.X) == v
	case *ast.AssignStmt:
		if len(s.Lhs) != len(s.Rhs) {
			return false
		}
		i := slices.IndexFunc(s.Lhs, func(e ast.Expr) bool { return l.variable(e) == v })
		if i < 0 {
			return false
		}
		by := s.Rhs[i]
		if s.Tok == token.ASSIGN {
			e, ok := ast.Unparen(by).(*ast.BinaryExpr)
			if !ok || e.Op != op || l.variable(e.X) != v {
				return false
			}
			by = e.Y
		} else if s.Tok != several {
			return false
		}
		return l.positive(by) || l.width(l.variable(by))
	}
	return false
}

// positive reports whether a number is positive: a constant, a variable that has no other values, a
// product of such.
func (l counted) positive(e ast.Expr) bool {
	e = ast.Unparen(e)
	if n := l.constant(e); n != nil {
		return constant.Sign(n) > 0
	}
	switch e := e.(type) {
	case *ast.Ident:
		return l.growsFromOne(l.variable(e))
	case *ast.BinaryExpr:
		return e.Op == token.MUL && l.positive(e.X) && l.positive(e.Y) || e.Op == token.SHL && l.positive(e.X)
	}
	return false
}

// growsFromOne reports whether a variable of the function begins with positive constants, and is
// made greater only.
func (l counted) growsFromOne(v *types.Var) bool {
	if !l.local(v) || isShort(v.Type()) {
		return false
	}
	h := l.history(v)
	begins := func(e ast.Expr) bool { n := l.constant(e); return n != nil && constant.Sign(n) > 0 }
	return len(h.settings) > 0 && !h.zero && !h.addressed && !slices.ContainsFunc(h.settings, func(s setting) bool {
		return s.s == nil && !begins(s.value) || s.s != nil && !l.enlarges(v, s.s, begins)
	})
}

// enlarges reports whether a statement makes a positive variable greater, or begins it.
func (l counted) enlarges(v *types.Var, s ast.Stmt, begins func(ast.Expr) bool) bool {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		return s.Tok == token.INC
	case *ast.AssignStmt:
		if len(s.Lhs) != len(s.Rhs) {
			return false
		}
		by := s.Rhs[slices.IndexFunc(s.Lhs, func(e ast.Expr) bool { return l.variable(e) == v })]
		switch s.Tok {
		case token.DEFINE, token.ASSIGN:
			if begins(by) {
				return true
			}
			e, ok := ast.Unparen(by).(*ast.BinaryExpr)
			if !ok {
				return false
			}
			switch e.Op {
			case token.SHL:
				return l.variable(e.X) == v
			case token.ADD, token.MUL:
				return l.variable(e.X) == v && begins(e.Y) || l.variable(e.Y) == v && begins(e.X)
			}
		case token.ADD_ASSIGN, token.MUL_ASSIGN:
			return begins(by)
		case token.SHL_ASSIGN:
			return true
		}
	}
	return false
}

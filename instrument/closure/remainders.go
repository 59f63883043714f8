package closure

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Euclid's algorithm takes fewer than five steps for each decimal digit of the lesser number (Lamé
// 1844):
//
//	for b != 0 { a, b = b, a%b }
//	for b != 0 { t := b; b = a % b; a = t }
//
// The second one does, too, if it sets t later: then a is the remainder, and the next one is zero.

// remainder reports whether a statement sets the variable to the remainder of another one by it,
// which has nothing but the values that the variable had.
func (l counted) remainder(v *types.Var, s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
		return false
	}
	for i, e := range a.Lhs {
		by, ok := ast.Unparen(a.Rhs[i]).(*ast.BinaryExpr)
		if l.variable(e) != v || !ok || by.Op != token.REM || l.variable(by.Y) != v {
			continue
		}
		of := l.variable(by.X)
		return of != nil && of != v && l.only(of, func(of *types.Var, s ast.Stmt) bool { return l.succeeds(of, v, s) })
	}
	return false
}

// succeeds reports whether a statement sets a variable to another one, or to what the body of the
// loop defines as that.
func (l counted) succeeds(to, from *types.Var, s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
		return false
	}
	for i, e := range a.Lhs {
		if l.variable(e) != to {
			continue
		}
		value := l.variable(a.Rhs[i])
		if value == nil || value == from {
			return value != nil
		}
		defined := l.definedAs(value)
		return defined != nil && l.variable(defined) == from
	}
	return false
}

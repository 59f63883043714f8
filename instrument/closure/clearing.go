package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A loop that takes the lowest bit from a number until there is none has as many iterations as the
// number has bits:
//
//	for b != 0 { ...; b &= b - 1 }
//	for b != 0 { p := b & -b; b -= p; ... }
//	for b != 0 { i := bits.TrailingZeros64(b); b &^= 1 << i; ... }

// clears reports whether a statement takes the lowest bit from a variable.
func (l counted) clears(v *types.Var, s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 || l.variable(a.Lhs[0]) != v {
		return false
	}
	op, by := a.Tok, ast.Unparen(a.Rhs[0])
	if e, ok := by.(*ast.BinaryExpr); ok && op == token.ASSIGN && l.variable(e.X) == v {
		by = ast.Unparen(e.Y)
		switch e.Op {
		case token.AND:
			op = token.AND_ASSIGN
		case token.SUB:
			op = token.SUB_ASSIGN
		case token.XOR:
			op = token.XOR_ASSIGN
		case token.AND_NOT:
			op = token.AND_NOT_ASSIGN
		}
	}
	switch op {
	case token.AND_ASSIGN:
		e, ok := by.(*ast.BinaryExpr)
		if !ok || e.Op != token.SUB || l.variable(e.X) != v {
			return false
		}
		n := l.constant(e.Y)
		return n != nil && n.ExactString() == "1"
	case token.SUB_ASSIGN, token.XOR_ASSIGN, token.AND_NOT_ASSIGN:
		return l.lowest(by, v, 0)
	}
	return false
}

// lowest reports whether an expression is the lowest bit of a variable.
func (l counted) lowest(e ast.Expr, v *types.Var, depth int) bool {
	switch e := load.Unconverted(l.info, e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.AND:
			return l.variable(e.X) == v && l.isMinus(e.Y, v) || l.variable(e.Y) == v && l.isMinus(e.X, v)
		case token.SHL:
			n := l.constant(load.Unconverted(l.info, e.X))
			return n != nil && n.ExactString() == "1" && l.countsZeros(e.Y, v, depth)
		}
	case *ast.Ident:
		if value := l.valueOf(e, depth); value != nil {
			return l.lowest(value, v, depth+1)
		}
	}
	return false
}

func (l counted) isMinus(e ast.Expr, v *types.Var) bool {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && u.Op == token.SUB && l.variable(u.X) == v
}

// countsZeros reports whether an expression is the number of zeros below the lowest bit of a
// variable.
func (l counted) countsZeros(e ast.Expr, v *types.Var, depth int) bool {
	switch e := load.Unconverted(l.info, e).(type) {
	case *ast.CallExpr:
		f := l.calledByName(e)
		return f != nil && f.Pkg().Path() == "math/bits" && strings.HasPrefix(f.Name(), "TrailingZeros") && l.variable(load.Unconverted(l.info, e.Args[0])) == v
	case *ast.Ident:
		if value := l.valueOf(e, depth); value != nil {
			return l.countsZeros(value, v, depth+1)
		}
	}
	return false
}

// valueOf returns what the body of the loop defines a variable as, if nothing else assigns it.
func (l counted) valueOf(id *ast.Ident, depth int) ast.Expr {
	if v := l.variable(id); v != nil && depth < 4 {
		return l.definedAs(v)
	}
	return nil
}

package closure

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// A counter that steps over the last number of its type goes on at the other end of it, and its
// loop need not end:
//
//	for i := uint8(0); i <= n; i++      if n is 255
//	for i := uint8(0); i < n; i += 2    as well
//	for i := uint(n); i >= 0; i--       in any case
//
// So to count to a length, one of few bits, or an unsigned one that counts down, must have room for
// its last step: between the last number with which the loop goes on and the last one of the type.
// (Others come to a length long before.) A float does not count at all: what is added to a large
// one is lost.

// ascends returns what reports whether a statement is a step of a counter that goes up to a limit,
// as op compares it with that.
func (l counted) ascends(op token.Token, limit ast.Expr) func(*types.Var, ast.Stmt) bool {
	return func(v *types.Var, s ast.Stmt) bool {
		return l.increments(v, s) && (isWide(v.Type()) || l.hasRoom(v, s, op == token.LSS, limit, false))
	}
}

// lowers is that for one that goes down.
func (l counted) lowers(op token.Token, limit ast.Expr) func(*types.Var, ast.Stmt) bool {
	return func(v *types.Var, s ast.Stmt) bool {
		return l.decrements(v, s) && (isWide(v.Type()) && !isUnsigned(v.Type()) || l.hasRoom(v, s, op == token.GTR, limit, true))
	}
}

// isWide reports whether a type is one of integers that are not of few bits.
func isWide(t types.Type) bool { return isKnownInteger(t) && !isShort(t) }

// isKnownInteger reports whether a type is one of integers, and no type parameter.
func isKnownInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// hasRoom reports whether a step can't lead over the last number of the type from where the loop
// goes on: from a limit, or next to it if that is excluded.
func (l counted) hasRoom(v *types.Var, s ast.Stmt, excluded bool, limit ast.Expr, down bool) bool {
	by := constant.MakeInt64(1)
	if a, ok := s.(*ast.AssignStmt); ok {
		by = l.stepBy(v, a)
	}
	if by == nil {
		return false
	}
	room := constant.MakeInt64(0)
	if to := l.constant(limit); isKnownInteger(v.Type()) {
		if to != nil {
			first, last := span(v.Type().Underlying().(*types.Basic))
			if room = constant.BinaryOp(last, token.SUB, to); down {
				room = constant.BinaryOp(to, token.SUB, first)
			}
		}
	} else if _, any := types.Unalias(v.Type()).(*types.TypeParam); !any {
		return false
	}
	if excluded {
		room = constant.BinaryOp(room, token.ADD, constant.MakeInt64(1))
	}
	return constant.Compare(by, token.LEQ, room)
}

// stepBy returns the constant that an assignment adds to a variable, or takes from it; nil if it is
// none.
func (l counted) stepBy(v *types.Var, a *ast.AssignStmt) constant.Value {
	for i, e := range a.Lhs {
		if l.variable(e) != v {
			continue
		}
		by := a.Rhs[i]
		if e, ok := ast.Unparen(by).(*ast.BinaryExpr); ok && a.Tok == token.ASSIGN {
			by = e.Y
		}
		return l.constant(by)
	}
	return nil
}

// span returns the first and the last number of a type.
func span(b *types.Basic) (first, last constant.Value) {
	bits := uint(types.SizesFor("gc", "amd64").Sizeof(b) * 8)
	one := constant.MakeInt64(1)
	if b.Info()&types.IsUnsigned != 0 {
		return constant.MakeInt64(0), constant.BinaryOp(constant.Shift(one, token.SHL, bits), token.SUB, one)
	}
	half := constant.Shift(one, token.SHL, bits-1)
	return constant.UnaryOp(token.SUB, half, 0), constant.BinaryOp(half, token.SUB, one)
}

package closure

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// What goes down a heap in an array goes from an index to one of about twice that in each
// iteration:
//
//	for { c := 2*i + 1; if c >= n { break }; if c+1 < n && less(c+1, c) { c++ }; ...; i = c }
//	for { m := i; if l := 2*i + 1; l < n && less(l, m) { m = l }; ...; if m == i { break }; ...; i = m }
//
// There are no more iterations than the index has bits, as long as the condition to go on is about
// these indices: the loop ends soon. It is as with one that goes up by i = (i - 1) / 2 (halves).

// doubles reports whether the condition is that a variable which each iteration doubles, or one
// that it becomes, is less than something, or that the two differ. (That it is more, or something
// else, is a condition of what is no index, such as a number at random: x = x*5 + 3. So is that it
// is less than almost all numbers of its type.)
func (l counted) doubles(cond *ast.BinaryExpr) bool {
	index, limit := cond.X, cond.Y
	switch cond.Op {
	case token.LSS, token.LEQ:
	case token.GTR, token.GEQ:
		index, limit = limit, index
	case token.NEQ:
		c, v := l.variable(cond.X), l.variable(cond.Y)
		return c != nil && v != nil && (l.becomes(c, v) || l.becomes(v, c))
	default:
		return false
	}
	if l.isFar(limit) {
		return false
	}
	index = load.Unconverted(l.info, l.apart(index, token.ADD, token.SUB))
	if v := l.variable(index); v != nil && (l.only(v, l.doubled) || l.becomes(v, nil)) {
		return true
	}
	found := false
	ast.Inspect(index, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			v := l.variable(id)
			found = v != nil && l.twice(index, v, 0) && l.only(v, l.doubled)
		}
		return !found
	})
	return found
}

// isFar reports whether a limit is a number of a small type, or a constant, so near to the largest
// of its type that what is multiplied can be below it again.
func (l counted) isFar(limit ast.Expr) bool {
	b, ok := types.Default(l.info.TypeOf(limit)).Underlying().(*types.Basic) // of two constants that are compared the type remains untyped
	if !ok || b.Info()&types.IsInteger == 0 {
		return false
	}
	bits := uint(types.SizesFor("gc", "amd64").Sizeof(b) * 8)
	if b.Info()&types.IsUnsigned == 0 {
		bits--
	}
	c := l.constant(limit)
	if c == nil {
		return bits <= 16
	}
	return constant.Compare(c, token.GEQ, constant.Shift(constant.MakeInt64(1), token.SHL, bits-6)) // see atLeast
}

// becomes reports whether each iteration doubles another variable, to be that one if it is not nil,
// by way of this one.
func (l counted) becomes(c, to *types.Var) bool {
	found := false
	ast.Inspect(l.loop.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if ok && !found && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 && l.variable(a.Rhs[0]) == c {
			v := l.variable(a.Lhs[0])
			found = v != nil && v != c && (to == nil || v == to) && l.only(v, l.doubled)
		}
		return !found
	})
	return found
}

// doubled reports whether a statement makes the variable about twice what it was.
func (l counted) doubled(v *types.Var, s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 && l.variable(a.Lhs[0]) == v && l.twice(a.Rhs[0], v, 0)
}

// twice reports whether an expression is at least twice a variable, or something more, or a
// variable of which all values are. One that can be the variable itself is, too, if the loop is
// left then.
func (l counted) twice(e ast.Expr, v *types.Var, depth int) bool {
	e = load.Unconverted(l.info, l.apart(load.Unconverted(l.info, e), token.ADD, token.OR))
	switch e := e.(type) {
	case *ast.BinaryExpr:
		x, y := l.variable(load.Unconverted(l.info, e.X)) == v, l.variable(load.Unconverted(l.info, e.Y)) == v
		switch e.Op {
		case token.MUL:
			return x && l.atLeast(e.Y, 2) || y && l.atLeast(e.X, 2)
		case token.SHL:
			return x && l.atLeast(e.Y, 1)
		case token.ADD:
			return x && y
		}
	case *ast.Ident:
		c := l.variable(e)
		return c != nil && c != v && depth < 4 && within(c, BodyOf(l.fn)) && l.allTwice(c, v, depth+1)
	}
	return false
}

// allTwice reports whether all values that a variable of the function is assigned are twice another
// one, or more.
func (l counted) allTwice(c, v *types.Var, depth int) bool {
	h := l.history(c)
	if h.zero || h.addressed {
		return false
	}
	some := false
	for _, s := range h.settings {
		switch {
		case s.value != nil:
			some = true
			if !l.twice(s.value, v, depth) && !(l.variable(s.value) == v && l.leftIfEqual(c, v)) {
				return false
			}
		case !l.increments(c, s.s):
			return false
		}
	}
	return some
}

// leftIfEqual reports whether the loop goes on only if two variables differ.
func (l counted) leftIfEqual(c, v *types.Var) bool {
	for _, e := range l.conditions() {
		b, ok := e.(*ast.BinaryExpr)
		if ok && b.Op == token.NEQ && (l.variable(b.X) == c && l.variable(b.Y) == v || l.variable(b.X) == v && l.variable(b.Y) == c) {
			return true
		}
	}
	return false
}

// atLeast reports whether an expression is a constant that is not less than a number, nor much
// more.
func (l counted) atLeast(e ast.Expr, n int64) bool {
	const most = 64
	c := l.constant(e)
	return c != nil && constant.Compare(c, token.GEQ, constant.MakeInt64(n)) && constant.Compare(c, token.LEQ, constant.MakeInt64(most))
}

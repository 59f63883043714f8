package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A list can be in an array, with indices for pointers. Each iteration sets the index to what an
// element at it says, or the element itself is:
//
//	for i := first; i >= 0; i = next[i] { ... }
//	for i := first; i != end; { e := &list[i]; ...; i = e.next }
//
// Such a loop makes at most as many iterations as there are elements, unless the list is closed to
// a ring, or changes: so the loop may neither store into the array or the field that it reads the
// index from, nor call what could. What makes the list shorter is no such store: next[i] =
// next[next[i]] (path halving, Tarjan and van Leeuwen 1984). One that also counts how many it walks
// may be on a ring: for n := 0; n < steps && i >= 0; n++. (A simulation that goes from state to
// state by what it reads elsewhere is none: its index is not the state alone.)

// followsIndices reports whether the condition compares an index, and each iteration goes on to the
// index that an element at it has.
func (l counted) followsIndices(cond *ast.BinaryExpr) bool {
	for _, e := range []ast.Expr{cond.X, cond.Y} {
		v := l.variable(e)
		if v == nil {
			continue
		}
		var list types.Object // what is walked
		read := make(map[types.Object]bool)
		by := make(map[string]bool)
		if l.only(v, func(v *types.Var, s ast.Stmt) bool {
			a, ok := s.(*ast.AssignStmt)
			if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
				return false
			}
			is := func(e ast.Expr) bool { return l.variable(e) == v }
			at := slices.IndexFunc(a.Lhs, is)
			if at < 0 || slices.ContainsFunc(a.Lhs[at+1:], is) {
				return false
			}
			in := l.elementAt(a.Rhs[at], v, read)
			by[types.ExprString(a.Rhs[at])] = true
			if list == nil {
				list = in
			}
			return in != nil && in == list
		}) && l.leavesAlone(read, v) && !l.countsAsWell() && (len(by) < 2 || !l.turnsByItself(v)) {
			return true
		}
	}
	return false
}

// elementAt returns the variable or field with the elements of which an expression is the one at an
// index, a part of it, or a pointer to it; nil if it is no such expression. A variable stands for
// what the body of the loop defines it as. What the element is read by, that and fields, is added
// to read.
func (l counted) elementAt(e ast.Expr, index *types.Var, read map[types.Object]bool) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		if l.variable(e.Index) == index {
			list := l.named(e.X)
			read[list] = true
			return list
		}
	case *ast.SelectorExpr:
		if s := l.info.Selections[e]; s != nil {
			read[s.Obj()] = true
			return l.elementAt(e.X, index, read)
		}
	case *ast.StarExpr:
		return l.elementAt(e.X, index, read)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return l.elementAt(e.X, index, read)
		}
	case *ast.CallExpr:
		if l.info.Types[ast.Unparen(e.Fun)].IsType() && len(e.Args) == 1 {
			return l.elementAt(e.Args[0], index, read)
		}
	case *ast.Ident:
		if v := l.variable(e); v != nil && v != index {
			if value := l.definedAs(v); value != nil {
				return l.elementAt(value, index, read)
			}
		}
	}
	return nil
}

// named returns the variable or the field that an expression names at its end.
func (l counted) named(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return l.info.Uses[e]
	case *ast.SelectorExpr:
		return l.info.Uses[e.Sel]
	case *ast.StarExpr:
		return l.named(e.X)
	}
	return nil
}

// definedAs returns what the body of the loop defines a variable as, if nothing else assigns it;
// nil if it does not.
func (l counted) definedAs(v *types.Var) (value ast.Expr) {
	if !within(v, l.loop.Body) {
		return nil
	}
	times := 0
	ast.Inspect(l.loop, func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		if !ok || !l.assigns(s, v) {
			return true
		}
		times++
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			value = a.Rhs[0]
		}
		return true
	})
	if times != 1 {
		return nil
	}
	return value
}

// leavesAlone reports whether the loop stores into no variable or field of those, nor by a pointer
// of which it is not known what it leads to, and calls nothing that may. What makes the list of an
// index shorter is not counted.
func (l counted) leavesAlone(read map[types.Object]bool, index *types.Var) bool {
	alone := true
	stores := func(e ast.Expr) {
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			alone = alone && !read[l.info.ObjectOf(e)]
		case *ast.StarExpr:
			alone = false
		case *ast.SelectorExpr:
			alone = alone && !read[l.info.Uses[e.Sel]]
		case *ast.IndexExpr:
			list := l.named(e.X)
			alone = alone && list != nil && !l.isAmong(list, read)
		}
	}
	ast.Inspect(l.loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.RangeStmt:
			a, _ := n.(*ast.AssignStmt)
			for i, e := range operands(n) {
				if a == nil || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) || !l.shortens(e, a.Rhs[i], index) {
					stores(e)
				}
			}
		case *ast.CallExpr:
			alone = alone && l.isQuick(n)
		}
		return alone
	})
	return alone
}

// shortens reports whether an assignment of value to element is one as next[index] =
// next[next[index]].
func (l counted) shortens(element, value ast.Expr, index *types.Var) bool {
	to, ok := ast.Unparen(element).(*ast.IndexExpr)
	if !ok || l.variable(to.Index) != index {
		return false
	}
	from, ok := ast.Unparen(value).(*ast.IndexExpr)
	return ok && l.named(to.X) != nil && types.ExprString(from.X) == types.ExprString(to.X) && types.ExprString(ast.Unparen(from.Index)) == types.ExprString(to)
}

// isAmong reports whether a variable or field is one of those, or has its value from one or gives
// it its own.
func (l counted) isAmong(list types.Object, read map[types.Object]bool) bool {
	if read[list] {
		return true
	}
	if slices.ContainsFunc(l.valuesOf(list), func(o types.Object) bool { return read[o] }) {
		return true
	}
	for o := range read {
		if slices.Contains(l.valuesOf(o), list) {
			return true
		}
	}
	return false
}

// valuesOf returns the variables and fields that a variable of the function has its value from, or
// a part of it.
func (l counted) valuesOf(o types.Object) (list []types.Object) {
	v, ok := o.(*types.Var)
	if !ok || v.IsField() || !l.local(v) {
		return nil
	}
	for _, s := range l.history(v).settings {
		e := s.value
		if e == nil {
			continue
		}
		if part, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
			e = part.X
		}
		if from := l.named(e); from != nil {
			list = append(list, from)
		}
	}
	return list
}

// countsAsWell reports whether it is also a condition to go on that a variable which the loop steps
// compares with something.
func (l counted) countsAsWell() bool {
	for _, e := range l.conditions() {
		cond, ok := e.(*ast.BinaryExpr)
		if ok && (l.stepped(l.variable(cond.X)) || l.stepped(l.variable(cond.Y))) {
			return true
		}
	}
	return false
}

// stepped reports whether the loop adds a constant to a variable, or takes it.
func (l counted) stepped(v *types.Var) bool {
	found := false
	ast.Inspect(l.loop, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && v != nil {
			found = found || l.increments(v, s) || l.decrements(v, s)
		}
		return !found
	})
	return found
}

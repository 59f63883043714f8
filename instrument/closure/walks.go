package closure

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A loop that goes from one element of a list to the next comes to as many as there are, whether it
// ends behind the last one, at the last one, or where it began:
//
//	for p := list; p != nil; p = p.next { ... }
//	for p.next != nil && p.next.key < key { p = p.next }
//	for n.next[level] != nil && n.next[level].key < key { n = n.next[level] }
//	for p := root.next; p != root; p = p.next { ... }
//
// The last is a walk around a ring, by way of the same field that it began with; a walk that begins
// elsewhere may go round a ring that its end is not on, until what it does there ends it. A field
// can also be read by a method that does nothing else.

// walks reports whether each iteration sets a pointer to what a field of what it points to leads
// to, and the condition is that there is one, or that it is not where the walk began.
func (l counted) walks(cond *ast.BinaryExpr) bool {
	if cond.Op != token.NEQ || l.countsAsWell() {
		return false
	}
	v := l.variable(cond.X)
	if !l.info.Types[cond.Y].IsNil() {
		first := l.beginsBehind(v, cond.Y)
		return first != nil && l.follows(v, func(by map[*types.Var]bool) bool { return len(by) == 1 && by[first] })
	}
	if v != nil && l.follows(v, func(map[*types.Var]bool) bool { return true }) {
		return true
	}
	v, next := l.link(cond.X)
	return v != nil && l.follows(v, func(by map[*types.Var]bool) bool { return by[next] })
}

// follows reports whether each iteration sets the variable to what a field leads to of what it
// points to, and by such fields as accepted says.
func (l counted) follows(v *types.Var, accepted func(by map[*types.Var]bool) bool) bool {
	by := make(map[*types.Var]bool)
	return l.only(v, func(v *types.Var, s ast.Stmt) bool {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 || l.variable(a.Lhs[0]) != v {
			return false
		}
		at, next := l.link(a.Rhs[0])
		by[next] = true
		return at == v && !l.lengthens(next)
	}) && accepted(by) && (len(by) < 2 || !l.turnsByItself(v))
}

// link returns the variable and the field, if an expression is a field of what a variable is or
// points to, an element of such a field at the same index in each iteration, or a call of a method
// that returns a field. Another iteration can store into the elements of a field: then it is none.
func (l counted) link(e ast.Expr) (at, field *types.Var) {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if s := l.info.Selections[e]; s == nil || embedsPointer(s) {
			return nil, nil // that may be another one when the walk comes to it
		}
		if field, ok := l.info.Uses[e.Sel].(*types.Var); ok {
			return l.variable(e.X), field.Origin()
		}
	case *ast.IndexExpr:
		list, ok := ast.Unparen(e.X).(*ast.SelectorExpr)
		if !ok || l.info.Types[e.Index].Value == nil && !l.keeps(l.ownVariable(e.Index)) {
			return nil, nil
		}
		if at, field := l.link(list); field != nil && l.leavesAlone(map[types.Object]bool{l.info.Uses[list.Sel]: true}, at) {
			return at, field
		}
	case *ast.CallExpr:
		method, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		if !ok || len(e.Args) > 0 {
			return nil, nil
		}
		if s := l.info.Selections[method]; s != nil && !embedsPointer(s) {
			if field := l.g.accessor(l.callee(method)).field; field != nil {
				return l.variable(method.X), field
			}
		}
	}
	return nil, nil
}

// beginsBehind returns the field by which the loop sets the variable in the beginning, if it is one
// of what the end of the walk is, or points to.
func (l counted) beginsBehind(v *types.Var, end ast.Expr) *types.Var {
	init, ok := l.loop.Init.(*ast.AssignStmt)
	if v == nil || !ok || len(init.Lhs) != 1 || len(init.Rhs) != 1 || l.variable(init.Lhs[0]) != v {
		return nil
	}
	first, ok := ast.Unparen(init.Rhs[0]).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	root := ast.Unparen(end)
	if u, ok := root.(*ast.UnaryExpr); ok && u.Op == token.AND { // of a list that has its root in it
		root = ast.Unparen(u.X)
		if s, ok := root.(*ast.SelectorExpr); ok && !l.keeps(l.ownVariable(s.X)) {
			return nil
		}
	} else if !l.keeps(l.ownVariable(root)) {
		return nil
	}
	if types.ExprString(ast.Unparen(first.X)) != types.ExprString(root) || l.info.Selections[first] == nil || embedsPointer(l.info.Selections[first]) {
		return nil
	}
	field, ok := l.info.Uses[first.Sel].(*types.Var)
	if !ok {
		return nil
	}
	return field.Origin()
}

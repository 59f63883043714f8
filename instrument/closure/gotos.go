package closure

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A goto statement that goes back makes a loop, and polls, unless the code from its label on is a scanner's, which ends soon:
//
//	next:
//		if i++; i == len(text) { goto done }
//		switch text[i] {
//		case ' ':
//			goto next
//		...
//
// That is taken to be so if the code steps a variable that it does not declare, nothing there assigns it otherwise, it is compared with the length of something or an
// element is read there, and there are no other loops, and no calls but of what is known to be quick. (Such code makes a function linger: nests.go.) Machines that are generated have dozens of such labels, and would be
// slow with a poll at each. (It is no proof: there may be ways back that do not step.)

// backTo returns the position of the label that a goto statement goes back to; none if it goes forward, and for other statements.
func backTo(info *types.Info, s *ast.BranchStmt) token.Pos {
	if s.Tok != token.GOTO || info == nil {
		return token.NoPos
	}
	if l := info.Uses[s.Label]; l != nil && l.Pos() < s.Pos() {
		return l.Pos()
	}
	return token.NoPos
}

// scans reports whether the code of function fn from a label to a goto statement that goes back there ends soon.
func (c *Closure) scans(fn ast.Node, from token.Pos, back *ast.BranchStmt) bool {
	l := counted{c.graph, c.graph.infoAt(from), fn, nil}
	stepped, read, other := make(map[*types.Var]bool), make(map[*types.Var]bool), make(map[*types.Var]bool)
	more := false // is done than what a scanner does
	reads := func(e ast.Expr) {
		if v := l.variable(l.apart(e, token.ADD, token.SUB)); v != nil {
			read[v] = true
		}
	}
	ast.Inspect(BodyOf(fn), func(n ast.Node) bool {
		if n == nil || n.End() <= from || back.End() <= n.Pos() {
			return false
		}
		if n.Pos() < from {
			return true // what is in it may be of the loop
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			more = true
		case *ast.CallExpr:
			more = more || !l.isQuick(n)
		case *ast.IndexExpr:
			if l.inMemory(n.X) {
				reads(n.Index)
			}
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				if l.constant(n.Y) == nil && l.length(n.Y, 0) {
					reads(n.X)
				}
				if l.constant(n.X) == nil && l.length(n.X, 0) {
					reads(n.Y)
				}
			}
		case *ast.UnaryExpr:
			if v := l.variable(n.X); n.Op == token.AND && v != nil {
				other[v] = true
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if v := l.variable(e); v != nil {
					stepped[v] = stepped[v] || l.increments(v, n)
					other[v] = other[v] || !l.increments(v, n)
				}
			}
		case *ast.IncDecStmt:
			if v := l.variable(n.X); v != nil {
				stepped[v] = stepped[v] || l.increments(v, n)
				other[v] = other[v] || !l.increments(v, n)
			}
		}
		return true
	})
	for v := range stepped {
		if !more && stepped[v] && read[v] && !other[v] && v.Pos() < from {
			return true
		}
	}
	return false
}

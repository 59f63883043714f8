package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// A goto statement that goes back makes a loop, and polls, unless the code from its label on is a
// scanner's, which ends soon:
//
//	next:
//		if i++; i == len(text) { goto done }
//		switch text[i] {
//		case ' ':
//			goto next
//		...
//
// That is taken to be so if the code steps a variable that it does not declare, by a constant or by
// how many elements were copied, nothing there assigns it otherwise, it is compared with the length
// of something or an element is read there, and there are no other loops but those made by such
// statements that step the same variable, and no calls but of what is known to be quick. (Such code
// makes a function linger: nests.go.) Machines that are generated have dozens of such labels, and
// would be slow with a poll at each. (It is no proof: there may be ways back that do not step.)

// backTo returns the position of the label that a goto statement goes back to; none if it goes
// forward, and for other statements.
func backTo(info *types.Info, s *ast.BranchStmt) token.Pos {
	if s.Tok != token.GOTO || info == nil {
		return token.NoPos
	}
	if l := info.Uses[s.Label]; l != nil && l.Pos() < s.Pos() {
		return l.Pos()
	}
	return token.NoPos
}

// A machine has what a function with such statements does, so that what is between two places is
// found soon: it may have thousands of them.
type machine struct {
	counted
	doings  []doing
	lengths map[any]bool // variables and other expressions of which it was asked whether they are lengths
	backs   []*back
}

// A back is a goto statement that goes back to a label.
type back struct {
	to    token.Pos
	s     *ast.BranchStmt
	known bool
	steps map[*types.Var]bool // the variables that tell that the code between them ends soon
}

// A doing is something that tells whether the code around it is a scanner's.
type doing struct {
	at     token.Pos
	what   int
	v      *types.Var
	length ast.Expr // v is read if that is a length; nil: if v is an index
}

// What is done.
const (
	more    = iota // than what a scanner does
	steps          // v
	changes        // v in another way
	reads          // v
)

// machineOf looks at a function.
func (c *Closure) machineOf(fn ast.Node) *machine {
	m := &machine{c.counted(fn, BodyOf(fn).Pos(), nil), nil, make(map[any]bool), nil}
	add := func(n ast.Node, what int, e, length ast.Expr) {
		if v := m.variable(e); v != nil {
			m.doings = append(m.doings, doing{n.Pos(), what, v, length})
		}
	}
	assigns := func(n ast.Stmt, e ast.Expr) {
		what := changes
		if v := m.variable(e); v != nil && (m.increments(v, n) || m.addsCopied(v, n)) {
			what = steps
		}
		add(n, what, e, nil)
	}
	ast.Inspect(BodyOf(fn), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BranchStmt:
			if to := backTo(m.info, n); to.IsValid() {
				m.backs = append(m.backs, &back{to: to, s: n})
			}
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			m.doings = append(m.doings, doing{at: n.Pos(), what: more})
		case *ast.CallExpr:
			if !m.isQuick(n) {
				m.doings = append(m.doings, doing{at: n.Pos(), what: more})
			}
		case *ast.IndexExpr:
			if m.inMemory(n.X) {
				add(n, reads, m.apart(n.Index, token.ADD, token.SUB), nil)
			}
		case *ast.SliceExpr:
			if m.inMemory(n.X) && n.Low != nil {
				add(n, reads, m.apart(n.Low, token.ADD, token.SUB), nil)
			}
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				if m.constant(n.Y) == nil {
					add(n, reads, m.apart(n.X, token.ADD, token.SUB), n.Y)
				}
				if m.constant(n.X) == nil {
					add(n, reads, m.apart(n.Y, token.ADD, token.SUB), n.X)
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				add(n, changes, n.X, nil)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				assigns(n, e)
			}
		case *ast.IncDecStmt:
			assigns(n, n.X)
		}
		return true
	})
	return m
}

// addsCopied reports whether a statement adds to the variable how many elements it copies.
func (m *machine) addsCopied(v *types.Var, s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ADD_ASSIGN || m.variable(a.Lhs[0]) != v {
		return false
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "copy" && m.info.Types[id].IsBuiltin()
}

// scans reports whether the code from a label to a goto statement that goes back there ends soon.
func (m *machine) scans(s *ast.BranchStmt) bool {
	for _, b := range m.backs {
		if b.s == s {
			return len(m.stepped(b)) > 0
		}
	}
	return false
}

// stepped returns the variables that tell it: they do so for all loops that goto statements make
// within the code, but for those that poll.
func (m *machine) stepped(b *back) map[*types.Var]bool {
	if b.known {
		return b.steps
	}
	b.known = true
	b.steps = m.candidates(b.to, b.s.End())
	for _, inner := range m.backs {
		if len(b.steps) > 0 && b.to <= inner.to && inner.s.Pos() < b.s.Pos() {
			if steps := m.stepped(inner); len(steps) > 0 {
				maps.DeleteFunc(b.steps, func(v *types.Var, _ bool) bool { return !steps[v] })
			}
		}
	}
	return b.steps
}

// candidates returns the variables that tell it of a piece of code, without such loops.
func (m *machine) candidates(from, to token.Pos) map[*types.Var]bool {
	between := func(d doing) bool { return from <= d.at && d.at < to }
	stepped, changed := make(map[*types.Var]bool), make(map[*types.Var]bool)
	for _, d := range m.doings {
		switch {
		case !between(d):
		case d.what == more:
			return nil
		case d.what == steps:
			stepped[d.v] = d.v.Pos() < from
		case d.what == changes:
			changed[d.v] = true
		}
	}
	found := make(map[*types.Var]bool)
	for _, d := range m.doings {
		if between(d) && d.what == reads && stepped[d.v] && !changed[d.v] && !found[d.v] && (d.length == nil || m.isLength(d.length)) {
			found[d.v] = true
		}
	}
	return found
}

// isLength reports whether an expression is a length.
func (m *machine) isLength(e ast.Expr) bool {
	var asked any = e
	if v := m.variable(e); v != nil {
		asked = v
	}
	is, ok := m.lengths[asked]
	if !ok {
		is = m.length(e, 0)
		m.lengths[asked] = is
	}
	return is
}

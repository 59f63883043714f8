package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// An instruction can be a statement with others inside:
//
//	if err = check(x); err != nil { return err }
//
// It names err, but what err was before is not read: nothing has to be saved for it at the resume
// points before, nor kept in the stack frame across their calls. So of such a statement it is found
// out which variables it reads before it assigns to them (the upward exposed ones), and which it
// assigns to on every way through. The rules are those of definite assignment. On the way into a
// loop nothing has been assigned in it, so that one pass is enough; a statement with a goto to a
// label inside is taken to read all that it names.
//
// This is for variables that nobody else knows: none that a function literal has or whose address
// is taken, and no results, which return statements and deferred calls read.

// narrow restricts what an instruction that is the statement s as it was is said to read.
func (c *function) narrow(s ast.Stmt, in *instruction) {
	switch s.(type) {
	case *ast.IfStmt, *ast.BlockStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.LabeledStmt:
	default:
		return
	}
	if c.loop != nil {
		return
	}
	x := &exposure{c: c, read: make(map[*variable]bool), seen: make(map[*variable]bool), labels: make(map[types.Object]*exits)}
	behind := x.statement(s, assigned{}) // which finds what is left on the way
	always := x.left.and(behind)
	if x.given {
		return
	}
	in.uses = slices.DeleteFunc(slices.Clone(in.uses), func(v *variable) bool { return x.seen[v] && !x.read[v] })
	for _, v := range c.all {
		if always[v] {
			in.defines = append(in.defines, v)
		}
	}
}

// assigned are variables that have a value of the statement's own at a place in it. It is nil where
// nothing comes to the place.
type assigned map[*variable]bool

// and returns what is assigned where two ways meet.
func (a assigned) and(b assigned) assigned {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	both := assigned{}
	for v := range a {
		if b[v] {
			both[v] = true
		}
	}
	return both
}

// exits are what is assigned where a statement is left by break statements, and where an iteration
// of it is by continue statements.
type exits struct {
	breaks, continues assigned
	loop              bool
}

// An exposure is a pass over a statement.
type exposure struct {
	c      *function
	seen   map[*variable]bool // the variables that this is for
	read   map[*variable]bool // those of them that are before they are assigned
	left   assigned           // where something leads out of the statement
	given  bool               // up
	around []*exits           // of the statements inside, innermost last
	labels map[types.Object]*exits
}

// variable returns the variable that an identifier denotes, if it is one of those that this is for.
func (x *exposure) variable(id *ast.Ident) *variable {
	obj := x.c.p.info.Uses[id]
	v, f := x.c.variables[obj], x.c.p.facts
	if v == nil || !v.plain() || v.fixed != "" || v.shares != nil || v.method != "" || slices.Contains(x.c.results, v) ||
		f.captured[obj] || f.addressed[obj] || f.lent[obj] || x.c.isShared(obj) {
		return nil
	}
	x.seen[v] = true
	return v
}

// reads notes what nodes read.
func (x *exposure) reads(a assigned, list ...ast.Node) {
	for _, n := range list {
		if n == nil || a == nil {
			continue
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			if s, ok := x.c.subst[n]; ok {
				for _, v := range s.uses {
					x.read[v] = true
				}
			}
			if id, ok := n.(*ast.Ident); ok {
				if v := x.variable(id); v != nil && !a[v] {
					x.read[v] = true
				}
			}
			return true
		})
	}
}

// assign notes that places get values.
func (x *exposure) assign(a assigned, list ...ast.Expr) assigned {
	if a == nil {
		return nil
	}
	a = maps.Clone(a)
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok {
			if v := x.variable(id); v != nil {
				a[v] = true
			}
		}
	}
	return a
}

// operands notes what is read to find the places that are assigned to.
func (x *exposure) operands(a assigned, list ...ast.Expr) {
	for _, e := range list {
		if _, ok := e.(*ast.Ident); !ok && e != nil {
			x.reads(a, e)
		}
	}
}

func (x *exposure) statements(list []ast.Stmt, a assigned) assigned {
	for _, s := range list {
		a = x.statement(s, a)
	}
	return a
}

// statement returns what is assigned behind a statement, if that is so before it.
func (x *exposure) statement(s ast.Stmt, a assigned) assigned {
	switch s := s.(type) {
	case nil:
	case *ast.BlockStmt:
		return x.statements(s.List, a)
	case *ast.AssignStmt:
		for _, e := range s.Rhs {
			x.reads(a, e)
		}
		if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
			x.reads(a, s.Lhs[0])
		}
		x.operands(a, s.Lhs...)
		return x.assign(a, s.Lhs...)
	case *ast.IncDecStmt:
		x.reads(a, s.X)
	case *ast.IfStmt:
		a = x.statement(s.Init, a)
		x.reads(a, s.Cond)
		then := x.statement(s.Body, a)
		if s.Else == nil {
			return a.and(then)
		}
		return x.statement(s.Else, a).and(then)
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return x.within(s, nil, a)
	case *ast.LabeledStmt:
		label := x.c.p.info.Defs[s.Label]
		x.given = x.given || x.c.p.facts.jumped[label]
		return x.within(s.Stmt, label, a)
	case *ast.BranchStmt:
		x.branch(s, a)
		return nil
	case *ast.ReturnStmt:
		x.reads(a, s)
		return nil
	default:
		x.reads(a, s)
	}
	return a
}

// within is statement for one that break statements can leave, which may have a label.
func (x *exposure) within(s ast.Stmt, label types.Object, a assigned) (end assigned) {
	e := new(exits)
	if label != nil {
		x.labels[label] = e
	}
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		e.loop = true
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
	default:
		return x.statement(s, a) // which no break statement leaves
	}
	x.around = append(x.around, e)
	defer func() { x.around = x.around[:len(x.around)-1] }()
	switch s := s.(type) {
	case *ast.ForStmt:
		a = x.statement(s.Init, a)
		x.reads(a, s.Cond)
		x.statement(s.Post, e.continues.and(x.statement(s.Body, a)))
		if s.Cond != nil {
			end = a
		}
	case *ast.RangeStmt:
		x.reads(a, s.X)
		end = a
		if s.Tok == token.ASSIGN {
			x.operands(a, s.Key, s.Value)
			a = x.assign(a, s.Key, s.Value)
		}
		x.statement(s.Body, a)
	case *ast.SwitchStmt:
		a = x.statement(s.Init, a)
		x.reads(a, s.Tag)
		end = x.clauses(s.Body, a)
	case *ast.TypeSwitchStmt:
		end = x.clauses(s.Body, x.statement(s.Assign, x.statement(s.Init, a)))
	case *ast.SelectStmt:
		for _, clause := range s.Body.List {
			clause := clause.(*ast.CommClause)
			end = end.and(x.statements(clause.Body, x.statement(clause.Comm, a)))
		}
	}
	return end.and(e.breaks)
}

// clauses is statement for the clauses of a switch statement. What falls through comes with more
// than the clause is taken to begin with.
func (x *exposure) clauses(body *ast.BlockStmt, a assigned) (end assigned) {
	all := false
	for _, clause := range body.List {
		clause := clause.(*ast.CaseClause)
		all = all || clause.List == nil
		for _, e := range clause.List {
			x.reads(a, e)
		}
		end = end.and(x.statements(clause.Body, a))
	}
	if !all {
		end = end.and(a)
	}
	return end
}

// branch notes what is assigned where a statement leads elsewhere.
func (x *exposure) branch(s *ast.BranchStmt, a assigned) {
	if s.Tok == token.FALLTHROUGH {
		return
	}
	var to *exits
	if s.Label != nil {
		to = x.labels[x.c.p.info.Uses[s.Label]]
	} else {
		for _, e := range x.around {
			if e.loop || s.Tok == token.BREAK {
				to = e
			}
		}
	}
	switch {
	case to == nil: // out of the statement
		x.left = x.left.and(a)
	case s.Tok == token.BREAK:
		to.breaks = to.breaks.and(a)
	default:
		to.continues = to.continues.and(a)
	}
}

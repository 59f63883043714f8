package closure

import (
	"go/ast"
	"go/token"
)

// conditions returns what must hold for the loop to go on: the parts of its condition, and the
// opposite of those of statements in its body as
//
//	if i == n { break }
//
// that each iteration executes.
func (l counted) conditions() []ast.Expr {
	list := conjuncts(l.loop.Cond)
	for _, s := range l.loop.Body.List {
		if !l.goesThrough(s) {
			break
		}
		if s, ok := s.(*ast.IfStmt); ok && s.Else == nil && l.ends(s.Body.List) {
			list = append(list, opposites(s.Cond)...)
		}
	}
	return list
}

// goesThrough reports whether a statement in the body of the loop does not go on to the next
// iteration, past those that follow.
func (l counted) goesThrough(s ast.Stmt) bool {
	through := true
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			through = through && (n.Tok == token.BREAK || n.Tok == token.FALLTHROUGH)
		}
		return through
	})
	return through
}

// ends reports whether a list of statements, directly in an if statement in the body of the loop,
// leaves the loop.
func (l counted) ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK && last.Label == nil
	}
	return false
}

// opposites returns comparisons that hold if a condition does not.
func opposites(e ast.Expr) []ast.Expr {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	opposite := map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
	}
	if b.Op == token.LOR {
		return append(opposites(b.X), opposites(b.Y)...)
	}
	if op, ok := opposite[b.Op]; ok {
		return []ast.Expr{&ast.BinaryExpr{X: b.X, OpPos: b.OpPos, Op: op, Y: b.Y}}
	}
	return nil
}

// onEveryPath reports whether each way through the body of the loop comes to a certain statement
// before the next iteration.
func (l counted) onEveryPath(is func(ast.Stmt) bool) bool {
	w := walk{is: is, body: l.loop.Body}
	after := w.list(l.loop.Body.List, false)
	return !w.missed && (after.done || !after.reached)
}

// A walk follows the ways through the body of a loop.
type walk struct {
	is     func(ast.Stmt) bool
	body   *ast.BlockStmt
	inner  int  // loops that the walk is in
	missed bool // a way comes to the next iteration without the statement, or goes where the walk does not follow
	breaks []*flow
}

// A flow is what is known where ways meet: whether there are any, and whether all have come to the
// statement.
type flow struct{ reached, done bool }

func (f *flow) join(g flow) {
	switch {
	case !g.reached:
	case !f.reached:
		*f = g
	default:
		f.done = f.done && g.done
	}
}

// list follows a list of statements.
func (w *walk) list(list []ast.Stmt, done bool) flow {
	f := flow{true, done}
	for _, s := range list {
		if !f.reached {
			if labelled(s) {
				w.missed = true // by a goto
			}
			break
		}
		f = w.statement(s, f.done)
	}
	return f
}

func labelled(s ast.Stmt) bool {
	_, ok := s.(*ast.LabeledStmt)
	return ok
}

// statement follows a statement.
func (w *walk) statement(s ast.Stmt, done bool) flow {
	if w.is(s) {
		return flow{true, true}
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		return w.list(s.List, done)
	case *ast.LabeledStmt:
		return w.statement(s.Stmt, done)
	case *ast.ReturnStmt:
		return flow{}
	case *ast.BranchStmt:
		return w.branch(s, done)
	case *ast.IfStmt:
		then := w.list(s.Body.List, done)
		if s.Else == nil {
			then.join(flow{true, done})
			return then
		}
		then.join(w.statement(s.Else, done))
		return then
	case *ast.ForStmt:
		w.loop(s.Body, done)
		return flow{s.Cond != nil || breaks(s.Body), done}
	case *ast.RangeStmt:
		w.loop(s.Body, done)
	case *ast.SwitchStmt:
		return w.clauses(s.Body, done)
	case *ast.TypeSwitchStmt:
		return w.clauses(s.Body, done)
	case *ast.SelectStmt:
		return w.clauses(s.Body, done)
	}
	return flow{true, done}
}

// loop follows the body of an inner loop, which may be executed not once.
func (w *walk) loop(body *ast.BlockStmt, done bool) {
	w.inner++
	w.breaks = append(w.breaks, new(flow))
	w.list(body.List, done)
	w.breaks = w.breaks[:len(w.breaks)-1]
	w.inner--
}

// breaks reports whether there is a break statement in the body of a loop.
func breaks(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK
		}
		return !found
	})
	return found
}

// clauses follows a switch or select statement.
func (w *walk) clauses(body *ast.BlockStmt, done bool) flow {
	var end flow
	w.breaks = append(w.breaks, &end)
	otherwise := false // there is a clause for all that is left
	var before flow    // what falls through
	for _, c := range body.List {
		var stmts []ast.Stmt
		switch c := c.(type) {
		case *ast.CaseClause:
			stmts = c.Body
			otherwise = otherwise || c.List == nil
		case *ast.CommClause:
			stmts = c.Body
			otherwise = true // one of them is executed
		}
		from := flow{true, done}
		from.join(before)
		f := w.list(stmts, from.done)
		if n := len(stmts); n > 0 && fallsThrough(stmts[n-1]) {
			before = f
			continue
		}
		before = flow{}
		end.join(f)
	}
	w.breaks = w.breaks[:len(w.breaks)-1]
	if !otherwise {
		end.join(flow{true, done})
	}
	return end
}

func fallsThrough(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// branch follows a break, continue, goto or fallthrough statement.
func (w *walk) branch(s *ast.BranchStmt, done bool) flow {
	switch {
	case s.Tok == token.FALLTHROUGH:
		return flow{true, done}
	case s.Tok == token.GOTO: // one out of the loop is none of its ways
		w.missed = w.missed || w.declares(s.Label.Name)
	case s.Label != nil:
		// The same goes for these. Whether they lead out of it, only a label outside tells.
		if w.declares(s.Label.Name) || s.Tok == token.CONTINUE {
			w.missed = w.missed || !done
		}
	case s.Tok == token.CONTINUE:
		if w.inner == 0 {
			w.missed = w.missed || !done
		}
	case len(w.breaks) > 0:
		w.breaks[len(w.breaks)-1].join(flow{true, done})
	}
	return flow{}
}

// declares reports whether a label stands in the body of the loop.
func (w *walk) declares(label string) bool {
	found := false
	ast.Inspect(w.body, func(n ast.Node) bool {
		if s, ok := n.(*ast.LabeledStmt); ok && s.Label.Name == label {
			found = true
		}
		return !found
	})
	return found
}

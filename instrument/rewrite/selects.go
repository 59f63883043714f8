package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// selects flattens a select statement.
func (c *function) selects(s *ast.SelectStmt) {
	if c.waits(s) {
		c.waitingSelect(s)
	} else {
		c.plainSelect(s)
	}
}

// plainSelect flattens a select statement at which no checkpoint finds the goroutine: it
// has a default, or the program no goroutines. Its operands are evaluated once, in order,
// before the choice; the choice stays a select, whose clauses jump. What a clause
// receives goes to temporaries, as the operands on the left of a receive are
// evaluated only in the clause that is chosen.
//
//	select { case item1, open1 = <-ch: goto case1; case out <- value: goto case2 }
//
// While a checkpoint is wanted, those that wait at channels leave them. One with a default would
// not find them, so the goroutine joins the others before, as at a poll.
func (c *function) plainSelect(s *ast.SelectStmt) {
	if c.tries(s) {
		c.wanted(s, "select", "Try")
	}
	clauses, operands := communications(s)
	c.inOrder(0, operands)
	if !c.opens(s) {
		c.narrow(s, c.emit(s.Pos(), c.labelled(s, c.render(s))))
		return
	}

	l := c.enter(s)
	labels := make([]*label, len(clauses))
	items := make([][]*variable, len(clauses))
	var b strings.Builder
	for i, cl := range clauses {
		labels[i] = c.newLabel("case")
		switch comm := cl.Comm.(type) {
		case nil:
			b.WriteString("default:\n")
		case *ast.SendStmt:
			b.WriteString("case " + c.render(comm) + ":\n")
		case *ast.ExprStmt:
			b.WriteString("case " + c.render(comm) + ":\n")
		case *ast.AssignStmt:
			from := received(comm)
			items[i] = c.items(comm)
			c.use(items[i]...)
			b.WriteString("case " + names(items[i]) + " = <-" + c.operand(from.X) + ":\n")
		}
		b.WriteString(c.jump(labels[i]) + "\n")
	}
	c.emit(s.Select, "select {\n"+b.String()+"}").falls = false

	c.communicated(clauses, labels, items, l.done)
}

// reachesClauses reports whether there is a resume point in the body of a clause of a select
// statement, or in what a clause assigns to.
func (c *function) reachesClauses(s *ast.SelectStmt) bool {
	clauses, _ := communications(s)
	for _, cl := range clauses {
		for _, b := range cl.Body {
			if c.reaches(b) {
				return true
			}
		}
		if a, ok := cl.Comm.(*ast.AssignStmt); ok {
			for _, l := range a.Lhs {
				if c.reaches(l) {
					return true
				}
			}
		}
	}
	return false
}

// inOrder lowers the operands of a select statement, which the language evaluates in source
// order, variables too: what a call in a later operand could change goes to a temporary before.
// more is 1 if the statement itself is a resume point.
func (c *function) inOrder(more int, operands []ast.Expr) {
	rest := more
	for _, e := range operands {
		rest += c.countResumes(e)
	}
	for i, e := range operands {
		saved := c.pending
		c.pending = rest
		c.lowerExpr(e)
		rest, c.pending = c.pending, saved
		called := false // before this operand would be read
		for _, next := range operands[i+1:] {
			called = called || hasEffect(c.p.info, next)
		}
		tv := c.p.info.Types[e]
		if _, done := c.subst[e]; rest > 0 && called && !done && tv.Value == nil && !tv.IsNil() && !c.keepsValue(e) {
			c.argument(e)
		}
	}
}

// keepsValue reports whether an operand is a variable that no call changes.
func (c *function) keepsValue(e ast.Expr) bool {
	return c.plainVariable(e) != nil && !c.p.facts.lent[c.p.facts.variable(e)]
}

// communicated writes the bodies of a select statement.
func (c *function) communicated(clauses []*ast.CommClause, labels []*label, items [][]*variable, done *label) {
	for i, cl := range clauses {
		c.place(labels[i])
		if a, ok := cl.Comm.(*ast.AssignStmt); ok {
			c.receive(a, items[i])
		}
		c.statements(cl.Body)
		c.emitGoto(done)
	}
	c.place(done)
}

// communications returns the clauses of a select statement and the operands that are
// evaluated before the choice.
func communications(s *ast.SelectStmt) (clauses []*ast.CommClause, operands []ast.Expr) {
	for _, st := range s.Body.List {
		cl := st.(*ast.CommClause)
		clauses = append(clauses, cl)
		switch comm := cl.Comm.(type) {
		case *ast.SendStmt:
			operands = append(operands, comm.Chan, comm.Value)
		case *ast.ExprStmt, *ast.AssignStmt:
			operands = append(operands, received(comm).X)
		}
	}
	return clauses, operands
}

// items makes the temporaries for what a clause receives.
func (c *function) items(a *ast.AssignStmt) []*variable {
	list := []*variable{c.temporary("item", blocking.Element(c.p.typeOf(received(a).X)), a)}
	if len(a.Lhs) == 2 {
		list = append(list, c.temporary("open", types.Typ[types.Bool], a))
	}
	return list
}

// waitingSelect flattens a select statement at which the goroutine can wait and a
// checkpoint can find it. There is one more clause, for that; without checkpoints its
// channel is nil. shadow.Blocking begins the waiting and is the resume point; its
// operands are those of the select, which are in temporaries.
//
//	select { case v := <-in: use(v); case out <- next(): }
//
// becomes
//
//		call1 = next()
//	select1:
//	resume2:
//		if shadow.IsOff() { stop1 = nil } else { stop1 = shadow.Blocking() }
//	stopped1:
//		if shadow.Unwinding() { ... }
//		select {
//		case item1 = <-in: goto case1
//		case out <- call1: goto case2
//		case <-stop1:
//			if shadow.Interrupted() { goto stopped1 }
//			goto select1
//		}
//	case1:
//		v = item1
//		use(v)
//		goto done1
//	case2:
//	done1:
//
// One with a single clause is that operation, as to the language.
func (c *function) waitingSelect(s *ast.SelectStmt) {
	clauses, operands := communications(s)
	c.inOrder(1, operands)
	l := c.enter(s)
	if len(clauses) == 1 {
		c.onlyClause(clauses[0])
		c.place(l.done)
		return
	}

	labels := make([]*label, len(clauses))
	items := make([][]*variable, len(clauses))
	var keep, delivered []*variable
	var b strings.Builder
	for i, cl := range clauses {
		labels[i] = c.newLabel("case")
		switch comm := cl.Comm.(type) {
		case *ast.SendStmt:
			ch := c.held(comm.Chan, c.p.typeOf(comm.Chan), &keep)
			fmt.Fprintf(&b, "case %s <- %s:\n", ch, c.held(comm.Value, blocking.Element(c.p.typeOf(comm.Chan)), &keep))
		case *ast.ExprStmt:
			from := received(comm).X
			fmt.Fprintf(&b, "case <-%s:\n", c.held(from, c.p.typeOf(from), &keep))
		case *ast.AssignStmt:
			from := received(comm).X
			items[i] = c.items(comm)
			delivered = append(delivered, items[i]...)
			fmt.Fprintf(&b, "case %s = <-%s:\n", names(items[i]), c.held(from, c.p.typeOf(from), &keep))
		}
		b.WriteString("goto " + labels[i].name + labelMark + "\n")
	}

	again := c.newLabel("select")
	stop := &variable{name: c.numbered("stop"), text: "<-chan struct{}"}
	stop.carrier, stop.access = stop, stop.name
	c.all = append(c.all, stop)
	c.place(again)
	p := c.point(s, s.Pos(), "select", "nil", c.shadow()+".Blocking()", keep, []*variable{stop})
	p.test = c.newLabel("stopped")
	fmt.Fprintf(&b, "case <-%s:\nif %s.Interrupted() { goto %s }\n%s\n", stop.name, c.shadow(), p.test.name+labelMark, c.jump(again))
	for _, l := range labels {
		c.jump(l)
	}
	c.use(stop)
	c.use(keep...)
	in := c.emit(s.Select, "select {\n"+b.String()+"}")
	in.falls = false
	in.defines = delivered
	c.communicated(clauses, labels, items, l.done)
}

// onlyClause writes a select statement of one clause, whose operands have been lowered.
func (c *function) onlyClause(cl *ast.CommClause) {
	switch comm := cl.Comm.(type) {
	case *ast.SendStmt:
		c.sendPoint(comm)
	case *ast.ExprStmt:
		c.receives(received(comm), nil)
	case *ast.AssignStmt:
		items := c.items(comm)
		c.receives(received(comm), items)
		c.receive(comm, items)
	}
	c.statements(cl.Body)
}

// received returns the receive operation of a clause.
func received(comm ast.Stmt) *ast.UnaryExpr {
	var e ast.Expr
	switch comm := comm.(type) {
	case *ast.ExprStmt:
		e = comm.X
	case *ast.AssignStmt:
		e = comm.Rhs[0]
	}
	return ast.Unparen(e).(*ast.UnaryExpr)
}

// receive assigns what a clause has received to what stands on its left.
func (c *function) receive(a *ast.AssignStmt, items []*variable) {
	for i, e := range a.Lhs {
		if !given(e) {
			continue
		}
		if a.Tok == token.DEFINE {
			id := e.(*ast.Ident)
			v := c.declare(c.p.info.Defs[id], id)
			c.fresh(v, id)
			c.use(items[i])
			if !v.plain() {
				c.use(v.carrier)
			}
			in := c.emit(a.Pos(), v.access+" = "+items[i].name)
			if v.plain() {
				in.defines = []*variable{v}
			}
		}
	}
	if a.Tok == token.DEFINE {
		return
	}
	c.noteTargets(a.Lhs...)
	c.lower(a.Lhs...)
	var left, right []string
	for i, e := range a.Lhs {
		left = append(left, c.render(e))
		text := items[i].name
		if t := c.p.typeOf(e); i == 1 && t != nil && !isInterface(t) && !types.Identical(t, types.Typ[types.Bool]) {
			if named, err := c.typeText(t); err == nil {
				text = named + "(" + text + ")"
			}
		}
		right = append(right, text)
		c.use(items[i])
	}
	c.emit(a.Pos(), strings.Join(left, ", ")+" = "+strings.Join(right, ", "))
}

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// selects flattens a select statement. Its operands are evaluated once, in order,
// before the choice; the choice stays a select, whose clauses jump. What a clause
// receives goes to temporaries, as the operands on the left of a receive are
// evaluated only in the clause that is chosen.
//
//	select { case item1, open1 = <-ch: goto case1; case out <- value: goto case2 }
func (c *function) selects(s *ast.SelectStmt) {
	var operands []ast.Expr
	inBodies := false
	var clauses []*ast.CommClause
	for _, st := range s.Body.List {
		cl := st.(*ast.CommClause)
		clauses = append(clauses, cl)
		switch comm := cl.Comm.(type) {
		case *ast.SendStmt:
			operands = append(operands, comm.Chan, comm.Value)
		case *ast.ExprStmt, *ast.AssignStmt:
			operands = append(operands, received(comm).X)
		}
		for _, b := range cl.Body {
			inBodies = inBodies || c.reaches(b)
		}
		if a, ok := cl.Comm.(*ast.AssignStmt); ok {
			for _, l := range a.Lhs {
				inBodies = inBodies || c.reaches(l)
			}
		}
	}
	c.lower(operands...)
	if !inBodies {
		c.emit(s.Pos(), c.render(s))
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
			elem := types.Unalias(c.p.typeOf(from.X)).Underlying().(*types.Chan).Elem()
			items[i] = []*variable{c.temporary("item", elem, comm)}
			if len(comm.Lhs) == 2 {
				items[i] = append(items[i], c.temporary("open", types.Typ[types.Bool], comm))
			}
			c.use(items[i]...)
			b.WriteString("case " + names(items[i]) + " = <-" + c.operand(from.X) + ":\n")
		}
		b.WriteString(c.jump(labels[i]) + "\n")
	}
	c.emit(s.Select, "select {\n"+b.String()+"}").falls = false

	for i, cl := range clauses {
		c.place(labels[i])
		if a, ok := cl.Comm.(*ast.AssignStmt); ok {
			c.receive(a, items[i])
		}
		c.block(cl.Body)
		c.emitGoto(l.done)
	}
	c.place(l.done)
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
	c.lower(a.Lhs...)
	var left, right []string
	for i, e := range a.Lhs {
		left = append(left, c.render(e))
		right = append(right, items[i].name)
		c.use(items[i])
	}
	c.emit(a.Pos(), strings.Join(left, ", ")+" = "+strings.Join(right, ", "))
}

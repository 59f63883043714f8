package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// switches flattens an expression switch. If no case contains a resume point
// the choice stays a switch statement, whose clauses jump:
//
//	switch tag { case a, b: goto case1; default: goto case2 }
//	case1: ...; goto done1
//	case2: ...
//	done1:
//
// Otherwise the cases are compared one after the other, as the language does.
func (c *function) switches(s *ast.SwitchStmt) {
	if s.Init != nil {
		c.statement(s.Init)
	}
	clauses := caseClauses(s.Body)
	inCases := false
	for _, cl := range clauses {
		for _, e := range cl.List {
			inCases = inCases || c.reaches(e)
		}
	}
	if !c.opens(s) {
		c.lower(s.Tag)
		tag := ""
		if s.Tag != nil {
			tag = c.render(s.Tag) + " "
		}
		c.narrow(&ast.SwitchStmt{Tag: s.Tag, Body: s.Body}, c.emit(s.Switch, c.labelled(s, "switch "+tag+c.render(s.Body))))
		return
	}

	l := c.enter(s)
	labels := make([]*label, len(clauses))
	for i := range clauses {
		labels[i] = c.newLabel("case")
	}
	otherwise := l.done
	for i, cl := range clauses {
		if cl.List == nil {
			otherwise = labels[i]
		}
	}

	if !inCases {
		if s.Tag != nil {
			c.lower(s.Tag)
		}
		var b strings.Builder
		b.WriteString("switch ")
		if s.Tag != nil {
			b.WriteString(c.render(s.Tag) + " ")
		}
		b.WriteString("{\n")
		for i, cl := range clauses {
			if cl.List == nil {
				continue
			}
			var list []string
			for _, e := range cl.List {
				list = append(list, c.render(e))
			}
			b.WriteString("case " + strings.Join(list, ", ") + ":\n" + c.jump(labels[i]) + "\n")
		}
		b.WriteString("default:\n" + c.jump(otherwise) + "\n}")
		in := c.emit(s.Switch, b.String())
		in.falls, in.chooses = false, c.constantCases(clauses)
	} else {
		var tag *variable
		if s.Tag != nil {
			c.lower(s.Tag)
			tag = c.value(c.render(s.Tag), c.p.typeOf(s.Tag), s.Tag)
		}
		for i, cl := range clauses {
			for _, e := range cl.List {
				c.lower(e)
				text := enclosed(e, c.render(e))
				switch {
				case tag != nil:
					c.use(tag)
					text = tag.name + " == " + text
				case types.IsInterface(c.p.typeOf(e)) && !isTypeParam(c.p.typeOf(e)):
					text = "true == " + text
				}
				c.emit(e.Pos(), "if "+text+" { "+c.jump(labels[i])+" }")
			}
		}
		c.emitGoto(otherwise)
	}
	c.clauses(clauses, labels, l)
}

// constantCases reports whether the cases of a switch are constants.
func (c *function) constantCases(clauses []*ast.CaseClause) bool {
	for _, cl := range clauses {
		for _, e := range cl.List {
			if c.p.info.Types[e].Value == nil {
				return false
			}
		}
	}
	return true
}

// enclosed puts parentheses around the text of a case that becomes a condition: an operator may
// precede it, and it may have the braces of a composite literal, which would be taken for those of
// the statement.
func enclosed(e ast.Expr, text string) string {
	switch e.(type) {
	case *ast.Ident, *ast.BasicLit, *ast.ParenExpr:
		return text
	}
	return "(" + text + ")"
}

func caseClauses(b *ast.BlockStmt) []*ast.CaseClause {
	var list []*ast.CaseClause
	for _, s := range b.List {
		list = append(list, s.(*ast.CaseClause))
	}
	return list
}

// clauses writes the bodies of a flattened switch.
func (c *function) clauses(clauses []*ast.CaseClause, labels []*label, l *loopLabels) {
	for i, cl := range clauses {
		c.place(labels[i])
		body, through, ends := fallsThrough(cl.Body)
		c.statements(body)
		for _, l := range ends {
			c.placeUser(l)
		}
		if through {
			c.emitGoto(labels[i+1])
		} else {
			c.emitGoto(l.done)
		}
	}
	c.place(l.done)
}

// fallsThrough returns a clause without the fallthrough statement at its end, whether it has one,
// and the labels of that.
func fallsThrough(body []ast.Stmt) (rest []ast.Stmt, through bool, labels []*ast.LabeledStmt) {
	n := len(body)
	for n > 0 {
		if _, ok := body[n-1].(*ast.EmptyStmt); !ok {
			break
		}
		n--
	}
	if n == 0 {
		return body, false, nil
	}
	last := body[n-1]
	for {
		l, ok := last.(*ast.LabeledStmt)
		if !ok {
			break
		}
		labels = append(labels, l)
		last = l.Stmt
	}
	if b, ok := last.(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
		return body[:n-1], true, labels
	}
	return body, false, nil
}

// typeSwitches flattens a type switch. The choice stays a type switch; a clause
// that uses the value assigns it to a variable of the clause's own type:
//
//	switch v := x.(type) { case A: a = v; goto case1; default: goto done1 }
func (c *function) typeSwitches(s *ast.TypeSwitchStmt) {
	if s.Init != nil {
		c.statement(s.Init)
	}
	var bound *ast.Ident
	var operand ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		bound = a.Lhs[0].(*ast.Ident)
		operand = a.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		operand = a.X.(*ast.TypeAssertExpr).X
	}
	c.lower(operand)
	clauses := caseClauses(s.Body)
	if !c.opens(s) {
		c.narrow(&ast.TypeSwitchStmt{Assign: s.Assign, Body: s.Body}, c.emit(s.Switch, c.labelled(s, "switch "+c.render(s.Assign)+" "+c.render(s.Body))))
		return
	}

	l := c.enter(s)
	text := c.operand(operand) + ".(type)"
	name := ""
	if bound != nil {
		name = c.numbered("value")
	}
	labels := make([]*label, len(clauses))
	var b strings.Builder
	otherwise := l.done
	var declared []*variable
	for i, cl := range clauses {
		labels[i] = c.newLabel("case")
		assign := ""
		if obj := c.p.info.Implicits[cl]; bound != nil && obj != nil && c.mentions(cl.Body, obj) {
			v := c.declare(obj, cl)
			if v.cell {
				assign = v.name + " = new(" + v.text + "); "
			}
			assign += v.access + " = " + name + "\n"
			declared = append(declared, v)
		}
		if cl.List == nil {
			otherwise = nil
			b.WriteString("default:\n")
		} else {
			var list []string
			for _, e := range cl.List {
				list = append(list, c.render(e))
			}
			b.WriteString("case " + strings.Join(list, ", ") + ":\n")
		}
		b.WriteString(assign + c.jump(labels[i]) + "\n")
	}
	if otherwise != nil {
		b.WriteString("default:\n" + c.jump(otherwise) + "\n")
	}
	if len(declared) > 0 {
		text = name + " := " + text
	}
	in := c.emit(s.Switch, "switch "+text+" {\n"+b.String()+"}")
	in.falls, in.chooses = false, true
	in.defines = declared // each is, on the only way to where it is seen
	c.clauses(clauses, labels, l)
}

// mentions reports whether the statements use obj.
func (c *function) mentions(list []ast.Stmt, obj types.Object) bool {
	found := false
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && c.p.info.Uses[id] == obj {
				found = true
			}
			return !found
		})
	}
	return found
}

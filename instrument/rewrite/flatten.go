package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// flattenBody flattens the body of a function of the closure.
func (c *function) flattenBody(body *ast.BlockStmt) {
	c.findLabels(body.List)
	if c.p.Closure.Polls(c.node) {
		c.poll(c.node)
	}
	c.statements(body.List)
	if n := len(c.spans); n > 0 {
		c.spans = c.spans[:n-1] // the body itself
	}
}

// findLabels makes labels for the labelled statements that stand in flattened
// blocks and that a goto refers to.
func (c *function) findLabels(list []ast.Stmt) {
	for _, s := range list {
		for {
			l, ok := s.(*ast.LabeledStmt)
			if !ok {
				break
			}
			if obj := c.p.info.Defs[l.Label]; c.p.facts.jumped[obj] {
				c.userLabels[obj] = &label{name: c.localName(l.Label.Name + "_label")}
			}
			s = l.Stmt
		}
		if !c.reaches(s) || !c.opens(s) {
			continue
		}
		switch s := s.(type) {
		case *ast.BlockStmt:
			c.findLabels(s.List)
		case *ast.IfStmt:
			c.findLabels(s.Body.List)
			if s.Else != nil {
				c.findLabels([]ast.Stmt{s.Else})
			}
		case *ast.ForStmt:
			c.findLabels(s.Body.List)
		case *ast.RangeStmt:
			if !c.p.overFunction(s) {
				c.findLabels(s.Body.List)
			}
		case *ast.SwitchStmt:
			for _, cl := range s.Body.List {
				c.findLabels(cl.(*ast.CaseClause).Body)
			}
		case *ast.TypeSwitchStmt:
			for _, cl := range s.Body.List {
				c.findLabels(cl.(*ast.CaseClause).Body)
			}
		case *ast.SelectStmt:
			for _, cl := range s.Body.List {
				c.findLabels(cl.(*ast.CommClause).Body)
			}
		}
	}
}

// opens reports whether what a statement with a resume point contains is flattened, too. If only
// its condition, tag or operands have one, the rest stays as it is, with its labels.
func (c *function) opens(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.IfStmt:
		return c.reaches(s.Body) || s.Else != nil && c.reaches(s.Else)
	case *ast.RangeStmt:
		return c.reaches(s.Body) || c.reaches(s.Key) || c.reaches(s.Value) || c.p.Closure.Loop(s) || c.waits(s)
	case *ast.SwitchStmt:
		return c.reaches(s.Body)
	case *ast.TypeSwitchStmt:
		return c.reaches(s.Body)
	case *ast.SelectStmt:
		return c.waits(s) || c.reachesClauses(s)
	}
	return true
}

// statements writes the statements of a flattened block.
func (c *function) statements(list []ast.Stmt) {
	n, start := len(c.inUse), len(c.code)
	var last map[types.Object]int
	for i := 0; i < len(list); i++ {
		if whole := c.scoped(list, i, &last); whole > 0 {
			c.writeScoped(list[i : i+whole])
			i += whole - 1
			continue
		}
		c.statement(list[i])
	}
	c.release(n, true)
	if end := len(c.code); end > start {
		c.spans = append(c.spans, span{c.code[start], c.code[end-1]})
	}
}

// placeUser places the label of a statement of a flattened block, if a goto refers to it.
func (c *function) placeUser(l *ast.LabeledStmt) {
	if u := c.userLabels[c.p.info.Defs[l.Label]]; u != nil {
		u.used = true
		c.place(u)
	}
}

// statement writes a statement of a flattened block.
func (c *function) statement(s ast.Stmt) {
	n := len(c.inUse)
	defer func() { c.release(n, hasScope(s)) }()
	if l, ok := s.(*ast.LabeledStmt); ok {
		c.placeUser(l)
		if c.reaches(l.Stmt) || !c.labelInText(l) {
			c.labels[l.Stmt] = l
			c.statement(l.Stmt)
			return
		}
	}
	if !c.reaches(s) {
		c.untouched(s)
		return
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		c.statements(s.List)
	case *ast.ExprStmt:
		c.expression(s)
	case *ast.AssignStmt:
		c.assignment(s)
	case *ast.DeclStmt:
		c.declaration(s)
	case *ast.IncDecStmt:
		c.noteTargets(s.X)
		c.lower(s.X)
		c.emit(s.Pos(), c.render(s))
	case *ast.SendStmt:
		c.sends(s)
	case *ast.GoStmt:
		c.lowerAs(append([]ast.Expr{s.Call.Fun}, s.Call.Args...), c.operandTypes(s.Call))
		c.emit(s.Pos(), c.render(s))
	case *ast.ReturnStmt:
		c.returns(s)
	case *ast.IfStmt:
		c.ifs(s)
	case *ast.ForStmt:
		c.fors(s)
	case *ast.RangeStmt:
		c.ranges(s)
	case *ast.SwitchStmt:
		c.switches(s)
	case *ast.TypeSwitchStmt:
		c.typeSwitches(s)
	case *ast.DeferStmt:
		if _, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
			c.lowerAs(s.Call.Args, c.operandTypes(s.Call)[1:])
		} else {
			c.lowerAs(append([]ast.Expr{s.Call.Fun}, s.Call.Args...), c.operandTypes(s.Call))
		}
		c.emit(s.Pos(), c.render(s))
	case *ast.SelectStmt:
		c.selects(s)
	case *ast.BranchStmt: // that goes back
		c.poll(s)
		c.untouched(s)
	default:
		c.p.refuse(s, "a statement of an unknown kind that can reach a checkpoint", "")
	}
}

// labelled returns the text of a statement that stays one, after its operand has been
// lowered, with the label that its breaks and continues refer to.
func (c *function) labelled(s ast.Stmt, text string) string {
	if l := c.labels[s]; l != nil && c.labelInText(l) {
		return l.Label.Name + labelMark + ":\n" + text
	}
	return text
}

// labelInText reports whether a break or continue refers to the label of a
// statement that stays as it is.
func (c *function) labelInText(l *ast.LabeledStmt) bool {
	found := false
	ast.Inspect(l.Stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if n.Tok != token.GOTO && n.Label != nil && c.p.info.Uses[n.Label] == c.p.info.Defs[l.Label] {
				found = true
			}
		}
		return true
	})
	return found
}

// untouched writes a statement without a resume point. Only the declarations
// that belong to the flattened block itself are moved.
func (c *function) untouched(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.EmptyStmt:
	case *ast.DeclStmt:
		c.declaration(s)
	case *ast.AssignStmt:
		c.assignment(s)
	case *ast.ReturnStmt:
		c.emit(s.Pos(), c.render(s)).falls = false
	case *ast.BranchStmt:
		c.emit(s.Pos(), c.render(s)).falls = false
	case *ast.LabeledStmt:
		switch loop := s.Stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			c.plainLoop(s, loop)
		default:
			c.narrow(s, c.emit(s.Pos(), c.render(s)))
		}
	case *ast.ForStmt, *ast.RangeStmt:
		c.plainLoop(s, s)
	case *ast.IfStmt:
		if s.Init == nil {
			c.plainIf(s)
			return
		}
		c.narrow(s, c.emit(s.Pos(), c.render(s)))
	default:
		c.narrow(s, c.emit(s.Pos(), c.render(s)))
	}
}

func (c *function) expression(s *ast.ExprStmt) {
	p := c.lonePoint([]ast.Expr{s.X})
	if p == nil {
		c.lower(s.X)
		c.emit(s.Pos(), c.render(s))
		return
	}
	c.operands(p)
	c.resumeAt(p, nil)
}

// operands lowers what a resume point, a call or receive, needs before it can be made.
// It is a call itself, so all the calls in its operands become statements, and what
// else is read for them is read after these.
func (c *function) operands(p ast.Expr) {
	switch p := p.(type) {
	case *ast.CallExpr:
		c.callsAtOnce(p.Fun)
		c.lastOperands(p)
		c.lowerAll(append([]ast.Expr{p.Fun}, p.Args...), c.operandTypes(p)...)
	case *ast.UnaryExpr:
		c.lowerAll([]ast.Expr{p.X})
	}
}

// lowerAll makes statements of all the calls in list, whose values become ones of the given types.
func (c *function) lowerAll(list []ast.Expr, to ...types.Type) {
	saved := c.pending
	c.pending = 1
	for _, e := range list {
		c.pending += c.countResumes(e)
	}
	c.withShelves(c.pending, func() { c.lowerTo(list, to) })
	c.pending = saved
}

// lonePoint returns the call or receive if list is a single resume point.
func (c *function) lonePoint(list []ast.Expr) ast.Expr {
	if len(list) != 1 {
		return nil
	}
	switch e := ast.Unparen(list[0]).(type) {
	case *ast.CallExpr:
		if c.isResume(e) {
			return e
		}
	case *ast.UnaryExpr:
		if c.waits(e) {
			return e
		}
	}
	return nil
}

// resumeAt writes a resume point whose operands have been lowered. The results go to
// the given variables.
func (c *function) resumeAt(p ast.Expr, results []*variable) {
	switch p := p.(type) {
	case *ast.CallExpr:
		c.resume(p, results)
	case *ast.UnaryExpr:
		c.receives(p, results)
	}
}

// assignment writes all forms of assignment and definition.
func (c *function) assignment(s *ast.AssignStmt) {
	if text, moved := c.movedSizeless(s); moved {
		c.emit(s.Pos(), text)
		return
	}
	if id, ok := s.Lhs[0].(*ast.Ident); ok && c.p.facts.recursive[c.p.info.Uses[id]] && c.localFunction(s, s.Lhs, s.Rhs) {
		return
	}
	if s.Tok == token.DEFINE {
		var targets []*ast.Ident
		for _, l := range s.Lhs {
			targets = append(targets, l.(*ast.Ident))
		}
		c.define(s, targets, nil, s.Rhs)
		return
	}
	if p := c.lonePoint(s.Rhs); p != nil && s.Tok == token.ASSIGN {
		if vs, ok := c.plainTargets(s.Lhs); ok {
			c.operands(p)
			c.resumeAt(p, vs)
			return
		}
	}
	// The calls on the left come before those on the right. A receive or the
	// like that yields a second value stays in place.
	list := append(append([]ast.Expr(nil), s.Lhs...), c.commaOk(s.Lhs, s.Rhs)...)
	to := make([]types.Type, len(s.Lhs), len(list))
	if len(s.Lhs) == len(s.Rhs) {
		for _, l := range s.Lhs {
			to = append(to, c.p.typeOf(l))
		}
	}
	c.noteTargets(s.Lhs...)
	c.lowerAs(list, to)
	var kept []bool
	vs, plain := c.plainTargets(s.Lhs)
	if plain {
		kept = c.keepsErrors(s.Lhs, s.Rhs)
	}
	in := c.emit(s.Pos(), c.render(s)+c.keepErrors(kept, s.Rhs, nameList(vs)))
	if s.Tok == token.ASSIGN && plain {
		for _, v := range vs {
			if v != nil {
				in.defines = append(in.defines, v)
			}
		}
		in.uses = c.usesOf(s.Rhs) // the text names the targets, too
	}
}

// usesOf returns the variables that the (already lowered) expressions read.
func (c *function) usesOf(list []ast.Expr) []*variable {
	for _, e := range list {
		c.render(e)
	}
	c.takeJumps()
	return c.takeUses()
}

// commaOk returns the operands of the right side that may be lowered: in
// v, ok = <-ch the receive itself is not an expression of one value, unless it is a
// resume point.
func (c *function) commaOk(lhs, rhs []ast.Expr) []ast.Expr {
	if len(lhs) != 2 || len(rhs) != 1 {
		return rhs
	}
	if e, ok := ast.Unparen(rhs[0]).(*ast.UnaryExpr); ok && e.Op == token.ARROW && !c.waits(e) {
		return []ast.Expr{e.X}
	}
	return rhs
}

// plainTargets returns the variables that list denotes, nil for blank, if all
// of them are plain.
func (c *function) plainTargets(list []ast.Expr) ([]*variable, bool) {
	var vs []*variable
	for _, l := range list {
		id, ok := l.(*ast.Ident)
		if !ok {
			return nil, false
		}
		if id.Name == "_" {
			vs = append(vs, nil)
			continue
		}
		v := c.variables[c.p.info.Uses[id]]
		if v == nil || !v.plain() {
			return nil, false
		}
		vs = append(vs, v)
	}
	return vs, true
}

// define writes a := or the initialisation of a var declaration, which may have a
// type. Identifiers that it does not declare are assigned.
func (c *function) define(at ast.Stmt, targets []*ast.Ident, declared ast.Expr, values []ast.Expr) {
	if c.localFunction(at, exprs(targets), values) {
		c.mention(declared)
		return
	}
	point := c.lonePoint(values)
	if point != nil {
		c.operands(point)
	} else {
		var to []types.Type
		if len(targets) == len(values) {
			for _, id := range targets {
				to = append(to, c.p.typeOf(id))
			}
		}
		c.lowerAs(c.commaOk(exprs(targets), values), to)
	}
	var texts []string
	var kept []bool
	if point == nil {
		kept = c.keepsErrors(exprs(targets), values)
		for i, v := range values {
			text := c.render(v)
			if declared != nil && targets[i].Name == "_" && len(values) == len(targets) {
				// An assignment to blank has no type of its own: nil has none.
				text = "(" + c.render(declared) + ")(" + text + ")"
			}
			texts = append(texts, text)
		}
	}
	if declared != nil && len(values) < len(targets) || point != nil {
		c.mention(declared)
	}
	uses, jumps := c.takeUses(), c.takeJumps()

	allPlain := true
	vs := make([]*variable, len(targets))
	access := make([]string, len(targets))
	for i, id := range targets {
		access[i] = "_"
		if id.Name == "_" {
			continue
		}
		if obj := c.p.info.Defs[id]; obj != nil {
			vs[i] = c.declare(obj, id)
			c.fresh(vs[i], id)
		} else {
			vs[i] = c.variables[c.p.info.Uses[id]]
		}
		if vs[i] == nil {
			// A package variable can't be redeclared; this is one of an
			// enclosing function that does not exist. Unreachable.
			c.p.refuse(id, "an assignment to an unknown variable", "")
			return
		}
		access[i] = vs[i].access
		allPlain = allPlain && vs[i].plain()
	}
	if point != nil {
		if allPlain {
			c.resumeAt(point, vs)
			return
		}
		results := make([]*variable, len(targets))
		for i, t := range resultTypes(c.p.typeOf(point)) {
			if vs[i] != nil {
				results[i] = c.temporary("call", t, point)
			}
		}
		c.resumeAt(point, results)
		for i, r := range results {
			if r == nil {
				continue
			}
			c.use(r, vs[i].carrier)
			in := c.emit(at.Pos(), access[i]+" = "+r.name)
			if vs[i].plain() {
				in.defines = []*variable{vs[i]}
			}
		}
		return
	}
	for _, v := range vs {
		if v != nil && !v.plain() {
			c.use(v.carrier)
		}
	}
	in := c.emit(at.Pos(), strings.Join(access, ", ")+" = "+strings.Join(texts, ", ")+c.keepErrors(kept, values, access))
	in.uses = append(in.uses, uses...)
	in.targets = append(in.targets, jumps...)
	for _, v := range vs {
		if v != nil && v.plain() {
			in.defines = append(in.defines, v)
		}
	}
}

// mention keeps the declared type of variables that vanish in the text, which may be
// the only use of an import.
func (c *function) mention(declared ast.Expr) {
	if declared != nil {
		c.code = append(c.code, &instruction{text: "{ var _ " + c.render(declared) + " }", falls: true})
	}
}

func exprs(ids []*ast.Ident) []ast.Expr {
	var list []ast.Expr
	for _, id := range ids {
		list = append(list, id)
	}
	return list
}

// fresh makes the heap cell of a variable anew, where it is declared, if it needs another one: see
// lent.go. A value is assigned to it next.
func (c *function) fresh(v *variable, at ast.Node) {
	if !v.cell {
		return
	}
	text := v.name + " = new(" + v.text + ")"
	if v.again {
		text = "if " + v.name + " == nil { " + text + " }"
	}
	c.emit(at.Pos(), text).defines = []*variable{v}
}

// declaration writes the variable declarations of a flattened block as
// assignments. Constants and types have been moved to package level.
func (c *function) declaration(s *ast.DeclStmt) {
	g := s.Decl.(*ast.GenDecl)
	if g.Tok != token.VAR {
		return
	}
	for _, spec := range g.Specs {
		spec := spec.(*ast.ValueSpec)
		if text, moved := c.movedSizeless(spec); moved {
			c.emit(spec.Pos(), text)
			continue
		}
		if len(spec.Values) > 0 {
			c.define(s, spec.Names, spec.Type, spec.Values)
			continue
		}
		for _, id := range spec.Names {
			obj := c.p.info.Defs[id]
			if id.Name == "_" || obj == nil || c.p.facts.recursive[obj] && !c.isShared(obj) { // its literal defines it
				c.mention(spec.Type)
				continue
			}
			held := len(c.all)
			v := c.declare(obj, id)
			c.fresh(v, id)
			switch {
			case !v.cell:
				text := v.name + " = " + zeroText(v.typ, v.text)
				if len(c.all) > held && v.plain() && isLarge(v.typ) && !c.inLoop(id) {
					text = "" // the variable is zero since it was declared, which takes as long again
				}
				in := c.emit(id.Pos(), text)
				in.zeroes, in.defines = true, []*variable{v}
			case v.again:
				c.use(v)
				c.emit(id.Pos(), v.access+" = "+zeroText(v.typ, v.text))
			}
		}
	}
}

func (c *function) returns(s *ast.ReturnStmt) {
	if p := c.lonePoint(s.Results); p != nil && !c.resultCells && c.loop == nil {
		c.operands(p)
		c.resumeAt(p, c.results)
		c.use(c.results...)
		c.emit(token.NoPos, c.returned(s, "")).falls = false
		return
	}
	of := c
	for of.loop != nil {
		of = of.outer
	}
	var to []types.Type
	if len(s.Results) == len(of.results) {
		for _, v := range of.results {
			to = append(to, v.typ)
		}
	}
	c.lowerAs(s.Results, to)
	c.emit(s.Pos(), c.render(s)).falls = false
}

// condition writes the test of e and the jump to no if it does not hold.
func (c *function) condition(at token.Pos, e ast.Expr, no *label) {
	c.lower(e)
	text := c.render(e)
	p, equal := c.failsBy(e)
	text = "if !(" + text + ") { " + failureMark(p != nil && equal) + c.jump(no) + " }" + failureMark(p != nil && !equal)
	c.emit(at, text).fails = p
}

// plainIf writes an if statement without resume points, but for its initialisation, which is
// written.
func (c *function) plainIf(s *ast.IfStmt) {
	p, equal := c.failsBy(s.Cond)
	otherwise, block := s.Else.(*ast.BlockStmt)
	if equal && !block {
		p = nil // there is no place for it
	}
	text := "if " + c.render(s.Cond) + " {" + failureMark(p != nil && !equal) + c.render(s.Body)[1:]
	switch {
	case block:
		text += " else {" + failureMark(p != nil && equal) + c.render(otherwise)[1:]
	case s.Else != nil:
		text += " else " + c.render(s.Else)
	}
	in := c.emit(s.If, text)
	in.fails = p
	c.narrow(&ast.IfStmt{Cond: s.Cond, Body: s.Body, Else: s.Else}, in)
}

func (c *function) ifs(s *ast.IfStmt) {
	if s.Init != nil {
		c.statement(s.Init)
	}
	if !c.opens(s) {
		// Only the condition (or the initialisation) contains a resume
		// point: the rest stays.
		c.lower(s.Cond)
		c.plainIf(s)
		return
	}
	no := c.newLabel("else")
	c.condition(s.If, s.Cond, no)
	c.statements(s.Body.List)
	if s.Else == nil {
		c.place(no)
		return
	}
	done := c.newLabel("endif")
	c.emitGoto(done)
	c.place(no)
	c.statement(s.Else)
	c.place(done)
}

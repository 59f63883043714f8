package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// render returns the source text of n with what has to be changed spliced in.
// The variables that the text uses and the labels that it jumps to are added to
// c.used and c.jumps.
func (c *function) render(n ast.Node) string {
	var b strings.Builder
	from := n.Pos()
	c.splice(&b, n, &from)
	b.WriteString(c.source(from, n.End()))
	return b.String()
}

func (c *function) splice(b *strings.Builder, root ast.Node, from *token.Pos) {
	var spared ast.Stmt // the loop that was last come to
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		if _, ok := n.(*ast.CommentGroup); ok {
			return false
		}
		text, ok := c.substitute(n)
		if !ok {
			if loop := loopOf(n); loop != nil && loop != spared {
				spared = loop
				if n != root && c.closure && !holdsLoop(loop) && c.spares(loop) {
					b.WriteString(c.source(*from, n.Pos()) + c.shadow() + ".Spare(); ")
					*from = n.Pos()
				}
			}
			return true
		}
		b.WriteString(c.source(*from, n.Pos()))
		b.WriteString(text)
		*from = n.End()
		if strings.Count(text, "\n") != strings.Count(c.source(n.Pos(), n.End()), "\n") {
			b.WriteString("/*line " + c.lineAt(n.End()) + "*/")
		}
		return false
	})
}

// substitute returns the text to stand in place of n, if it is not n's own.
func (c *function) substitute(n ast.Node) (string, bool) {
	if s, ok := c.subst[n]; ok {
		c.use(s.uses...)
		return s.text, true
	}
	if n == c.evaluated {
		c.evaluated = nil
		return c.shadow() + ".Value(" + c.render(n) + ")", true
	}
	switch n := n.(type) {
	case *ast.Ident:
		return c.identifier(n)
	case *ast.ParenExpr:
		if isTuple(c.p.typeOf(n)) {
			return c.render(n.X), true // g((f())) may get several values, but not g((a, b))
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			if text, ok := c.keptPart(n); ok {
				return text, true
			}
			if lit, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok && c.p.allocatesWide(c.p.typeOf(lit)) {
				return c.shadow() + ".Allocated(" + c.render(lit) + ")", true
			}
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok {
				if v := c.variables[c.p.info.Uses[id]]; v != nil && v.address != "" {
					c.use(v.carrier)
					return v.address, true
				}
			}
		}
	case *ast.RangeStmt:
		if c.p.overFunction(n) {
			c.callsAtOnce(n.X)
		}
		if n.Value == nil {
			c.keepEvaluated(n.X)
		}
	case *ast.CallExpr:
		if c.moving {
			return c.constantOfLocal(n)
		}
		if name := builtinName(n.Fun); c.p.info.Types[n.Fun].IsBuiltin() {
			switch name {
			case "len", "cap":
				c.keepEvaluated(n.Args[0])
			case "new":
				if tv := c.p.info.Types[n.Args[0]]; tv.IsType() && c.p.allocatesWide(tv.Type) {
					return c.shadow() + ".Allocated(" + c.render(n.Args[0]) + "{})", true
				}
			}
		}
		if !c.p.facts.goOrDefer[n] {
			c.callsAtOnce(n.Fun)
		}
		if c.atOnce[n] {
			delete(c.atOnce, n)
			if text, _ := c.iterate(n, true); text != "" {
				return text + ".Call", true
			}
		}
		if text, ok := c.callHere(n); ok {
			return text, true
		}
		if text, ok := c.callOriginal(n); ok {
			return text, true
		}
		if t := c.p.Closure.Numbered(n); t != nil {
			c.p.reg.numbered[t.Name()] = true
			number := c.shadow() + ".Number(" + c.render(n.Args[0]) + ")"
			if _, ok := types.Unalias(c.p.typeOf(n)).(*types.Named); ok {
				number = c.render(n.Fun) + "(" + number + ")"
			}
			return number, true
		}
		if text, ok := c.keptNumber(n); ok {
			return text, true
		}
		if f := c.p.Closure.Operation(n).Function; f != nil && f.Starts {
			return c.startingCall(n, f), true
		}
		if text, ok := c.keptPart(n); ok {
			return text, true
		}
		if text, ok := c.offTheStack(n); ok {
			return text, true
		}
	case *ast.FuncLit:
		if c.p.facts.handed[n] {
			return c.handedLiteral(n), true
		}
		return c.literal(n)
	case *ast.SelectorExpr:
		if s := c.p.info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
			called := c.p.facts.called[n]
			if !called {
				if text, ok := c.methodValue(n, n, s); ok {
					return text, true
				}
			}
			if text, ok := c.keptReceiver(n, s); ok || !called {
				return text, ok
			}
		}
		if s := c.p.info.Selections[n]; s != nil && s.Kind() == types.MethodExpr && !c.p.facts.called[n] {
			if text, ok := c.methodExpression(n, n, s); ok {
				return text, true
			}
		}
		if c.p.info.Selections[n] == nil && c.isInstance(n.Sel) && !c.p.facts.called[n] {
			if text, ok := c.instanceValue(n, n.Sel); ok {
				return text, true
			}
		}
		// Sel is a field, a method or an object of another package.
		sel := n.Sel.Name
		if field, ok := c.p.info.Uses[n.Sel].(*types.Var); ok {
			sel = c.p.fieldName(field)
		}
		return c.render(n.X) + c.source(n.X.End(), n.Sel.Pos()) + sel, true
	case *ast.IndexExpr:
		if id := instanceIdent(n.X); id != nil && c.isInstance(id) && !c.p.facts.called[n] {
			return c.explicitInstance(n, n.X, id), true
		}
		return c.movedInstance(n.X, n.Index)
	case *ast.IndexListExpr:
		if text, ok := c.movedInstance(n.X, n.Indices...); ok {
			return text, true
		}
		if id := instanceIdent(n.X); id != nil && c.isInstance(id) && !c.p.facts.called[n] {
			return c.explicitInstance(n, n.X, id), true
		}
	case *ast.BranchStmt:
		return c.branch(n)
	case *ast.DeferStmt:
		if c.closure {
			return c.deferStatement(n), true
		}
	case *ast.GoStmt:
		if c.p.starts(n) {
			return c.goStatement(n), true
		}
	case *ast.ReturnStmt:
		if c.inHanded > 0 {
			break
		}
		if c.loop != nil {
			return c.returnFromLoop(n), true
		}
		if c.resultCells {
			return c.returnThroughCells(n), true
		}
		if len(n.Results) == 0 {
			c.use(c.results...) // it returns them
		}
		if c.isJump(n) {
			var values []string
			for _, e := range n.Results {
				values = append(values, c.render(e))
			}
			return c.returned(n, strings.Join(values, ", ")), true
		}
	case *ast.AssignStmt:
		return c.movedSizeless(n)
	case *ast.DeclStmt:
		if g := n.Decl.(*ast.GenDecl); g.Tok != token.VAR && c.moves {
			return "", true
		}
	case *ast.ValueSpec:
		return c.movedSizeless(n)
	}
	return "", false
}

// instanceIdent returns the identifier of the generic function in x of x[T].
func instanceIdent(x ast.Expr) *ast.Ident {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	}
	return nil
}

// isInstance reports whether id denotes an instantiated generic function.
func (c *function) isInstance(id *ast.Ident) bool {
	if _, ok := c.p.info.Instances[id]; !ok {
		return false
	}
	_, ok := c.p.info.Uses[id].(*types.Func)
	return ok
}

func (c *function) identifier(id *ast.Ident) (string, bool) {
	if name, ok := c.p.blank[id.Pos()]; ok {
		return name, true
	}
	obj := c.p.info.Uses[id]
	if obj == nil {
		obj = c.p.info.Defs[id]
	}
	if obj == nil {
		return "", false
	}
	if c.isInstance(id) && !c.p.facts.called[id] {
		if text, ok := c.instanceValue(id, id); ok {
			return text, true
		}
	}
	if name, ok := c.p.renames[obj]; ok {
		return name, true
	}
	if name, ok := c.p.standing[obj]; ok {
		return c.file.directives() + "." + name, true
	}
	if _, ok := obj.(*types.Label); ok && c.closure {
		return id.Name + labelMark, true
	}
	if name, ok := c.p.blank[obj.Pos()]; ok {
		return name, true
	}
	if t, ok := obj.(*types.TypeName); ok && c.p.standsFor[t] {
		return c.aliased(t, id), true
	}
	if name, ok := c.p.moved[obj]; ok {
		if t, ok := obj.(*types.TypeName); ok {
			name += c.p.typeArguments(c.p.movedBy[t])
		} else if c.p.isDependent(obj.Type()) { // see repeated
			if t, err := c.typeText(obj.Type()); err == nil {
				name = t + "(" + name + ")"
			}
		}
		return name, name != id.Name
	}
	if field, ok := obj.(*types.Var); ok && field.Embedded() && c.p.info.Uses[id] == obj {
		name := c.p.fieldName(field)
		return name, name != id.Name
	}
	if name, ok := c.plainFunctions[obj]; ok {
		return name, true
	}
	if v := c.variables[obj]; v != nil {
		c.use(v.carrier)
		if v.method != "" {
			return v.access + "." + v.method, true
		}
		return v.access, v.access != id.Name
	}
	return "", false
}

// branch turns a jump that leaves the statement it is in for a flattened one
// into a goto.
func (c *function) branch(n *ast.BranchStmt) (string, bool) {
	if c.loop != nil && c.leavesLoop(n) {
		return c.exitLoop(n), true
	}
	if n.Tok == token.GOTO {
		if l := c.userLabels[c.p.info.Uses[n.Label]]; l != nil {
			return c.jump(l), true
		}
		return "", false
	}
	if n.Tok == token.FALLTHROUGH {
		return "", false
	}
	t := c.flat[c.p.facts.target[n]]
	switch {
	case t == nil:
		return "", false
	case n.Tok == token.BREAK:
		return c.jump(t.done), true
	case t.next == nil:
		return "", false
	default:
		return c.jump(t.next), true
	}
}

// jump returns the text of a goto to l.
func (c *function) jump(l *label) string {
	l.used = true
	c.jumps = append(c.jumps, l)
	return "goto " + l.name + labelMark
}

// returnThroughCells is a return statement of a function whose named results
// live in heap cells.
func (c *function) returnThroughCells(n *ast.ReturnStmt) string {
	var names []string
	for _, r := range c.results {
		c.use(r.carrier)
		names = append(names, r.access)
	}
	all := strings.Join(names, ", ")
	if len(n.Results) == 0 {
		if c.isJump(n) {
			return c.returned(n, "")
		}
		return "return " + all
	}
	var values []string
	for _, e := range n.Results {
		values = append(values, c.render(e))
	}
	if c.isJump(n) {
		return c.returned(n, strings.Join(values, ", "))
	}
	return "{ " + all + " = " + strings.Join(values, ", ") + "; return " + all + " }"
}

func (c *function) use(vs ...*variable) {
	for _, v := range vs {
		if v != nil {
			c.used[v] = true
		}
	}
}

// takeUses returns the variables used since it was last called.
func (c *function) takeUses() []*variable {
	var list []*variable
	for _, v := range c.all {
		if c.used[v] {
			list = append(list, v)
		}
	}
	clear(c.used)
	return list
}

// takeJumps returns the labels jumped to since it was last called.
func (c *function) takeJumps() []*label {
	j := c.jumps
	c.jumps = nil
	return j
}

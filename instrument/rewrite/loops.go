package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"

	"golang.org/x/tools/go/packages"

	"github.com/ckpgen/ckpgen/instrument/blocking"
	"github.com/ckpgen/ckpgen/instrument/load"
)

// fors flattens a three-clause loop:
//
//	for init; cond; post { body }
//
// becomes
//
//		init
//	loop1:
//		if !(cond) { goto done1 }
//		body
//	next1:
//		post
//		goto loop1
//	done1:
//
// A loop variable that lives in a heap cell gets a new cell before post, since
// each iteration has its own.
func (c *function) fors(s *ast.ForStmt) {
	done := c.newLabel("done")
	if c.p.Closure.Loop(s) && c.unpolled(s, done) {
		return
	}
	if s.Init != nil {
		c.statement(s.Init)
	}
	loop, t := c.newLabel("loop"), c.enter(s)
	t.done = done
	c.begins(loop, s)
	c.place(loop)
	if s.Cond != nil {
		c.condition(s.For, s.Cond, t.done)
	}
	c.statements(s.Body.List)
	c.place(t.next)
	if c.p.Closure.Loop(s) {
		c.poll(s)
	}
	if def, ok := s.Init.(*ast.AssignStmt); ok && def.Tok == token.DEFINE && perIteration(c.p.Pkg, c.syntax) {
		for _, l := range def.Lhs {
			v := c.variables[c.p.info.Defs[l.(*ast.Ident)]]
			if v == nil || !v.cell || v.again {
				continue
			}
			c.use(v)
			cell := c.localName("cell")
			c.emit(token.NoPos, "{ "+cell+" := new("+v.text+"); *"+cell+" = *"+v.name+"; "+v.name+" = "+cell+" }").defines = []*variable{v}
		}
	}
	if s.Post != nil {
		c.statement(s.Post)
	}
	c.emitGoto(loop)
	c.place(t.done)
}

// enter registers the labels for break and continue of a flattened statement.
func (c *function) enter(s ast.Stmt) *loopLabels {
	t := &loopLabels{next: c.newLabel("next"), done: c.newLabel("done")}
	c.flat[s] = t
	return t
}

// perIteration reports whether the language version of a file gives each
// iteration its own loop variables. In older ones a loop has one set of them, which
// the loop assigns.
func perIteration(p *packages.Package, file *ast.File) bool { return hasLanguage(p, file, "go1.22") }

// hasLanguage reports whether the language version of a file is that one, or a later one.
func hasLanguage(p *packages.Package, file *ast.File, least string) bool {
	v := p.TypesInfo.FileVersions[file]
	if v == "" {
		v = load.Language(p)
	}
	return v == "" || version.Compare(v, least) >= 0
}

// ranges flattens a range loop. What is ranged over is evaluated once, into a
// temporary, if it is not a variable that the loop leaves as it is; an index that the user
// can't change counts, which is the user's own if the body does not change that.
//
//	for i, x := range xs { body }
//
// becomes
//
//		over1, index1 = xs, 0
//	loop1:
//		if !(index1 < len(over1)) { goto done1 }
//		i, x = index1, over1[index1]
//		body
//	next1:
//		index1++
//		goto loop1
//	done1:
func (c *function) ranges(s *ast.RangeStmt) {
	if c.p.overFunction(s) {
		c.rangeFunction(s)
		return
	}
	c.lower(s.X)
	if !c.opens(s) {
		// Only the operand contained a resume point.
		c.narrow(s, c.emit(s.Pos(), c.labelled(s, c.render(s))))
		return
	}
	if s.Tok == token.DEFINE && !perIteration(c.p.Pkg, c.syntax) {
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if given(e) {
				c.fresh(c.declare(c.p.info.Defs[e.(*ast.Ident)], e), e)
			}
		}
	}
	t := c.p.typeOf(s.X)
	if elem := blocking.Element(t); elem != nil {
		c.rangeChannel(s, elem)
		return
	}
	switch u := core(t).(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			c.rangeString(s)
			return
		}
		if u.Info()&types.IsInteger != 0 {
			c.rangeInteger(s)
			return
		}
	case *types.Slice:
		c.rangeIndexed(s, t)
		return
	case *types.Array:
		c.rangeIndexed(s, t)
		return
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Array); ok {
			c.rangeIndexed(s, t)
			return
		}
	case *types.Map:
		c.rangeMap(s, u)
		return
	}
	c.p.refuse(s, "range over a value of type "+t.String()+" with a call that can reach a checkpoint inside", "")
}

// core returns the underlying type of t, and of a type parameter the one that all types
// of its type set have. It returns nil if they differ.
func core(t types.Type) types.Type {
	if !isTypeParam(t) {
		return t.Underlying()
	}
	var of func(t types.Type) (types.Type, bool) // nil and true: any type
	of = func(t types.Type) (types.Type, bool) {
		switch t := types.Unalias(t).(type) {
		case *types.Union:
			var one types.Type
			for i := range t.Len() {
				u, ok := of(t.Term(i).Type())
				if !ok || u == nil || one != nil && !types.Identical(one, u) {
					return nil, false
				}
				one = u
			}
			return one, true
		default:
			in, ok := t.Underlying().(*types.Interface)
			if !ok {
				return t.Underlying(), true
			}
			var one types.Type
			for i := range in.NumEmbeddeds() {
				u, ok := of(in.EmbeddedType(i))
				if !ok || u != nil && one != nil && !types.Identical(one, u) {
					return nil, false
				}
				if u != nil {
					one = u
				}
			}
			return one, true
		}
	}
	one, _ := of(t)
	return one
}

// given reports whether the range clause wants the key or value in e.
func given(e ast.Expr) bool {
	if e == nil {
		return false
	}
	id, ok := e.(*ast.Ident)
	return !ok || id.Name != "_"
}

// deliver assigns text to the key or value of the range clause, which is a new
// variable in each iteration if the clause declares it.
func (c *function) deliver(s *ast.RangeStmt, e ast.Expr, text string, uses ...*variable) {
	if !given(e) || text == "" {
		return
	}
	if s.Tok == token.DEFINE {
		id := e.(*ast.Ident)
		obj := c.p.info.Defs[id]
		v := c.variables[obj]
		if v == nil {
			v = c.declare(obj, id)
			c.fresh(v, id)
		}
		c.use(uses...)
		if !v.plain() {
			c.use(v.carrier)
		}
		in := c.emit(s.For, v.access+" = "+text)
		if v.plain() {
			in.defines = []*variable{v}
		}
		return
	}
	c.noteTargets(e)
	c.lower(e)
	target := c.render(e)
	plain := c.plainVariable(e)
	if plain != nil {
		c.takeUses()
	}
	c.use(uses...)
	in := c.emit(s.For, target+" = "+text)
	if plain != nil {
		in.defines = []*variable{plain}
	}
}

// deliverBoth assigns key and value. Without a declaration that is one assignment:
// the operands of its left side come first.
func (c *function) deliverBoth(s *ast.RangeStmt, key, value string, uses ...*variable) {
	if s.Tok != token.ASSIGN || !given(s.Key) || !given(s.Value) {
		c.deliver(s, s.Key, key, uses...)
		c.deliver(s, s.Value, value, uses...)
		return
	}
	c.noteTargets(s.Key, s.Value)
	c.lower(s.Key, s.Value)
	targets := c.render(s.Key) + ", " + c.render(s.Value)
	c.use(uses...)
	c.emit(s.For, targets+" = "+key+", "+value)
}

// operandOf puts what is ranged over into a temporary, unless it stands in a variable
// that is not assigned in the loop.
func (c *function) operandOf(s *ast.RangeStmt, t types.Type) *variable {
	if id, ok := ast.Unparen(s.X).(*ast.Ident); ok {
		_, array := core(t).(*types.Array) // its elements can change
		if v := c.plainVariable(id); v != nil && !array && !v.kept && c.subst[s.X].text == "" && !c.assigns(s, c.p.info.Uses[id]) {
			return v
		}
	}
	text := c.render(s.X)
	over := c.temporary("over", t, s.X)
	c.emit(s.For, over.name+" = "+text).defines = []*variable{over}
	return over
}

// counter makes the hidden index.
func (c *function) counter(s *ast.RangeStmt, t types.Type) *variable {
	index := c.temporary("index", t, s)
	c.emit(s.For, index.name+" = 0").defines = []*variable{index}
	return index
}

// assigns reports whether a range loop may assign a variable that no literal shares: what its
// address is lent to may do so as well.
func (c *function) assigns(s *ast.RangeStmt, obj types.Object) bool {
	if c.p.facts.lent[obj] {
		return true
	}
	if !c.p.facts.assigned[obj] {
		return false
	}
	return c.p.facts.variable(s.Key) == obj || c.p.facts.variable(s.Value) == obj || c.assignsIn(s.Body, obj)
}

// assignsIn reports whether a statement in n assigns a variable.
func (c *function) assignsIn(n ast.Node, obj types.Object) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				found = found || c.p.facts.variable(l) == obj
			}
		case *ast.IncDecStmt:
			found = found || c.p.facts.variable(n.X) == obj
		case *ast.RangeStmt:
			found = found || c.p.facts.variable(n.Key) == obj || c.p.facts.variable(n.Value) == obj
		}
		return !found
	})
	return found
}

// count makes the index of a loop: the key itself, if the range clause declares it and nothing else
// assigns it or has its address. The text is then empty, as there is nothing to deliver.
func (c *function) count(s *ast.RangeStmt, t types.Type) (index *variable, key string) {
	if id, ok := s.Key.(*ast.Ident); ok && s.Tok == token.DEFINE && given(id) {
		obj := c.p.info.Defs[id]
		if c.p.facts.isConstant(obj) && !c.needsCell(obj) && c.variables[obj] == nil {
			v := c.declare(obj, id)
			if v.plain() && types.Identical(v.typ, t) {
				c.emit(s.For, v.access+" = 0").defines = []*variable{v}
				return v, ""
			}
		}
	}
	index = c.counter(s, t)
	return index, index.name
}

// test writes the exit of the loop.
func (c *function) test(s *ast.RangeStmt, condition string, done *label, uses ...*variable) {
	c.use(uses...)
	c.emit(s.For, "if !("+condition+") { "+c.jump(done)+" }")
}

// step ends the iteration.
func (c *function) step(s *ast.RangeStmt, t *loopLabels, loop *label, text string, uses ...*variable) {
	c.place(t.next)
	if c.p.Closure.Loop(s) {
		c.poll(s)
	}
	if text != "" {
		c.use(uses...)
		c.emit(s.For, text)
	}
	c.emitGoto(loop)
	c.place(t.done)
}

func (c *function) rangeInteger(s *ast.RangeStmt) {
	done := c.newLabel("done")
	if c.p.Closure.Loop(s) && c.unpolled(s, done) {
		return
	}
	t := c.p.typeOf(s.X)
	if s.Key != nil {
		if k := c.p.typeOf(s.Key); k != nil && isInteger(k) {
			t = k // the type of an untyped constant operand
		}
	}
	var over *variable
	limit, of := c.settledLength(s.X)
	switch tv := c.p.info.Types[s.X]; {
	case of != nil: // the compiler knows more of it than of a variable
		over = of
	case tv.Value != nil:
		limit = "(" + c.render(s.X) + ")"
	default:
		over = c.operandOf(s, t)
		limit = over.name
	}
	index, key := c.count(s, types.Default(t))
	loop, l := c.newLabel("loop"), c.enter(s)
	l.done = done
	c.counts(loop, s, index, false)
	c.place(loop)
	c.test(s, index.name+" < "+limit, l.done, index, over)
	c.deliver(s, s.Key, key, index)
	c.statements(s.Body.List)
	c.step(s, l, loop, index.name+"++", index)
}

func isInteger(t types.Type) bool {
	b, ok := core(t).(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func (c *function) rangeIndexed(s *ast.RangeStmt, t types.Type) {
	if !given(s.Value) && c.p.constantLength(s.X) {
		// Only the length of the array is needed, a constant. Walk an array of nothing but length.
		// It is evaluated nevertheless if a blank stands for the value.
		if s.Value != nil {
			c.emit(s.For, "_ = "+c.render(s.X))
		}
		if _, ok := core(t).(*types.Array); ok {
			t = types.NewPointer(t)
		}
		over := c.temporary("over", t, s.X)
		c.emit(s.For, over.name+" = nil").defines = []*variable{over}
		c.rangeOver(s, over)
		return
	}
	c.rangeOver(s, c.operandOf(s, t))
}

// constantLength reports whether len(e) is a constant although e is none: an array or a pointer
// to one, without function calls and receives, and not of a type parameter.
func (p *pkg) constantLength(e ast.Expr) bool {
	if isTypeParam(p.typeOf(e)) {
		return false
	}
	if _, ok := deref(p.typeOf(e)).Underlying().(*types.Array); !ok {
		return false
	}
	constant := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := p.info.Types[n]
			constant = constant && (p.info.Types[n.Fun].IsType() || tv.Value != nil)
		case *ast.UnaryExpr:
			constant = constant && n.Op != token.ARROW
		case *ast.FuncLit:
			return false
		}
		return constant
	})
	return constant
}

func (c *function) rangeOver(s *ast.RangeStmt, over *variable) {
	index, key := c.count(s, types.Typ[types.Int])
	loop, l := c.newLabel("loop"), c.enter(s)
	c.counts(loop, s, index, given(s.Value))
	c.place(loop)
	c.test(s, index.name+" < len("+over.name+")", l.done, index, over)
	c.deliverBoth(s, key, over.name+"["+index.name+"]", over, index)
	c.statements(s.Body.List)
	c.step(s, l, loop, index.name+"++", index)
}

func (c *function) rangeString(s *ast.RangeStmt) {
	over := c.operandOf(s, c.p.typeOf(s.X))
	slice := over.name
	if !types.Identical(over.typ, types.Typ[types.String]) {
		slice = "string(" + slice + ")"
	}
	index := c.counter(s, types.Typ[types.Int])
	width := c.temporary("width", types.Typ[types.Int], s)
	var char *variable
	value := "_"
	if given(s.Value) {
		char = c.temporary("char", types.Typ[types.Rune], s)
		value = char.name
	}
	loop, l := c.newLabel("loop"), c.enter(s)
	c.place(loop)
	c.test(s, index.name+" < len("+over.name+")", l.done, index, over)
	c.use(over, index)
	in := c.emit(s.For, value+", "+width.name+" = "+c.shadow()+".RuneAt("+slice+", "+index.name+")")
	in.defines = []*variable{width}
	uses := []*variable{index}
	if char != nil {
		in.defines, uses = append(in.defines, char), append(uses, char)
	}
	c.deliverBoth(s, index.name, value, uses...)
	c.statements(s.Body.List)
	c.step(s, l, loop, index.name+" += "+width.name, index, width)
}

func (c *function) rangeMap(s *ast.RangeStmt, m *types.Map) {
	text := c.render(s.X)
	key, err := c.typeText(m.Key())
	if err == nil {
		var elem string
		elem, err = c.typeText(m.Elem())
		key += ", " + elem
	}
	if err != nil {
		c.p.refuse(s, "range over a map whose type can't be written here: "+err.Error(), "")
		return
	}
	over := &variable{name: c.numbered("over"), text: c.shadow() + ".MapRange[" + key + "]", words: blockWords, walks: true}
	over.carrier, over.access = over, over.name
	c.all = append(c.all, over)
	c.emit(s.For, over.name+".Map = "+text).defines = []*variable{over}
	c.use(over)
	c.emit(s.For, over.name+".Begin()")
	loop, l := c.newLabel("loop"), c.enter(s)
	c.place(loop)
	c.test(s, over.name+".Step() || "+over.name+".More()", l.done, over)
	entry, from := [2]string{over.name + ".Key()", over.name + ".Value()"}, []*variable{over}
	if c.reaches(s.Key) || c.reaches(s.Value) { // a walk that goes on in another process is at no entry
		key, elem := c.temporary("key", m.Key(), s), c.temporary("elem", m.Elem(), s)
		c.use(over)
		c.emit(s.For, key.name+", "+elem.name+" = "+entry[0]+", "+entry[1]).defines = []*variable{key, elem}
		entry, from = [2]string{key.name, elem.name}, []*variable{key, elem}
	}
	c.deliverBoth(s, entry[0], entry[1], from...)
	c.statements(s.Body.List)
	c.step(s, l, loop, "")
}

func (c *function) rangeChannel(s *ast.RangeStmt, elem types.Type) {
	over := c.operandOf(s, c.channelType(s.X, types.RecvOnly))
	item := c.temporary("item", elem, s)
	open := c.temporary("open", types.Typ[types.Bool], s)
	loop, l := c.newLabel("loop"), c.enter(s)
	c.place(loop)
	if c.waits(s) {
		c.receivePoint(s, "range "+oneLine(c.source(s.X.Pos(), s.X.End())), over.name, []*variable{over}, []*variable{item, open})
	} else {
		c.use(over)
		c.emit(s.For, item.name+", "+open.name+" = <-"+over.name).defines = []*variable{item, open}
	}
	c.test(s, open.name, l.done, open)
	c.deliver(s, s.Key, item.name, item)
	c.statements(s.Body.List)
	c.step(s, l, loop, "")
}

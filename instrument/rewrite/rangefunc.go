package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A loop that ranges over a function is a call of that function with the body as
// its argument. The body is over an environment, like a function
// literal; what leaves it other than by its end is carried out after the call.
//
//	for k, v := range all { if k == stop { return v }; use(k, v) }
//
// becomes
//
//		loop = &f_loop1{stop: stop}
//	resume1:
//		all(loop.value())
//		loop.calls.Over()
//		switch loop.exit { case 1: return loop.result1_0 }
//
//	func (env *f_loop1) value() func(k K, v V) bool {
//		... func(k K, v V) bool {
//			env.calls.Begin()
//			if k == env.stop { env.result1_0 = v; env.exit = 1; return env.calls.Leave() }
//			use(k, v)
//			return env.calls.Next()
//		}
//	}
//
// The language's compiler does the same, see cmd/compile/internal/rangefunc. With both a call of
// recover in the body is one in a function that the iterator calls: it recovers from nothing. The
// field calls, a shadow.LoopCalls, tells an iterator that calls the body when it may not, or keeps
// a panic of the body to itself. A body that is left for a checkpoint is neither left nor at its
// end: it stays the one that runs. Results that have names, or that a function with deferred calls
// may return after a panic, need no result1_0: the body assigns to them itself.

// An exit is a way out of the body of such a loop.
type exit struct {
	branch *ast.BranchStmt // or
	ret    *ast.ReturnStmt
}

// overFunction reports whether the loop ranges over a function.
func (p *pkg) overFunction(s *ast.RangeStmt) bool {
	t := p.typeOf(s.X)
	if t == nil {
		return false
	}
	_, ok := core(t).(*types.Signature)
	return ok
}

func (c *function) rangeFunction(s *ast.RangeStmt) {
	sig := core(c.p.typeOf(s.X)).(*types.Signature)
	yield := core(sig.Params().At(0).Type()).(*types.Signature)

	c.lower(s.X)
	// The iterator decides what is called.
	var decides *variable
	var fun string
	var receiver []*variable // what the receiver of a method is made of
	if !hasDefer(s.Body) {
		fun, decides = c.iteratorCall(s.X)
	}
	lends := false // the iterator keeps no function that it is given
	if decides != nil {
		lends = c.p.iterator(calledFunction(c.p.info, ast.Unparen(s.X).(*ast.CallExpr))).Lends
	} else if sel, m := c.selectedMethod(s.X); m != nil && m.Kind() == types.MethodVal && !hasDefer(s.Body) {
		fun, decides = c.method(sel, m) // a call of the method, of which the compiler knows what becomes of the body
		receiver = c.takeUses()
	} else {
		fun = c.render(s.X)
		if f, ok := ast.Unparen(s.X).(*ast.Ident); !ok || !isFunc(c.p.info.Uses[f]) {
			if v := c.plainVariable(s.X); v != nil {
				decides = v
			} else {
				decides = c.value(fun, c.p.typeOf(s.X), s.X)
			}
			fun = decides.name
		}
	}
	c.takeUses()

	l, child := c.loopBody(s, yield)
	if l == nil {
		return
	}
	loop := c.pointer("loop", l.name+c.p.typeArguments(l.typeParams))
	call := fun + "(" + loop.name + ".value(" + c.copies(l) + "))"
	copied := c.takeUses()
	if hasDefer(s.Body) {
		if c.loop == nil {
			copied = nil // the method of the environment takes them
		}
		call, decides = c.deferring(l, loop, call, fun, decides)
	}
	if lends && c.inLoop(s) {
		c.stored(loop, s, c.environment(l))
	} else {
		c.emit(s.For, loop.name+" = &"+c.environment(l)).defines = []*variable{loop}
	}

	p := &resumePoint{
		number: len(c.points) + 1,
		line:   c.p.fset.PositionFor(s.For, false),
		first:  c.p.fset.Position(s.For).Line,
		last:   c.p.fset.Position(s.End()).Line,
		text:   oneLine(c.source(s.X.Pos(), s.X.End())),
		label:  c.numbered("resume"),
	}
	c.points = append(c.points, p)
	in := &instruction{pos: s.For, text: call, falls: true, resume: p, uses: append(withAll(copied, receiver), loop)}
	if decides != nil {
		in.uses = append(in.uses, decides)
	}
	c.code = append(c.code, in)
	c.use(loop)
	c.emit(s.For, loop.name+".calls.Over()")
	if len(child.exits) == 0 {
		return
	}
	var b strings.Builder
	for i, e := range child.exits {
		fmt.Fprintf(&b, "case %d:\n%s\n", i+1, c.exitText(loop, i+1, e))
	}
	c.use(loop)
	c.emit(s.For, "switch "+loop.name+".exit {\n"+b.String()+"}")
}

func isFunc(obj types.Object) bool {
	_, ok := obj.(*types.Func)
	return ok
}

// loopBody writes the environment of the loop's body.
func (c *function) loopBody(s *ast.RangeStmt, yield *types.Signature) (*lifted, *function) {
	parts := []ast.Node{s.Body}
	if s.Tok == token.ASSIGN {
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if e != nil {
				parts = append(parts, e)
			}
		}
	}
	l := &lifted{captured: c.variablesOf(c.p.facts.capturesIn(s, c.p.types, parts...)), typeParams: c.typeParams}
	for _, v := range c.p.facts.returned(s.Body, c.enclosing().node) {
		if v != nil && !slices.Contains(l.captured, v) {
			l.captured = append(l.captured, v)
		}
	}
	l.within = true
	l.captured, l.copied = c.copiedFirst(l.captured)
	types := make([]string, len(l.captured))
	for i, v := range l.captured {
		t, err := c.typeText(v.Type())
		if err != nil {
			c.p.refuse(s, fmt.Sprintf("the variable %s, used in a loop that ranges over a function, has a type that can't be written here: %s", v.Name(), err), "")
			return nil, nil
		}
		types[i] = t
	}
	l.name = c.literalName("loop")
	child := newFunction(c.file, s, l.name)
	child.loop, child.outer = s, c
	maps.Copy(child.plainFunctions, c.plainFunctions)
	child.moves = c.moves
	child.typeParams = c.typeParams
	// The body is written as one of the closure in any case: its variables
	// are those of an environment.
	child.closure = true

	var b strings.Builder
	fmt.Fprintf(&b, "// %s holds the variables of the body of a loop of %s.\n", l.name, c.base)
	c.captured(&b, child, l, types)

	// The parameters are the loop's variables or are assigned to them.
	var params []string
	result := &variable{name: child.numbered("result"), text: "bool", param: true}
	result.carrier, result.access = result, result.name
	child.all = append(child.all, result)
	child.results = []*variable{result}
	for i := range yield.Params().Len() {
		e := []ast.Expr{s.Key, s.Value}[i]
		t := yield.Params().At(i).Type()
		v := child.temporary("item", t, s)
		v.param = true
		params = append(params, v.name+" "+v.text)
		child.deliver(s, e, v.name, v)
	}
	child.opening = child.env.name + ".calls.Begin()\n"
	self := l.name + c.p.typeArguments(l.typeParams)
	sig := "func(" + strings.Join(params, ", ") + ") bool"
	header := child.over(l, sig) + fmt.Sprintf("(%s) (%s bool)", strings.Join(params, ", "), result.name)
	text := child.writeBody(header, c.p.runtimeMethod(l), s.Body, "")

	// Only now it is known what leaves the body.
	b.WriteString("exit int\ncalls " + c.shadow() + ".LoopCalls\n")
	if hasDefer(s.Body) {
		text += c.writeDeferring(&b, s, l, self)
	}
	for i, e := range child.exits {
		if e.ret != nil {
			for j, r := range c.keptResults(e.ret) {
				if r != nil {
					fmt.Fprintf(&b, "result%d_%d %s\n", i+1, j, r.text)
				}
			}
		}
	}
	b.WriteString("}\n\n")
	c.writeFunc(&b, l, sig)
	c.file.append(b.String() + text)
	return l, child
}

// enclosing returns the function that the loop c is the body of, or of the loop
// around it, stands in.
func (c *function) enclosing() *function {
	for c.loop != nil {
		c = c.outer
	}
	return c
}

// resultField matches the names of the fields with what a return statement in the body returns.
var resultField = regexp.MustCompile(`^result[0-9]+_[0-9]+$`)

// keptResults are the results to which a return statement in a loop assigns, with nil for those
// that the body assigns to itself. The values of the others are kept until the iterator has
// returned.
func (c *function) keptResults(n *ast.ReturnStmt) []*variable {
	if len(n.Results) == 0 {
		return nil
	}
	list := slices.Clone(c.enclosing().results)
	for i, v := range c.sharedResults() {
		if v != nil {
			list[i] = nil
		}
	}
	return list
}

// sharedResults are the results of the function that the loop which c is the body of stands in, as
// far as c shares them, with nil for the others.
func (c *function) sharedResults() []*variable {
	var list []*variable
	for _, field := range c.enclosing().functionType().Results.List {
		if len(field.Names) == 0 {
			list = append(list, c.shared(c.p.facts.unnamed[field]))
		}
		for _, id := range field.Names {
			v, _ := c.p.info.Defs[id].(*types.Var)
			if id.Name == "_" {
				v = c.p.facts.unnamed[id]
			}
			list = append(list, c.shared(v))
		}
	}
	return list
}

func (c *function) shared(v *types.Var) *variable {
	if v == nil {
		return nil
	}
	return c.variables[v]
}

// leavesLoop reports whether the jump leaves the body that c is.
func (c *function) leavesLoop(n *ast.BranchStmt) bool {
	if n.Tok == token.FALLTHROUGH {
		return false
	}
	if n.Tok == token.GOTO {
		pos := c.p.info.Uses[n.Label].Pos()
		return pos < c.loop.Body.Pos() || pos >= c.loop.Body.End()
	}
	t := c.p.facts.target[n]
	return t == ast.Stmt(c.loop) || t.Pos() < c.loop.Pos() || t.Pos() >= c.loop.End()
}

// exitLoop returns the text of a jump that leaves the body.
func (c *function) exitLoop(n *ast.BranchStmt) string {
	if c.p.facts.target[n] == ast.Stmt(c.loop) {
		if n.Tok == token.CONTINUE {
			return c.endOfBody()
		}
		return c.leaveBody()
	}
	c.exits = append(c.exits, exit{branch: n})
	return fmt.Sprintf("{ %s.exit = %d; %s }", c.env.name, len(c.exits), c.leaveBody())
}

// returnFromLoop returns the text of a return statement in the body.
func (c *function) returnFromLoop(n *ast.ReturnStmt) string {
	c.exits = append(c.exits, exit{ret: n})
	number := len(c.exits)
	c.use(c.env)
	text := "{ "
	if len(n.Results) > 0 {
		var left, right []string
		for i, r := range c.sharedResults() {
			if r != nil {
				c.use(r.carrier)
				left = append(left, r.access)
				continue
			}
			left = append(left, fmt.Sprintf("%s.result%d_%d", c.env.name, number, i))
		}
		for _, e := range n.Results {
			right = append(right, c.render(e))
		}
		text += strings.Join(left, ", ") + " = " + strings.Join(right, ", ") + "; "
	}
	return text + fmt.Sprintf("%s.exit = %d; %s }", c.env.name, number, c.leaveBody())
}

// endOfBody returns the text that ends a body after which the iterator goes on, leaveBody that
// after which it must not.
func (c *function) endOfBody() string { return c.returnToIterator("Next") }
func (c *function) leaveBody() string { return c.returnToIterator("Leave") }

func (c *function) returnToIterator(how string) string {
	c.use(c.env)
	return "return " + c.env.name + ".calls." + how + "()"
}

// exitText returns what the function around a loop does for an exit of its body:
// in the body of another such loop it is an exit again.
func (c *function) exitText(loop *variable, number int, e exit) string {
	if e.branch != nil {
		text, ok := c.branch(e.branch)
		if !ok {
			c.p.refuse(e.branch, "a jump out of a loop that ranges over a function, to a statement that stays as it is", "")
		}
		return text
	}
	kept := c.keptResults(e.ret)
	if c.loop != nil {
		c.exits = append(c.exits, e)
		outer := len(c.exits)
		text := ""
		for i, r := range kept {
			if r != nil {
				text += fmt.Sprintf("%s.result%d_%d = %s.result%d_%d\n", c.env.name, outer, i, loop.name, number, i)
			}
		}
		return text + fmt.Sprintf("%s.exit = %d\n%s", c.env.name, outer, c.leaveBody())
	}
	text := ""
	for i, r := range kept {
		if r != nil {
			text += fmt.Sprintf("%s = %s.result%d_%d\n", r.access, loop.name, number, i)
		}
	}
	var names []string
	for _, r := range c.results {
		c.use(r.carrier)
		names = append(names, r.access)
	}
	switch {
	case c.isJump(e.ret):
		return text + c.returned(e.ret, "")
	case c.resultCells:
		return text + "return " + strings.Join(names, ", ")
	}
	return text + "return"
}

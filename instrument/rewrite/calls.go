package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/standard"
)

// lower makes statements of the calls in list, in the order of evaluation, as
// far as the last resume point in it. Afterwards the expressions can be
// rendered: the calls in them have become temporaries.
func (c *function) lower(list ...ast.Expr) { c.lowerAs(list, nil) }

// lowerAs is lower for expressions that become values of the given types.
func (c *function) lowerAs(list []ast.Expr, to []types.Type) {
	saved := c.pending
	c.pending = 0
	for _, e := range list {
		c.pending += c.countResumes(e)
	}
	c.withShelves(c.pending, func() { c.lowerTo(list, to) })
	c.pending = saved
}

func (c *function) countResumes(e ast.Expr) int {
	n := 0
	if e == nil {
		return 0
	}
	ast.Inspect(e, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if c.isResume(m) {
				n++
			}
		case *ast.UnaryExpr:
			if c.waits(m) {
				n++
			}
		}
		return true
	})
	return n
}

func (c *function) lowerExpr(e ast.Expr) {
	if c.pending == 0 || e == nil || c.p.info.Types[e].Value != nil {
		return // nothing of a constant is evaluated
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit, *ast.FuncLit,
		*ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.MapType, *ast.ChanType,
		*ast.Ellipsis:
	case *ast.ParenExpr:
		c.lowerExpr(e.X)
	case *ast.SelectorExpr:
		c.lowerExpr(e.X)
	case *ast.StarExpr:
		c.lowerExpr(e.X)
	case *ast.TypeAssertExpr:
		c.lowerExpr(e.X)
		c.early(e)
	case *ast.IndexExpr:
		c.lowerIndex(e)
	case *ast.IndexListExpr:
		c.lowerExpr(e.X) // which may be a method
	case *ast.SliceExpr:
		c.lowerExpr(e.X)
		for _, bound := range []ast.Expr{e.Low, e.High, e.Max} {
			c.lowerExpr(bound)
			c.earlyBound(bound)
		}
		c.early(e)
	case *ast.CompositeLit:
		c.lowerLiteral(e)
	case *ast.UnaryExpr:
		c.lowerExpr(e.X)
		switch {
		case c.waits(e):
			c.pending--
			c.receiveValues(e)
		case e.Op == token.ARROW && c.pending > 0:
			c.intoTemporary(e, "received")
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			c.lowerShortCircuit(e)
			return
		}
		c.lowerComparison(e)
	case *ast.CallExpr:
		c.lowerCall(e)
	default:
		c.p.refuse(e, "an expression of an unknown kind together with a call that can reach a checkpoint", "")
	}
}

// intoTemporary evaluates e now and lets a temporary stand for it.
func (c *function) intoTemporary(e ast.Expr, base string) {
	text := c.render(e)
	t := c.temporary(base, c.p.typeOf(e), e)
	in := c.emit(e.Pos(), t.name+" = "+text)
	in.defines = append(in.defines, t)
	c.shelve(e, t)
}

// lowerShortCircuit turns x && y and x || y with a resume point in y into a
// branch around y.
func (c *function) lowerShortCircuit(e *ast.BinaryExpr) {
	// X is evaluated right here.
	outer := c.pending
	n := c.countResumes(e.X)
	c.pending = n
	c.lowerExpr(e.X)
	c.pending = outer - n
	if c.countResumes(e.Y) == 0 {
		if c.pending > 0 {
			c.intoTemporary(e, "condition")
		}
		return
	}
	t := c.temporary("condition", c.p.typeOf(e), e)
	done := c.newLabel("decided")
	text := c.render(e.X)
	c.emit(e.X.Pos(), t.name+" = "+text).defines = []*variable{t}
	c.use(t)
	not := "!"
	if e.Op == token.LOR {
		not = ""
	}
	c.emit(token.NoPos, "if "+not+t.name+" { "+c.jump(done)+" }")
	// Whatever follows y, it must be evaluated as a whole within the branch.
	outer = c.pending
	n = c.countResumes(e.Y)
	c.pending = n
	c.lowerExpr(e.Y)
	c.pending = outer - n
	text = c.render(e.Y)
	c.emit(e.Y.Pos(), t.name+" = "+text).defines = []*variable{t}
	c.place(done)
	c.subst[e] = substitution{text: t.name, uses: []*variable{t}}
}

// hasEffect reports whether the evaluation of e is ordered relative to calls.
func hasEffect(info *types.Info, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if tv := info.Types[n.Fun]; !tv.IsType() {
				found = true
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				found = true
			}
		}
		return !found
	})
	return found
}

func (c *function) lowerCall(e *ast.CallExpr) {
	tv := c.p.info.Types[e.Fun]
	switch {
	case tv.IsType():
		c.lowerTo(e.Args, []types.Type{tv.Type})
		c.early(e)
		return
	case isSize(c.p.info, e):
		return
	case tv.IsBuiltin():
		for i, a := range e.Args {
			if !c.p.info.Types[a].IsType() {
				c.lowerExpr(a)
			}
			if i > 0 && builtinName(e.Fun) == "append" && !e.Ellipsis.IsValid() {
				c.boxed(a, core(c.p.typeOf(e)).(*types.Slice).Elem())
			}
		}
		if c.allocates(e) {
			return
		}
		// A call is a call to the order of evaluation, len not less than others.
		if t := c.p.info.Types[e]; c.pending > 0 && t.IsValue() && t.Value == nil {
			c.intoTemporary(e, "call")
		}
		return
	}
	called := c.atOnce[e]
	delete(c.atOnce, e)
	if c.isResume(e) {
		c.callsAtOnce(e.Fun)
		c.lastOperands(e)
	}
	c.lowerTo(append([]ast.Expr{e.Fun}, e.Args...), c.operandTypes(e))
	if c.isResume(e) {
		c.pending--
		var results []*variable
		for _, t := range resultTypes(c.p.typeOf(e)) {
			results = append(results, c.temporary("call", t, e))
		}
		c.resume(e, results)
		if len(results) == 1 {
			c.shelve(e, results[0])
		} else {
			c.substituteResults(e, results)
		}
		return
	}
	if c.pending == 0 {
		return
	}
	// A call before a resume point of the same expression.
	if c.timeless(e) {
		for _, a := range e.Args {
			if call, ok := ast.Unparen(a).(*ast.CallExpr); !ok || c.subst[call].text != "" || !c.timeless(call) {
				c.freeze(a)
			}
		}
		return
	}
	if called {
		if text, v := c.iteratorCall(e); v != nil {
			c.subst[e] = substitution{text: text, uses: []*variable{v}}
			return
		}
	}
	ts := resultTypes(c.p.typeOf(e))
	if len(ts) == 1 {
		c.intoTemporary(e, "call")
		return
	}
	text := c.render(e)
	var results []*variable
	for _, t := range ts {
		results = append(results, c.temporary("call", t, e))
	}
	c.emit(e.Pos(), names(results)+" = "+text).defines = results
	c.substituteResults(e, results)
}

// timeless reports whether a call can stay where it is although a resume point follows, if its
// arguments do not change. What it returns need not be in the frame then. That matters for
// addresses: what they lead to would be on the heap.
func (c *function) timeless(e *ast.CallExpr) bool {
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
	case *ast.SelectorExpr:
		if c.p.info.Selections[fun] != nil {
			return false
		}
	default:
		return false
	}
	for _, a := range e.Args {
		if t := c.p.typeOf(a); isTuple(t) {
			return false
		} else if !c.writable(types.Default(t)) {
			return false
		}
	}
	f := calledFunction(c.p.info, e)
	return f != nil && !f.Signature().Variadic() && f.Signature().Params().Len() == len(e.Args) && f.Signature().Results().Len() == 1 &&
		!c.isResume(e) && c.p.Closure.Operation(e).Function == nil && c.p.Closure.Timeless(f)
}

func (c *function) substituteResults(e ast.Expr, results []*variable) {
	c.subst[e] = substitution{text: names(results), uses: results}
}

func names(vs []*variable) string { return strings.Join(nameList(vs), ", ") }

func nameList(vs []*variable) []string {
	list := make([]string, len(vs))
	for i, v := range vs {
		list[i] = "_"
		if v != nil {
			list[i] = v.name
		}
	}
	return list
}

// resultTypes returns the types of a call's results.
func resultTypes(t types.Type) []types.Type {
	tuple, ok := t.(*types.Tuple)
	if !ok {
		if t == nil {
			return nil
		}
		return []types.Type{t}
	}
	var list []types.Type
	for i := range tuple.Len() {
		list = append(list, tuple.At(i).Type())
	}
	return list
}

func builtinName(fun ast.Expr) string {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// resume emits the call as a resume point. Its operands have been lowered. The
// results go to the given variables (nil for the blank identifier), or nowhere
// if there are none; they must be plain.
func (c *function) resume(call *ast.CallExpr, results []*variable) {
	if op := c.p.Closure.Operation(call); op.Waits() && op.Function.Held {
		c.waitsFor(call, op.Function, results)
		return
	}
	fun, decides := "", (*variable)(nil)
	passed := c.passedTo(call)
	if passed == nil {
		fun, decides = c.callee(call)
	} else {
		fun = passed.name
	}
	beneath := ""
	if decides != nil && c.p.Closure.Forwards(call) {
		fun, decides, beneath = c.forwarded(call, fun, decides)
	}
	funUses := c.takeUses()
	args := c.passedVariables(passed, call)
	argUses := c.takeUses()
	var receiverUses []*variable
	for i, a := range call.Args {
		if !c.total(a) {
			c.arguments(a)
		}
		args = append(args, c.render(a))
		argUses = withAll(argUses, c.takeUses())
		if i == 0 {
			receiverUses = slices.Clone(argUses)
		}
	}
	argUses = withAll(funUses, argUses)
	c.takeJumps()

	var done *label
	if passed == nil && decides == nil && c.errorOf(call, results) == nil {
		done, argUses = c.skip(call, fun, args, argUses, results)
	}

	// The arguments are read on the way in, not when the call is made again.
	c.code = append(c.code, &instruction{falls: true, uses: argUses})
	ellipsis := ""
	if call.Ellipsis.IsValid() {
		ellipsis = "..."
	}
	var keep []*variable
	if decides != nil {
		keep = []*variable{decides}
	}
	if method, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && c.p.info.Selections[method] != nil {
		keep = withAll(keep, c.carriers(c.bearersOf(method.X)))
	}
	for _, a := range call.Args {
		keep = withAll(keep, c.carriers(c.bearersOf(a)))
	}
	if f := calledFunction(c.p.info, call); f != nil && standard.CallsByAssembly(f) {
		keep = withAll(keep, funUses) // it has no frame, and looks again what it is to call
	}
	if c.p.Closure.GivesReceiver(call) {
		keep = withAll(keep, receiverUses)
	}
	pos := call.Pos()
	if !strings.Contains(fun, "\n") {
		// The compiler has a call stand where its parenthesis does, and x in x.f() may begin many
		// lines above.
		pos, fun = call.Lparen, lineComment.ReplaceAllString(fun, "")
	}
	p := c.point(call, pos, c.called(call), "", fun+"("+strings.Join(args, ", ")+ellipsis+")", keep, results)
	p.err = c.errorOf(call, results)
	for i := len(c.code) - 1; beneath != ""; i-- {
		if in := c.code[i]; in.resume == p {
			in.text, beneath = beneath+"//line "+c.lineAt(pos)+"\n"+in.text, ""
		}
	}
	if done != nil {
		c.place(done)
	}
}

// lineComment is a line directive within a line.
var lineComment = regexp.MustCompile(`/\*line [^\n]*?\*/`)

// point emits the resume point that at is: a call with the given text, which stands at pos, whose
// results go to the given variables. what tells people what is called. If plain is not empty, it is
// what is done in place of the call while checkpoints are off. The call is made again with the
// values that the variables in keep had.
func (c *function) point(at ast.Node, pos token.Pos, what, plain, text string, keep, results []*variable) *resumePoint {
	// These must still have their values when the frame is saved, after the call,
	// and so must the results that a function returns if it panics and recovers.
	targets := results
	for _, r := range results {
		if r != nil && (r.kept || slices.Contains(keep, r)) {
			targets = make([]*variable, len(results))
			for i, r := range results {
				if r != nil {
					targets[i] = c.temporary("call", r.typ, at)
				}
			}
			break
		}
	}

	p := &resumePoint{
		number: len(c.points) + 1,
		line:   c.p.fset.PositionFor(at.Pos(), false),
		first:  c.p.fset.Position(at.Pos()).Line,
		last:   c.p.fset.Position(at.End()).Line,
		text:   what,
	}
	p.label = c.numbered("resume")
	c.points = append(c.points, p)

	assign := ""
	if assigned := names(targets); strings.Trim(assigned, "_, ") != "" {
		assign = assigned + " = "
	}
	text = assign + text
	if plain != "" {
		line := "//line " + c.lineAt(pos) + "\n"
		text = "if " + c.shadow() + ".IsOff() {\n" + line + assign + plain + "\n} else {\n" + line + text + "\n}"
	}
	in := &instruction{pos: pos, text: text, falls: true, resume: p, uses: keep}
	for _, r := range targets {
		if r != nil {
			in.defines = append(in.defines, r)
		}
	}
	c.code = append(c.code, in)
	for i, r := range results {
		if r != nil && targets[i] != r {
			c.use(targets[i])
			c.emit(token.NoPos, r.name+" = "+targets[i].name).defines = []*variable{r}
		}
	}
	return p
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}

// argument evaluates an operand of a resume point into a temporary.
func (c *function) argument(a ast.Expr) *variable {
	text := c.render(a)
	t := c.temporary("arg", c.p.typeOf(a), a)
	c.emit(a.Pos(), t.name+" = "+text).defines = []*variable{t}
	c.subst[a] = substitution{text: t.name, uses: []*variable{t}}
	return t
}

// arguments is argument for the operand of a call, which may be a call of several
// values. It returns the first.
func (c *function) arguments(a ast.Expr) *variable {
	if s, ok := c.subst[a]; ok && len(s.uses) > 1 {
		return s.uses[0] // a call of several values that is a statement already
	}
	tuple, ok := c.p.typeOf(a).(*types.Tuple)
	if !ok || tuple.Len() < 2 {
		return c.argument(a)
	}
	text := c.render(a)
	var list []*variable
	for _, t := range resultTypes(tuple) {
		list = append(list, c.temporary("arg", t, a))
	}
	c.emit(a.Pos(), names(list)+" = "+text).defines = list
	c.subst[a] = substitution{text: names(list), uses: list}
	return list[0]
}

// value puts the expression with the given text into a temporary of type t.
func (c *function) value(text string, t types.Type, at ast.Node) *variable {
	v := c.temporary("arg", t, at)
	c.emit(at.Pos(), v.name+" = "+text).defines = []*variable{v}
	return v
}

// callee returns the text of the function to be called, and the variable that
// decides which one that is, if the text alone does not.
func (c *function) callee(call *ast.CallExpr) (string, *variable) {
	fun := ast.Unparen(call.Fun)
	if f := c.p.Closure.Operation(call).Function; f != nil {
		return c.replacement(f), nil
	}
	if sel, s := c.selectedMethod(calledWithout(call)); s != nil {
		return c.calledMethod(call, sel, s)
	}
	switch f := fun.(type) {
	case *ast.Ident:
		if _, ok := c.p.info.Uses[f].(*types.Func); ok {
			return c.render(fun), nil
		}
		if v, ok := c.isLocalFunction(f); ok {
			return c.render(fun), v
		}
	case *ast.IndexExpr:
		if id := instanceIdent(f.X); id != nil && c.isInstance(id) {
			return c.render(fun), nil
		}
	case *ast.IndexListExpr:
		return c.render(fun), nil
	case *ast.CallExpr:
		if s := c.subst[f]; len(s.uses) == 1 && s.text == s.uses[0].name+".Call" {
			return s.text, s.uses[0]
		}
		if text, v := c.iteratorCall(f); v != nil {
			return text, v
		}
	case *ast.FuncLit:
		text, ok := c.literal(f)
		if !ok {
			text = "(" + c.render(f) + ")"
		}
		if uses := c.peekUses(); len(uses) > 0 && !allPlainOrCells(uses, c.env) {
			t := c.value(text, c.p.typeOf(f), f)
			return t.name, t
		}
		return text, nil
	case *ast.SelectorExpr:
		if _, ok := c.p.info.Uses[f.Sel].(*types.Func); ok {
			return c.render(fun), nil
		}
	}
	// A func value.
	if v := c.plainVariable(fun); v != nil {
		return v.name, v
	}
	t := c.argument(fun)
	return t.name, t
}

// calledMethod is callee for x.M and T.M, with type arguments or without.
func (c *function) calledMethod(call *ast.CallExpr, sel *ast.SelectorExpr, s *types.Selection) (string, *variable) {
	if s.Kind() == types.MethodVal {
		text, v := c.method(sel, s)
		return text + c.writtenArguments(call.Fun), v
	}
	var decides *variable
	if decidedByReceiver(s) && len(call.Args) > 0 {
		decides = c.arguments(call.Args[0])
	}
	return c.render(ast.Unparen(call.Fun)), decides
}

func (c *function) peekUses() []*variable {
	var list []*variable
	for v := range c.used {
		list = append(list, v)
	}
	return list
}

// allPlainOrCells reports whether none of the variables is read through the
// environment.
func allPlainOrCells(vs []*variable, env *variable) bool {
	for _, v := range vs {
		if v == env {
			return false
		}
	}
	return true
}

// plainVariable returns the plain variable that e denotes, or nil.
func (c *function) plainVariable(e ast.Expr) *variable {
	if s, ok := c.subst[e]; ok {
		if len(s.uses) == 1 && s.text == s.uses[0].name && s.uses[0].plain() {
			return s.uses[0]
		}
		return nil
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	if v := c.variables[c.p.info.Uses[id]]; v != nil && v.plain() {
		return v
	}
	return nil
}

// method is callee for x.M. The receiver is written out in full (promotion
// through embedded fields, implicit address and indirection), since all that can
// panic must happen before the label.
func (c *function) method(f *ast.SelectorExpr, s *types.Selection) (string, *variable) {
	m := s.Obj().(*types.Func)
	wantsPointer := isPointer(m.Type().(*types.Signature).Recv().Type())
	name := "." + m.Name()
	t := c.p.typeOf(f.X)
	path := s.Index()[:len(s.Index())-1]

	if len(path) == 0 {
		switch {
		case isInterface(t) || isTypeParam(t):
			if v := c.plainVariable(f.X); v != nil {
				return v.name + name, v
			}
			v := c.argument(f.X)
			return v.name + name, v
		case isPointer(t) == wantsPointer:
			if !c.total(f.X) {
				c.argument(f.X)
			}
			return c.operand(f.X) + name, nil
		case wantsPointer:
			if id, ok := ast.Unparen(f.X).(*ast.Ident); ok {
				v := c.variables[c.p.info.Uses[id]]
				switch {
				case v == nil:
					return c.render(f.X) + name, nil // a package variable
				case v.carrier == v: // the cell, if it has one
					c.use(v)
					return v.name + name, nil
				case v.address != "":
					c.use(v.carrier)
					w := c.value(v.address, types.NewPointer(t), f.X)
					c.use(w)
					return w.name + name, nil
				}
			}
			v := c.value(c.ofPart("&"+c.operand(f.X), f, s), types.NewPointer(t), f.X)
			c.use(v)
			return v.name + name, nil
		default:
			v := c.value("*"+c.operand(f.X), deref(t), f.X)
			c.use(v)
			return v.name + name, nil
		}
	}

	// Promoted: follow the embedded fields.
	text := c.operand(f.X)
	for _, i := range path {
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			break
		}
		field := st.Field(i)
		if !field.Exported() && field.Pkg() != c.p.types {
			// Can't be written. What it is a field of decides.
			if isPointer(t) || !wantsPointer {
				v := c.value(c.ofPart(text, f, s), t, f.X)
				return v.name + name, v
			}
			v := c.value(c.ofPart("&"+text, f, s), types.NewPointer(t), f.X)
			return v.name + name, v
		}
		text += "." + c.p.fieldName(field)
		t = field.Type()
	}
	switch {
	case isInterface(t) || isTypeParam(t):
		v := c.value(text, t, f.X)
		return v.name + name, v
	case isPointer(t) == wantsPointer:
	case wantsPointer:
		text, t = c.ofPart("&"+text, f, s), types.NewPointer(t)
	default:
		text, t = "*"+text, deref(t)
	}
	v := c.value(text, t, f.X)
	c.use(v)
	return v.name + name, nil
}

// operand renders e so that a selector or operator can follow or precede it.
func (c *function) operand(e ast.Expr) string {
	text := c.render(e)
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.CallExpr, *ast.BasicLit:
		return text
	}
	if _, ok := e.(*ast.ParenExpr); ok {
		return text
	}
	return "(" + text + ")"
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A lifted literal has become a package-level function, or the code over a struct of the
// variables it captures: a method call, or a literal in the method that makes its func value.
type lifted struct {
	name       string // of the function or the struct
	value      string // of the function that makes the func value over such a struct; "" if that is a method
	plain      bool   // a function: nothing is captured
	passed     bool   // a function that is handed what is captured: see spot.go
	captured   []*types.Var
	copied     int // of them: see captures.go
	fields     []string
	more       []string // fields with their values that are not variables of the user
	iterator   bool     // what a function in Input.Iterators returns
	within     bool     // the body is that of a literal in its method value, which makes the func value
	of         string   // the name of the method that is called, which programs find handlers by; "" if it can't be kept
	typeParams []*types.TypeParam
}

// transient are the packages of the standard library whose functions call a
// func value before they return and do not keep it. A literal that is passed
// to one of them is never alive at a checkpoint unless it reaches one itself.
var transient = map[string]bool{"sort": true, "slices": true, "strings": true, "bytes": true, "maps": true}

// lifts reports whether the literal has to be lifted: it can be alive at a
// checkpoint, or be on the stack then, or is what a goroutine runs, or shares
// variables with a function whose variables are written anew.
func (c *function) lifts(lit *ast.FuncLit) bool {
	if c.p.facts.handed[lit] {
		return false
	}
	if c.closure || c.p.Closure.Func(lit) {
		return true
	}
	if s := c.p.facts.started[lit]; s != nil && c.p.starts(s) {
		return true
	}
	return c.p.facts.onTheSpot[lit] == nil && !c.stays(lit) && !c.p.facts.isLocal(lit)
}

// stays reports whether the func value e of a function that is not in the closure is left to the
// compiler. Where cgo has written the file there is none of the user's that could be replaced, and
// cgo makes a literal of each call that is deferred, as of C.free.
func (c *function) stays(e ast.Expr) bool {
	return load.GeneratedByCgo(c.p.Pkg, c.file.name) || c.passing(e)
}

// passing reports whether the func value e is an argument of a call to a
// package that does not keep it.
func (c *function) passing(e ast.Expr) bool {
	call := c.p.facts.argumentOf[e]
	if call == nil {
		return false
	}
	f := calledFunction(c.p.info, call)
	if f == nil || f.Pkg() == nil || !transient[f.Pkg().Path()] {
		return false
	}
	results := f.Signature().Results()
	for i := range results.Len() {
		if _, ok := results.At(i).Type().Underlying().(*types.Signature); ok { // an iterator keeps it
			return false
		}
	}
	return true
}

// calledWithout returns what is called, without type arguments.
func calledWithout(call *ast.CallExpr) ast.Expr {
	return ast.Unparen(instantiated(call.Fun))
}

// calledFunction returns the function or method that is called statically.
func calledFunction(info *types.Info, call *ast.CallExpr) *types.Func {
	switch x := calledWithout(call).(type) {
	case *ast.Ident:
		f, _ := info.Uses[x].(*types.Func)
		return f
	case *ast.SelectorExpr:
		f, _ := info.Uses[x.Sel].(*types.Func)
		return f
	}
	return nil
}

// literal returns the text that stands for a func literal, if it is lifted.
func (c *function) literal(lit *ast.FuncLit) (string, bool) {
	l := c.lifted(lit)
	if l == nil {
		return "", false
	}
	if l.plain {
		return l.name, true
	}
	env := c.environment(l)
	if c.p.facts.isCalledHere(lit) && len(l.typeParams) == 0 {
		return "(&" + env + ").call", true // a call of the method, or its value, whose code in type-parameterised code has no name
	}
	return l.over(env, c.copies(l)), true
}

// over returns the func value over an environment, of which copied are the copied variables.
func (l *lifted) over(env, copied string) string {
	if l.value == "" {
		return "(&" + env + ").value(" + copied + ")"
	}
	return l.value + "(" + env + ")"
}

// lifted lifts the literal, the first time, and returns it; nil if it stays.
func (c *function) lifted(lit *ast.FuncLit) *lifted {
	if l, ok := c.file.lifted[lit]; ok {
		return l
	}
	if !c.lifts(lit) {
		return nil
	}
	captured, own := c.variablesOf(c.p.facts.captures(lit, c.p.types)), c.p.facts.definedAs[lit]
	recursive := slices.ContainsFunc(captured, func(v *types.Var) bool { return v == own }) // and only called
	if recursive {
		captured = slices.DeleteFunc(captured, func(v *types.Var) bool { return v == own })
	}
	l := &lifted{typeParams: c.typeParams}
	l.captured, l.copied = c.copiedFirst(captured)
	l.plain = len(l.captured) == 0 && len(l.typeParams) == 0
	l.passed = c.passesVariables(lit, l)
	types := make([]string, len(l.captured))
	for i, v := range l.captured {
		t, err := c.typeText(v.Type())
		if err != nil {
			if c.closure || c.p.Closure.Func(lit) {
				c.p.refuse(lit, fmt.Sprintf("the captured variable %s has a type that can't be written here: %s", v.Name(), err),
					"pass it as a parameter of a type with a name")
			}
			c.file.lifted[lit] = nil
			return nil
		}
		types[i] = t
	}
	kind := "closure"
	if l.plain || l.passed {
		kind = "literal"
	}
	if lit == c.iterator {
		l.iterator = true
		l.name = iteratorType(c.iteratorOf)
	} else {
		l.name = c.literalName(kind)
	}
	c.file.lifted[lit] = l

	child := newFunction(c.file, lit, l.name)
	child.closure = c.p.Closure.Func(lit)
	child.deferred = c.p.facts.deferred[lit]
	child.moves = c.moves
	child.typeParams = c.typeParams
	l.within = (child.closure || len(l.typeParams) > 0 || isLargeBody(c.p.info, lit.Body)) && !l.iterator && c.p.facts.onTheSpot[lit] == nil &&
		!c.p.facts.isLocal(lit) && !((c.closure || recursive) && c.p.facts.isCalledOnly(lit))
	maps.Copy(child.plainFunctions, c.plainFunctions)
	if l.plain || l.passed {
		if recursive {
			child.plainFunctions[own] = l.name
		}
		c.pass(child, l, types)
		child.self = l.name
		child.declareSignature(lit.Type, nil)
		c.file.append(child.write("func "+l.name, c.p.runtimePath()+"."+l.name, lit.Type, lit.Body))
		return l
	}

	var b strings.Builder
	fmt.Fprintf(&b, "// %s holds the variables of a function literal of %s.\n", l.name, c.base)
	c.captured(&b, child, l, types)
	b.WriteString("}\n\n")
	if recursive {
		child.variables[own] = &variable{text: child.env.text, method: l.entry(), carrier: child.env, access: child.env.name}
	}
	c.writeFunc(&b, l, c.signature(lit.Type))
	c.file.append(b.String())
	header := child.over(l, c.signature(lit.Type))
	child.declareSignature(lit.Type, nil)
	c.file.append(child.write(header, c.p.runtimeMethod(l), lit.Type, lit.Body))
	return l
}

// isLargeBody reports whether the compiler surely doesn't inline a function with that body. It
// inlines up to 80 nodes, of which a call that is not inlined is 57 (cmd/compile/internal/inline).
func isLargeBody(info *types.Info, body *ast.BlockStmt) bool {
	nodes, calls, large := 0, 0, false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, t := calledFunction(info, n), info.Types[n.Fun]; f == nil && !t.IsType() && !t.IsBuiltin() {
				calls++ // of a func value, which it seldom knows
			}
		case *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt:
			large = true
		}
		if n != nil {
			nodes++
		}
		return !large
	})
	return large || calls > 1 || nodes > 110
}

// signature returns the text of a function type.
func (c *function) signature(t *ast.FuncType) string {
	text := c.render(t)
	if !strings.HasPrefix(text, "func") {
		text = "func" + text
	}
	return text
}

// literalName returns the name of the next function literal.
func (c *function) literalName(kind string) string {
	c.literals++
	return c.p.packageName(fmt.Sprintf("%s_%s%d", c.base, kind, c.literals))
}

// ofEnvironments are the names of the fields and of the other methods of what stands for a method
// value.
var ofEnvironments = []string{"code", "self", "recv", "Func", methodWhilePanicking}

// entry is the name of the method that an environment is made for.
func (l *lifted) entry() string {
	if l.iterator {
		return "Call" // other packages call it, too
	}
	if l.of != "" {
		return l.of
	}
	return "call"
}

// runtimeMethod is the runtime's name of that method, or of the literal.
func (p *pkg) runtimeMethod(l *lifted) string {
	if l.within {
		return p.runtimeType(l) + ".fill.func1"
	}
	return p.runtimeType(l) + "." + l.entry()
}

// runtimeType is how the runtime's names of methods of environments begin.
func (p *pkg) runtimeType(l *lifted) string {
	name := l.name
	if len(l.typeParams) > 0 {
		name += "[...]"
	}
	return p.runtimePath() + ".(*" + name + ")"
}

// methodValue returns the text that stands for x.M where it is not called, if that can't stay as it
// is: a closure over the receiver.
//
// It is e, which is not x.M itself if M has type parameters of its own, and is instantiated.
func (c *function) methodValue(e ast.Expr, sel *ast.SelectorExpr, s *types.Selection) (string, bool) {
	if !c.closure && c.stays(e) {
		return "", false
	}
	if c.tellsReceiver(sel, s) || !c.reachesReceiver(sel, s) {
		return "", false
	}
	instance, of, ok := c.instance(e, sel.Sel)
	if !ok {
		return "", false
	}
	text, t := c.receiver(sel, s)
	recv, err := c.typeText(t)
	if err != nil {
		if c.closure {
			c.p.refuse(sel, "a method value whose receiver has a type that can't be written here: "+err.Error(), "write a function literal that calls the method")
		}
		return "", false
	}
	sig := c.p.typeOf(e).(*types.Signature)
	l := c.forwarder(e, s.Obj().(*types.Func), recv, sel.Sel.Name+instance, sig, false, append(of, t)...)
	if l == nil {
		return "", false
	}
	return l.over(l.name+c.p.typeArguments(l.typeParams)+"{recv: "+text+"}", ""), true
}

// tellsReceiver reports whether the code of a method value x.M has a name that tells the type of
// its receiver. Then it is left to the compiler: all values of the method have the same code, by
// which some programs find them, and what M sees as its caller is who calls the value.
func (c *function) tellsReceiver(sel *ast.SelectorExpr, s *types.Selection) bool {
	if len(c.typeParams) > 0 || c.isInstance(sel.Sel) {
		return false // the code is that of a function literal
	}
	t := s.Obj().(*types.Func).Signature().Recv().Type()
	if isInterface(t) { // the one that declares the method, which may be embedded in that of the receiver
		t = c.p.typeOf(sel.X)
		for _, i := range s.Index()[:len(s.Index())-1] {
			t = deref(t).Underlying().(*types.Struct).Field(i).Type()
		}
	}
	named, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok || named.TypeArgs().Len() > 0 {
		return false
	}
	if obj := named.Obj(); obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() || c.p.hasLocal(obj) {
		return false
	}
	if !slices.Contains(c.p.reg.receivers, named) {
		c.p.reg.receivers = append(c.p.reg.receivers, named)
	}
	return true
}

// hasLocal reports whether a function in the package of a type declares another one of the same
// name.
func (p *pkg) hasLocal(t *types.TypeName) bool {
	local, known := p.locals[t.Pkg()]
	if !known {
		local = make(map[string]bool)
		var look func(scope *types.Scope)
		look = func(scope *types.Scope) {
			for inner := range scope.Children() {
				for _, name := range inner.Names() {
					if _, ok := inner.Lookup(name).(*types.TypeName); ok {
						local[name] = true
					}
				}
				look(inner)
			}
		}
		look(t.Pkg().Scope())
		p.locals[t.Pkg()] = local
	}
	return local[t.Name()]
}

// receiver returns the receiver of x.M as M takes it, and its type: promotion through embedded
// fields, address and indirection written out. It ends before a field that can't be named here (see
// reachesReceiver).
func (c *function) receiver(sel *ast.SelectorExpr, s *types.Selection) (string, types.Type) {
	m := s.Obj().(*types.Func)
	wantsPointer := isPointer(m.Type().(*types.Signature).Recv().Type())
	t := c.p.typeOf(sel.X)
	text := c.operand(sel.X)
	for _, i := range s.Index()[:len(s.Index())-1] {
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			break
		}
		field := st.Field(i)
		if !field.Exported() && field.Pkg() != c.p.types {
			break
		}
		text += "." + c.p.fieldName(field)
		t = field.Type()
	}
	switch {
	case isInterface(t) || isTypeParam(t):
		text = c.shadow() + ".Receiver(" + text + ")"
	case isPointer(t) == wantsPointer:
	case wantsPointer:
		if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && len(s.Index()) == 1 && c.variables[c.p.info.Uses[id]] != nil && c.variables[c.p.info.Uses[id]].address != "" {
			text = c.variables[c.p.info.Uses[id]].address
		} else {
			text = c.ofPart("&"+text, sel, s)
		}
		t = types.NewPointer(t)
	default:
		text, t = "*"+text, deref(t)
	}
	return text, t
}

// methodExpression returns the text that stands for T.M where it is not called, if what it calls is
// decided by its first argument: an interface's method, or a promoted one. The name of a method of
// a generic type does not tell which instance it is, nor that of a method with type parameters, so
// these are written so, too. It is e, as in methodValue.
func (c *function) methodExpression(e ast.Expr, sel *ast.SelectorExpr, s *types.Selection) (string, bool) {
	if !decidedByReceiver(s) && !isInstantiated(s.Recv()) && !c.isInstance(sel.Sel) || !c.closure && c.stays(e) {
		return "", false
	}
	instance, of, ok := c.instance(e, sel.Sel)
	if !ok {
		return "", false
	}
	l := c.forwarder(e, s.Obj().(*types.Func), "", sel.Sel.Name+instance, c.p.typeOf(e).(*types.Signature), true, of...)
	if l == nil {
		return "", false
	}
	return l.over(l.name+c.p.typeArguments(l.typeParams)+"{}", ""), true
}

// isInstantiated reports whether t is an instance of a generic type, or a pointer to one.
func isInstantiated(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.TypeArgs().Len() > 0
}

// decidedByReceiver reports whether the code that a method expression calls
// must look into its receiver to find the method.
func decidedByReceiver(s *types.Selection) bool {
	wantsPointer := isPointer(s.Obj().Type().(*types.Signature).Recv().Type())
	return types.IsInterface(s.Recv()) || len(s.Index()) > 1 || isPointer(s.Recv()) && !wantsPointer
}

// instanceValue returns the text that stands for an instance of a generic
// function where it is not called.
func (c *function) instanceValue(e ast.Expr, id *ast.Ident) (string, bool) {
	if !c.closure && c.stays(e) {
		return "", false
	}
	var b strings.Builder
	f := c.p.info.Uses[id].(*types.Func)
	if f.Pkg() != c.p.types {
		b.WriteString(c.importName(f.Pkg().Path(), f.Pkg().Name()) + ".")
	}
	instance, of, ok := c.instance(e, id)
	if !ok {
		return "", false
	}
	l := c.forwarder(e, f, "", b.String()+c.p.nameOf(f)+instance, c.p.typeOf(e).(*types.Signature), false, of...)
	if l == nil {
		return "", false
	}
	return l.over(l.name+c.p.typeArguments(l.typeParams)+"{}", ""), true
}

// instance returns the type arguments that a generic function or method is instantiated with where
// it is not called, as text and as types: nothing if it is not generic. It is not ok if they can't
// be written.
func (c *function) instance(e ast.Expr, id *ast.Ident) (text string, of []types.Type, ok bool) {
	if !c.isInstance(id) {
		return "", nil, true
	}
	var args []string
	for arg := range c.p.info.Instances[id].TypeArgs.Types() {
		t, err := c.typeText(arg)
		if err != nil {
			if c.closure {
				c.p.refuse(e, "a generic function value with a type argument that can't be written here: "+err.Error(), "")
			}
			return "", nil, false
		}
		of, args = append(of, arg), append(args, t)
	}
	return "[" + strings.Join(args, ", ") + "]", of, true
}

// explicitInstance is instanceValue for x[T], where x may be a method, which stays if it need not
// be one.
func (c *function) explicitInstance(e, x ast.Expr, id *ast.Ident) string {
	without := c.p.nameOf(c.p.info.Uses[id])
	if sel, s := c.selectedMethod(x); s == nil {
		if text, ok := c.instanceValue(e, id); ok {
			return text
		}
		if sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok { // of another package
			without = c.render(sel.X) + "." + without
		}
	} else {
		if text, ok := c.methodInstance(e, sel, s); ok {
			return text
		}
		kept := false
		if without, kept = c.keptReceiver(sel, s); !kept {
			without = c.operand(sel.X) + "." + sel.Sel.Name
		}
	}
	return without + c.writtenArguments(e)
}

// writtenArguments returns the type arguments that the user has written in x[T], and nothing if
// there are none.
func (c *function) writtenArguments(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.IndexExpr:
		return "[" + c.render(x.Index) + "]"
	case *ast.IndexListExpr:
		args := make([]string, len(x.Indices))
		for i, a := range x.Indices {
			args[i] = c.render(a)
		}
		return "[" + strings.Join(args, ", ") + "]"
	}
	return ""
}

// selectedMethod returns the selection that x is if it is a method, of a value or of a type.
func (c *function) selectedMethod(x ast.Expr) (*ast.SelectorExpr, *types.Selection) {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	s := c.p.info.Selections[sel]
	if s == nil || s.Kind() == types.FieldVal {
		return nil, nil
	}
	return sel, s
}

// methodInstance is methodValue or methodExpression.
func (c *function) methodInstance(e ast.Expr, sel *ast.SelectorExpr, s *types.Selection) (string, bool) {
	if s.Kind() == types.MethodVal {
		return c.methodValue(e, sel, s)
	}
	return c.methodExpression(e, sel, s)
}

// forwarder writes an environment whose method call passes its arguments on to callee, the name of
// a function, or of a method of recv. It can be on the stack at a checkpoint like any rewritten
// function, if the callee can, and needs no frame if that is a function which has one (passing.go).
// If the callee is a method of the first argument, that is part of the frame. It is generic only if
// the signature is, or what else it is written with, as a generic one has not the name of its
// method.
func (c *function) forwarder(at ast.Expr, fn *types.Func, recv, callee string, sig *types.Signature, ofFirst bool, with ...types.Type) *lifted {
	if l, ok := c.file.forwarders[at]; ok {
		return l
	}
	var params, args, passed, results, all []string
	decides := "" // the type of the first argument if it is part of the frame
	write := func(t types.Type) (string, bool) {
		text, err := c.typeText(t)
		if err != nil {
			if c.closure {
				c.p.refuse(at, "a func value with a parameter or result whose type can't be written here: "+err.Error(), "")
			}
			return "", false
		}
		return text, true
	}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		name := c.p.freeName(fmt.Sprintf("p%d", i))
		dots := ""
		arg := name
		if sig.Variadic() && i == sig.Params().Len()-1 {
			dots = "..."
			arg += "..."
			t = t.(*types.Slice).Elem()
		}
		text, ok := write(t)
		if !ok {
			return nil
		}
		params = append(params, name+" "+dots+text)
		passed = append(passed, arg)
		if i == 0 && ofFirst {
			decides = text
			continue
		}
		args = append(args, arg)
	}
	for i := range sig.Results().Len() {
		text, ok := write(sig.Results().At(i).Type())
		if !ok {
			return nil
		}
		name := c.p.freeName(fmt.Sprintf("r%d", i))
		results = append(results, name+" "+text)
		all = append(all, name)
	}
	l := &lifted{}
	if c.file.hasTypeParams(append(with, sig)...) {
		l.typeParams = c.typeParams
	}
	tparams, err := c.typeParameters(l.typeParams)
	if err != nil {
		return nil
	}
	l.name = c.literalName("closure")
	if sel, ok := at.(*ast.SelectorExpr); ok && c.p.info.Selections[sel] != nil && len(l.typeParams) == 0 && !slices.Contains(ofEnvironments, sel.Sel.Name) {
		l.of = sel.Sel.Name
	}
	name := l.name
	c.file.forwarders[at] = l
	frame := c.p.packageName(name + "_frame")
	code := c.p.packageName(name + "_code")
	targs := c.p.typeArguments(l.typeParams)
	self := name + targs
	shadow := c.shadow()

	var b strings.Builder
	pos := c.p.fset.PositionFor(at.Pos(), false)
	fmt.Fprintf(&b, "// %s is the func value %s.\n", name, oneLine(c.source(at.Pos(), at.End())))
	fmt.Fprintf(&b, "type %s%s struct {\n", name, tparams)
	c.writeBeginning(&b, l)
	if recv != "" {
		b.WriteString("recv " + recv + "\n")
	}
	b.WriteString("}\n\n")
	c.writeFunc(&b, l, fmt.Sprintf("func(%s) (%s)", strings.Join(params, ", "), strings.Join(results, ", ")))
	env, fr := c.p.freeName("env"), c.p.freeName("fr")
	fmt.Fprintf(&b, "func (%s *%s) %s(%s) (%s) {\n", env, self, l.entry(), strings.Join(params, ", "), strings.Join(results, ", "))
	switch {
	case recv != "":
		callee = env + ".recv." + callee
	case ofFirst:
		callee = passed[0] + "." + callee
	}
	call := callee + "(" + strings.Join(args, ", ") + ")"
	declared := c.p.declared(fn)
	passes := recv == "" && !ofFirst && declared != nil && c.p.Closure.Func(declared)
	if !c.p.Closure.MayRecover(fn) && (passes || !c.p.Closure.Reaches(fn)) {
		if len(all) > 0 {
			call = "return " + call
		}
		b.WriteString(call + "\n}\n\n")
		c.file.append(b.String())
		if passes {
			c.registerPassing(at, name, c.p.runtimeMethod(l))
		}
		return l
	}
	points := []*resumePoint{{number: 1, line: pos, text: oneLine(c.source(at.Pos(), at.End()))}}
	var w *rescue
	if c.p.Closure.MayRecover(fn) {
		w = c.newRescue(env, name, tparams, targs, "env", at, call)
		w.params, w.args, w.decides = params, passed, decides
		if decides != "" {
			w.first = passed[0]
		}
		b.WriteString(w.declaration())
		points = append(points, w.point(2))
	}
	fmt.Fprintf(&b, "if %s.Busy != 0 {\n%s%s = %s.env\n", shadow, entering(shadow, fr, code, frame+targs), env, fr)
	if decides != "" {
		fmt.Fprintf(&b, "%s = %s.p0\n", passed[0], fr)
	}
	b.WriteString(w.takeUp(fr))
	statement := call
	if len(all) > 0 {
		statement = strings.Join(all, ", ") + " = " + call
	}
	push := func(at int) string {
		first := ""
		if decides != "" {
			first = ", p0: " + passed[0]
		}
		return fmt.Sprintf("if %[1]s.Busy != 0 {\nif %[1]s.Unwinding() {\n%[1]s.Push(&%[2]s{At: %[3]d, env: %[5]s%[4]s})\n}\n}\n", shadow, frame+targs, at, first, env)
	}
	if recv != "" || ofFirst {
		own := params[len(params)-len(args):]
		b.WriteString(c.beneath(fn.Name(), fmt.Sprintf("interface{ %s(%s) (%s) }", fn.Name(), strings.Join(own, ", "), strings.Join(results, ", ")), func(x string) string {
			return strings.TrimSuffix(statement, call) + x + "." + fn.Name() + "(" + strings.Join(args, ", ") + ")\n" + push(1) + "return"
		}))
	}
	b.WriteString("}\n}\n")
	fmt.Fprintf(&b, "%s%s\n%sreturn\n}\n\n", w.test(push(2)), statement, push(1))
	fmt.Fprintf(&b, "type %s%s struct {\nAt int\nenv *%s\n", frame, tparams, self)
	if decides != "" {
		b.WriteString("p0 " + decides + "\n")
	}
	b.WriteString("}\n\n")
	b.WriteString(c.resumePointMethod(frame+targs, code))
	c.p.reg.functions = append(c.p.reg.functions, registered{
		variable:    code,
		name:        c.p.runtimeMethod(l),
		file:        c.p.File(c.file.name),
		line:        pos.Line,
		fingerprint: fingerprint(c.source(at.Pos(), at.End()), recv),
		points:      points,
		renamed:     []renamed{{"env", ""}, {"p0", ""}},
	})
	w.write(&b)
	c.file.append(b.String())
	return l
}

package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Deferred calls of a function of the closure stay the language's own, so that
// panic and recover keep their rules to the letter. Three things are added.
//
// Each defer statement makes a record of what it evaluated (the function if it is
// a value, the receiver, the arguments) and appends it to the variable defers,
// which is part of every frame. Restoring the frame executes the defer statements
// again, from the records.
//
//	defer unlock(x, y())
//
// becomes
//
//	{ d := &f_defer1{a0: x, a1: y()}; defers = append(defers, d); defer d.run() }
//
// While the goroutine is saving, a deferred call must not happen: run (and a
// function that calls recover, which must be deferred directly to be of effect)
// first asks shadow.Suppressed, which counts.
//
// The first deferred call of the function is a literal of its own, the last to
// run. If a checkpoint is taken inside a deferred call, it is the one that pushes
// the function's frame: by the count it knows which of the calls were still to
// come, and by recover whether the function was panicking. A frame saved while it
// returned continues by deferring the calls that are left and returning; one that
// was saved while it panicked, by panicking again.
type deferral struct {
	record string // the type of the record
	invoke string // the deferred call, d being the record
}

// hasDefer reports whether a function body has defer statements of its own.
func hasDefer(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}

// callsRecover reports whether a function body calls recover itself.
func (p *pkg) callsRecover(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if p.isRecover(n) {
				found = true
			}
		}
		return !found
	})
	return found
}

func (p *pkg) isRecover(call *ast.CallExpr) bool {
	return p.info.Types[call.Fun].IsBuiltin() && builtinName(call.Fun) == "recover"
}

// asksSuppressed reports whether a function that is written anew asks on entry
// whether it is a deferred call that must not happen.
func (c *function) asksSuppressed(body *ast.BlockStmt, t *ast.FuncType) bool {
	if !c.p.callsRecover(body) && !c.deferred {
		return false
	}
	if t.Results != nil && len(t.Results.List) > 0 && len(t.Results.List[0].Names) == 0 && !c.closure {
		return false // a bare return is not possible
	}
	return true
}

// deferStatement returns the text of a defer statement.
func (c *function) deferStatement(s *ast.DeferStmt) string {
	call := s.Call
	if c.p.isRecover(call) {
		return "defer recover()" // has no effect in any case
	}
	d := c.deferrals[s]
	literal, _ := ast.Unparen(call.Fun).(*ast.FuncLit)
	recovers := literal == nil && c.p.Closure.Recovers(call)

	var fields, values []string // of the record
	add := func(name string, t types.Type, value string) {
		text, err := c.typeText(t)
		if err != nil {
			c.p.refuse(s, "a deferred call with a value whose type can't be written here: "+err.Error(), "defer a function literal instead")
			text = "any"
		}
		fields = append(fields, name+" "+text)
		values = append(values, name+": "+value)
	}

	fun := ""
	if literal != nil {
		l := c.lifted(literal)
		switch {
		case l == nil:
			return c.source(s.Pos(), s.End())
		case l.plain:
			fun = l.name
		default:
			fields = append(fields, "env *"+l.name+c.p.typeArguments(l.typeParams))
			values = append(values, "env: "+c.environment(l))
			fun = "d.env.call"
		}
	} else {
		var ok bool
		if fun, ok = c.deferredFunction(s, add); !ok {
			return c.source(s.Pos(), s.End())
		}
	}

	var args []string
	before := ""
	if literal == nil && c.p.info.Types[call.Fun].IsBuiltin() {
		for i, a := range call.Args {
			name := fmt.Sprintf("a%d", i)
			t := c.p.typeOf(a)
			if builtinName(call.Fun) == "panic" {
				t = types.Universe.Lookup("any").Type()
			}
			add(name, types.Default(t), c.render(a))
			args = append(args, "d."+name)
		}
	} else {
		sig := c.p.typeOf(call.Fun).Underlying().(*types.Signature)
		if results, statement := c.spread(call); results != nil {
			before = statement
			tuple := c.p.typeOf(call.Args[0]).(*types.Tuple)
			for i, r := range results {
				add(fmt.Sprintf("a%d", i), tuple.At(i).Type(), r)
				args = append(args, fmt.Sprintf("d.a%d", i))
			}
		} else {
			for i, a := range call.Args {
				name := fmt.Sprintf("a%d", i)
				add(name, parameterType(sig, i, call.Ellipsis.IsValid()), c.render(a))
				args = append(args, "d."+name)
			}
		}
	}
	if call.Ellipsis.IsValid() {
		args[len(args)-1] += "..."
	}
	invocation := fun + "(" + strings.Join(args, ", ") + ")"

	if d == nil {
		c.deferCount++
		name := c.p.packageName(fmt.Sprintf("%s_defer%d", c.base, c.deferCount))
		d = &deferral{record: name, invoke: invocation}
		c.deferrals[s] = d
		c.deferOrder = append(c.deferOrder, d)
		direct := literal != nil || recovers && c.suppressible(call)
		if recovers && !direct {
			c.p.refuse(s, "a deferred call of a function that may call recover, which is not known here", "defer a function literal that calls recover itself")
		}
		if !direct {
			d.invoke = "d.run()"
		}
		c.writeRecord(s, name, fields, invocation, !direct)
	}
	c.use(c.defers)
	r := "&" + d.record + c.p.typeArguments(c.typeParams) + "{" + strings.Join(values, ", ") + "}"
	if !strings.Contains(d.invoke, "d.") {
		return "{ " + before + c.defers.name + " = append(" + c.defers.name + ", " + r + "); defer " + d.invoke + " }"
	}
	return "{ " + before + "d := " + r + "; " + c.defers.name + " = append(" + c.defers.name + ", d); defer " + d.invoke + " }"
}

// spread returns the names of the arguments of f(g()) where g has several results,
// and the statement that assigns them if they are not temporaries already.
func (c *function) spread(call *ast.CallExpr) (results []string, statement string) {
	if len(call.Args) != 1 {
		return nil, ""
	}
	tuple, ok := c.p.typeOf(call.Args[0]).(*types.Tuple)
	if !ok {
		return nil, ""
	}
	if s, ok := c.subst[call.Args[0]]; ok {
		c.use(s.uses...)
		for _, v := range s.uses {
			results = append(results, v.name)
		}
		return results, ""
	}
	for range tuple.Len() {
		results = append(results, c.numbered("spread"))
	}
	return results, strings.Join(results, ", ") + " := " + c.render(call.Args[0]) + "; "
}

// parameterType is the type of the parameter that argument i is passed to.
func parameterType(sig *types.Signature, i int, ellipsis bool) types.Type {
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last && !ellipsis {
		return sig.Params().At(last).Type().(*types.Slice).Elem()
	}
	return sig.Params().At(i).Type()
}

// deferredFunction returns the function of a deferred call as it is called later,
// with what decides it kept in the record d.
func (c *function) deferredFunction(s *ast.DeferStmt, add func(string, types.Type, string)) (string, bool) {
	fun := ast.Unparen(s.Call.Fun)
	if c.p.info.Types[fun].IsBuiltin() {
		return builtinName(fun), true
	}
	if calledFunction(c.p.info, s.Call) != nil {
		sel, ok := fun.(*ast.SelectorExpr)
		if !ok {
			return c.render(fun), true
		}
		m := c.p.info.Selections[sel]
		if m == nil || m.Kind() == types.MethodExpr {
			return c.render(fun), true
		}
		recv, t := c.receiver(sel, m)
		add("recv", t, recv)
		return "d.recv." + sel.Sel.Name, true
	}
	add("fn", c.p.typeOf(fun), c.render(fun))
	return "d.fn", true
}

// suppressible reports whether the function that is called asks
// shadow.Suppressed itself.
func (c *function) suppressible(call *ast.CallExpr) bool {
	f := calledFunction(c.p.info, call)
	if f == nil || f.Pkg() != c.p.types || types.IsInterface(recvType(f)) {
		return false
	}
	for _, file := range c.p.Pkg.Syntax {
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && c.p.info.Defs[fd.Name] == f.Origin() && fd.Body != nil {
				return fd.Type.Results == nil || len(fd.Type.Results.List) == 0
			}
		}
	}
	return false
}

func recvType(f *types.Func) types.Type {
	if r := f.Type().(*types.Signature).Recv(); r != nil {
		return r.Type()
	}
	return types.Typ[types.Int]
}

// writeRecord writes the record of a defer statement and, if it is not called
// directly, its method run.
func (c *function) writeRecord(s *ast.DeferStmt, name string, fields []string, invocation string, run bool) {
	params, err := c.typeParameters(c.typeParams)
	if err != nil {
		c.p.refuse(s, "defer in code whose type parameters can't be written here: "+err.Error(), "")
	}
	var b strings.Builder
	targs := c.p.typeArguments(c.typeParams)
	fmt.Fprintf(&b, "// %s is a deferred call of %s.\ntype %s%s struct {\n%s\n}\n\n", name, c.base, name, params, strings.Join(fields, "\n"))
	if run {
		shadow := c.shadow()
		fmt.Fprintf(&b, "func (d *%s%s) run() {\n", name, targs)
		if !c.p.Closure.Call(s.Call) {
			fmt.Fprintf(&b, "if %s.Busy.Load() != 0 && %s.Suppressed() {\nreturn\n}\n", shadow, shadow)
			fmt.Fprintf(&b, "//line %s\n%s\n}\n\n", c.lineAt(s.Call.Pos()), invocation)
		} else {
			frame := c.p.packageName(name + "_frame")
			code := c.p.packageName(name + "_code")
			fmt.Fprintf(&b, "if %s.Busy.Load() != 0 {\nif %s.Suppressed() {\nreturn\n}\nif fr := %s.Enter[%s%s](); fr != nil {\nd = fr.d\n}\n}\n", shadow, shadow, shadow, frame, targs)
			at := c.p.fset.PositionFor(s.Call.Pos(), false)
			fmt.Fprintf(&b, "//line %s\n%s\n//line <ckpgen>:1:1\n", c.lineAt(s.Call.Pos()), invocation)
			fmt.Fprintf(&b, "if %s.Busy.Load() != 0 && %s.Unwinding() {\n%s.Push(&%s%s{At: 1, d: d})\n}\n}\n\n", shadow, shadow, shadow, frame, targs)
			fmt.Fprintf(&b, "type %s%s struct {\nAt int\nd *%s%s\n}\n\n", frame, params, name, targs)
			fmt.Fprintf(&b, "func (fr *%s%s) ResumePoint() (*%s.Function, int) { return &%s, fr.At }\n\n", frame, targs, shadow, code)
			runtimeName := name
			if targs != "" {
				runtimeName += "[...]"
			}
			c.p.reg.functions = append(c.p.reg.functions, registered{
				variable:    code,
				name:        c.p.runtimePath() + ".(*" + runtimeName + ").run",
				file:        c.p.File(c.file.name),
				line:        at.Line,
				fingerprint: fingerprint(c.source(s.Pos(), s.End()), strings.Join(fields, "; ")),
				points:      []*resumePoint{{number: 1, line: at, text: oneLine(c.source(s.Call.Fun.Pos(), s.Call.Fun.End()))}},
			})
		}
	}
	c.file.append(b.String())
}

// prepareDefers makes the variable that holds the records.
func (c *function) prepareDefers() {
	c.defers = &variable{name: c.localName("defers"), text: "[]any"}
	c.defers.carrier, c.defers.access = c.defers, c.defers.name
	c.all = append(c.all, c.defers)
	for _, r := range c.results {
		r.kept = true
	}
}

// withAll adds to list what it lacks of more.
func withAll(list, more []*variable) []*variable {
	for _, v := range more {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// leavingPoints adds the two resume points of a function that was left while its
// deferred calls ran.
func (c *function) leavingPoints(body *ast.BlockStmt) {
	at := c.p.fset.PositionFor(body.Rbrace, false)
	for _, text := range []string{"deferred calls while returning", "deferred calls while panicking"} {
		c.points = append(c.points, &resumePoint{number: len(c.points) + 1, text: text, line: at, live: c.leavingVariables()})
	}
}

// writeLast writes the deferred literal that runs last.
func (c *function) writeLast(b *strings.Builder, shadow, frame string) {
	returning := len(c.points) - 1
	fmt.Fprintf(b, "defer func() {\nif %s.Busy.Load() != 0 {\nif left, ok := %s.Leaving(len(%s)); ok {\n", shadow, shadow, c.defers.name)
	fmt.Fprintf(b, "fr := &%s{At: %d, %s: %s[:left]", frame, returning, c.defers.name, c.defers.name)
	for _, v := range c.results {
		fmt.Fprintf(b, ", %s: %s", v.name, v.name)
	}
	b.WriteString("}\n")
	fmt.Fprintf(b, "if v := recover(); v != nil {\nfr.At, fr.Panic = %d, v\n}\n%s.Push(fr)\nreturn\n}\n}\n", returning+1, shadow)
	for _, v := range c.results {
		if v.cell {
			fmt.Fprintf(b, "if %s != nil {\n%s = *%s\n}\n", v.name, v.raw, v.name)
		}
	}
	b.WriteString("}()\n")
}

// leavingVariables are those that a function needs while its deferred calls run,
// which a panic can bring about at any point.
func (c *function) leavingVariables() []*variable {
	return append([]*variable{c.defers}, c.results...)
}

// writeDefersAgain writes the loop that defers the calls of a restored frame.
func (c *function) writeDefersAgain(b *strings.Builder) {
	if len(c.deferOrder) == 0 {
		return
	}
	bound := "d := "
	if !slices.ContainsFunc(c.deferOrder, func(d *deferral) bool { return strings.Contains(d.invoke, "d.") }) {
		bound = ""
	}
	fmt.Fprintf(b, "for _, d := range %s {\nswitch %sd.(type) {\n", c.defers.name, bound)
	for _, d := range c.deferOrder {
		fmt.Fprintf(b, "case *%s%s:\ndefer %s\n", d.record, c.p.typeArguments(c.typeParams), d.invoke)
	}
	b.WriteString("}\n}\n")
}

package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// A later is the call of a defer or go statement: the function, if it is a value, the
// receiver and the arguments are evaluated by the statement and kept in a record, a
// struct with a name of its own so that it can be saved; the call is made later.
type later struct {
	literal    bool     // a function literal is called
	fields     []string // of the record
	values     []string // of the fields, as in a composite literal
	before     string   // a statement that comes before
	receiver   string   // of the method that is called, d being the record
	invocation string   // the call
	beneath    string   // gives it another receiver in a process that goes on, see promoted.go
}

// siteMark stands before the fields of what a site has evaluated, in the text of its call. A Go
// file can't contain it.
const siteMark = "\x01"

// later takes the call of a statement apart. The result is false if that can't be done,
// which has been refused.
func (c *function) later(s ast.Stmt, call *ast.CallExpr) (l later, ok bool) {
	return c.laterOf(s, call, nil)
}

// laterOf is later for a site, if there is one: then what is evaluated is not in a record of its
// own.
func (c *function) laterOf(s ast.Stmt, call *ast.CallExpr, at *site) (l later, ok bool) {
	what, wayOut := "a deferred call", "defer a function literal instead"
	if _, goes := s.(*ast.GoStmt); goes {
		what, wayOut = "a goroutine", "start it in the package that declares the type"
	}
	ok = true
	rec := c.p.record() + "."
	if at != nil {
		rec = siteMark
	}
	add := func(name string, t types.Type, value string) string {
		if at != nil {
			name = c.sites.fieldName(fmt.Sprint(name, "_", at.number+1))
			at.params = append(at.params, name)
		}
		text, err := c.typeText(t)
		if err != nil {
			c.p.refuse(s, what+" with a value whose type can't be written here: "+err.Error(), wayOut)
			ok = false
			text = "any"
		}
		l.fields = append(l.fields, name+" "+text)
		l.values = append(l.values, name+": "+value)
		return rec + name
	}

	fun := ""
	if literal, is := ast.Unparen(call.Fun).(*ast.FuncLit); is && at != nil {
		l.literal = true
		l.fields, l.values, ok = c.siteLiteral(at)
	} else if is {
		l.literal = true
		lit := c.lifted(literal)
		switch {
		case lit == nil:
			c.p.refuse(s, what+" of a function literal that captures a variable whose type can't be written here", wayOut)
			return l, false
		case lit.plain:
			fun = lit.name
		default:
			l.fields = append(l.fields, "env "+lit.name+c.p.typeArguments(lit.typeParams))
			l.values = append(l.values, "env: "+c.environment(lit))
			fun = c.p.record() + ".env.call"
		}
	} else {
		fun, l.receiver, l.beneath = c.laterFunction(call, add)
		if at != nil {
			at.params = nil // has no more than the arguments
		}
	}

	var args []string
	if !l.literal && c.p.info.Types[call.Fun].IsBuiltin() {
		for i, a := range call.Args {
			name := fmt.Sprintf("a%d", i)
			t := c.p.typeOf(a)
			if builtinName(call.Fun) == "panic" {
				t = types.Universe.Lookup("any").Type()
			}
			args = append(args, add(name, types.Default(t), c.render(a)))
		}
	} else {
		sig := core(c.p.typeOf(call.Fun)).(*types.Signature)
		if results, statement := c.spread(call); results != nil {
			l.before = statement
			tuple := c.p.typeOf(call.Args[0]).(*types.Tuple)
			for i, r := range results {
				args = append(args, add(fmt.Sprintf("a%d", i), tuple.At(i).Type(), r))
			}
		} else {
			for i, a := range call.Args {
				name := fmt.Sprintf("a%d", i)
				if c.p.isAddress(a) {
					c.p.refuse(a, what+" with an address as an integer, which keeps nothing alive until the call is made", "pass a pointer")
					ok = false
				}
				args = append(args, add(name, parameterType(sig, i, call.Ellipsis.IsValid()), c.render(a)))
			}
		}
	}
	if call.Ellipsis.IsValid() {
		args[len(args)-1] += "..."
	}
	if f := c.p.Closure.Operation(call).Function; f != nil && l.receiver != "" {
		fun, args = c.replacement(f), append([]string{l.receiver}, args...)
	}
	l.invocation = fun + "(" + strings.Join(args, ", ") + ")"
	return l, true
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

// laterFunction returns the function of a call as it is called later, with what decides
// it kept in the record, and the receiver of a method, and what may give that another value.
func (c *function) laterFunction(call *ast.CallExpr, add func(string, types.Type, string) string) (fun, receiver, beneath string) {
	f := ast.Unparen(call.Fun)
	if c.p.info.Types[f].IsBuiltin() {
		return builtinName(f), "", ""
	}
	if calledFunction(c.p.info, call) == nil {
		return add("fn", c.p.typeOf(f), c.render(f)), "", ""
	}
	replaced := c.p.Closure.Operation(call).Function
	if sel, m := c.selectedMethod(calledWithout(call)); m != nil && m.Kind() != types.MethodExpr {
		called := sel.Sel.Name + c.writtenArguments(f)
		if replaced == nil && !c.reachesReceiver(sel, m) {
			c.tellsReceiver(sel, m)
			return add("fn", c.p.typeOf(f), c.render(sel.X)+"."+called), "", "" // has the receiver as it is now
		}
		recv, t := c.receiver(sel, m)
		receiver = add("recv", t, recv)
		if of, err := c.typeText(t); err == nil && types.IsInterface(t) && c.p.Closure.Forwards(call) {
			beneath = c.beneath(sel.Sel.Name, of, func(x string) string { return receiver + " = " + x })
		}
		return receiver + "." + called, receiver, beneath
	}
	if replaced != nil {
		return c.replacement(replaced), "", ""
	}
	return c.render(f), "", ""
}

// isAddress reports whether e is a conversion of a pointer to an integer. In the arguments of
// some functions the compiler keeps alive what the pointer leads to (go:uintptrescapes).
func (p *pkg) isAddress(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !p.info.Types[call.Fun].IsType() {
		return false
	}
	to, ok := p.typeOf(e).Underlying().(*types.Basic)
	if !ok || to.Kind() != types.Uintptr {
		return false
	}
	from, ok := p.typeOf(call.Args[0]).Underlying().(*types.Basic)
	return ok && from.Kind() == types.UnsafePointer
}

// writeInvocation writes the method of a record that makes the call. If a resume point can be
// reached in it, it has a frame. recovers tells that a function which may call recover is deferred.
func (c *function) writeInvocation(b *strings.Builder, s ast.Stmt, call *ast.CallExpr, name, method string, l later, deferred, recovers bool) {
	targs := c.p.typeArguments(c.typeParams)
	shadow := c.shadow()
	rec := c.p.record()
	fmt.Fprintf(b, "func (%s *%s%s) %s() {\n", rec, name, targs, method)
	suppressed := ""
	if deferred {
		suppressed = fmt.Sprintf("if %s.Suppressed() {\nreturn\n}\n", shadow)
	}
	if !c.p.reachesPoint(call) {
		if deferred {
			fmt.Fprintf(b, "if %[1]s.Busy != 0 {\nif %[1]s.Suppressed() {\nreturn\n}\n}\n", shadow)
		}
		if recovers {
			b.WriteString(c.panicking(l.invocation))
		}
		fmt.Fprintf(b, "//line %s\n%s\n}\n\n", c.lineAt(call.Pos()), l.invocation)
		return
	}
	params, err := c.typeParameters(c.typeParams)
	if err != nil {
		return // has been refused
	}
	frame := c.p.packageName(name + "_frame")
	code := c.p.packageName(name + "_code")
	at := c.p.fset.PositionFor(call.Pos(), false)
	points := []*resumePoint{{number: 1, line: at, text: oneLine(c.source(call.Fun.Pos(), call.Fun.End()))}}
	var w *rescue
	if recovers {
		w = c.newRescue(rec, name, params, targs, "d", call, l.invocation)
		b.WriteString(w.declaration())
		points = append(points, w.point(2))
	}
	fr := c.p.freeName("fr")
	fmt.Fprintf(b, "if %s.Busy != 0 {\n%s%s%s = %s.d\n%s}\n}\n", shadow, suppressed, entering(shadow, fr, code, frame+targs), rec, fr, w.takeUp(fr)+l.beneath)
	push := func(at int) string {
		return fmt.Sprintf("if %[1]s.Busy != 0 {\nif %[1]s.Unwinding() {\n%[1]s.Push(&%[2]s{At: %[3]d, d: %[4]s})\n}\n}\n", shadow, frame+targs, at, rec)
	}
	b.WriteString(w.test(push(2)))
	fmt.Fprintf(b, "//line %s\n%s\n//line <ckpgen>:1:1\n%s}\n\n", c.lineAt(call.Pos()), l.invocation, push(1))
	fmt.Fprintf(b, "type %s%s struct {\nAt int\nd *%s%s\n}\n\n", frame, params, name, targs)
	b.WriteString(c.resumePointMethod(frame+targs, code))
	runtimeName := name
	if targs != "" {
		runtimeName += "[...]"
	}
	c.p.reg.functions = append(c.p.reg.functions, registered{
		variable:    code,
		name:        c.p.runtimePath() + ".(*" + runtimeName + ")." + method,
		file:        c.p.File(c.file.name),
		line:        at.Line,
		fingerprint: fingerprint(c.source(s.Pos(), s.End()), strings.Join(l.fields, "; ")),
		points:      points,
		renamed:     []renamed{{"d", ""}},
	})
	w.write(b)
}

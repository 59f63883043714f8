package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Deferred calls of a function of the closure stay the language's own, so that panic and recover
// keep their rules to the letter. While the goroutine is saving, a deferred call must not happen;
// restoring a frame has the calls deferred again that were to come; and a checkpoint can be taken
// inside one, also while the function is panicking. Most functions execute each of their defer
// statements at most once, and cost what they cost without checkpoints: see sites.go. The others,
// of which this file tells, leave records.
//
// Each defer statement makes a record of what it evaluated (the function if it is a value, the
// receiver, the arguments), which leads to the record before it; the variable defers has the last
// one, and is part of every frame. Restoring the frame executes the defer statements again, from
// the records.
//
//	defer unlock(x, y())
//
// becomes
//
//	{ d := &f_defer1{After: shadow.After{defers}, a0: x, a1: y()}; defers = d; defer d.run() }
//
// without After if it is the first of the function (defersFirst).
//
// The deferred call asks shadow.Suppressed first, which counts: run does so, and a function that
// calls recover, which must be deferred directly to be of effect. Where it is not rewritten, or
// only some of those that may be called call recover, run calls it so that it has that effect (see
// panicking.go).
//
// The first deferred call of the function is a literal of its own, the last to
// run. If a checkpoint is taken inside a deferred call, it is the one that pushes
// the function's frame: by the count it knows which of the calls were still to
// come, and by recover whether the function was panicking. A frame saved while it
// returned continues by deferring the calls that are left and returning; one that
// was saved while it panicked, by panicking again. After runtime.Goexit nothing but deferred
// calls is made any more, and functions without any are left out: shadow.Leaving tells, and
// the method Again of a frame calls its function where the caller is not there to do so.
type deferral struct {
	record string // the type of the record
	invoke string // the deferred call, d being the record
	value  string // the func value that is called directly, which may be nil; or empty
}

// text is the statement that defers the call. A nil func value panics when it is called, which is
// not to be while the goroutine is saving.
func (d *deferral) text(rec string) string {
	if d.value == "" {
		return "defer " + d.invoke
	}
	return "if " + d.value + " == nil { defer " + rec + ".run() } else { defer " + d.invoke + " }"
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
	switch {
	case c.deferred || c.site != nil:
		return true
	case !c.p.callsRecover(body):
		return false
	}
	return c.closure || !hasUnnamedResults(t) // see suppressible
}

// suppressed is what such a function does on entry.
func (c *function) suppressed(t *ast.FuncType) string {
	leave := c.leave()
	if !c.closure && t.Results != nil {
		var zeros []string
		for _, r := range t.Results.List {
			if len(r.Names) == 0 {
				zeros = append(zeros, "*new("+c.render(r.Type)+")")
			}
		}
		leave = strings.TrimSuffix("return "+strings.Join(zeros, ", "), " ")
	}
	leave = "{\n" + leave + "\n}\n"
	if c.site == nil {
		return fmt.Sprintf("if %[1]s.Busy != 0 {\nif %[1]s.Suppressed() %[2]s}\n", c.shadow(), leave)
	}
	return fmt.Sprintf("if %[1]s.calls.pending&%[2]s == 0 %[3]sif %[4]s.Busy != 0 {\nif %[1]s.skips(%[5]s) %[3]s}\n", c.env.name, c.site.bit(), leave, c.shadow(), c.site.until())
}

// deferStatement returns the text of a defer statement.
func (c *function) deferStatement(s *ast.DeferStmt) string {
	call := s.Call
	if c.p.isRecover(call) {
		// Of effect only where the function is itself a deferred call, and returns: then it
		// recovers the panic, as a call by the function would. A frame can't keep that.
		if c.closure && (c.deferred || c.p.defersDeclared(c.node)) {
			c.p.refuse(s, "defer recover() in a deferred function that can be at a checkpoint", "call recover in a function literal that is deferred")
		}
		return "defer recover()"
	}
	if c.sites != nil {
		return c.siteStatement(c.sites.of[s])
	}
	l, ok := c.later(s, call)
	if !ok {
		return c.source(s.Pos(), s.End())
	}
	f := c.enclosing()
	d := f.deferrals[s]
	if d == nil {
		f.deferCount++
		name := c.p.packageName(fmt.Sprintf("%s_defer%d", f.base, f.deferCount))
		d = &deferral{record: name, invoke: l.invocation}
		f.deferrals[s] = d
		f.deferOrder = append(f.deferOrder, d)
		recovers := !l.literal && c.p.Closure.Recovers(call)
		direct := l.literal || recovers && c.suppressible(call)
		if !direct {
			d.invoke = c.p.record() + ".run()"
		}
		if recovers && direct && calledFunction(c.p.info, call) == nil {
			d.value = c.p.record() + ".fn"
		}
		c.writeDeferred(s, name, l, !direct || d.value != "", recovers && !direct)
	}
	record := func(values ...string) string {
		return "&" + d.record + c.p.typeArguments(c.typeParams) + "{" + strings.Join(append(values, l.values...), ", ") + "}"
	}
	if c.loop != nil {
		return "{ " + l.before + c.shadow() + ".Defer(" + c.outermostLoop() + ", " + record() + ") }"
	}
	c.use(c.defers)
	rec, defers := c.p.record(), c.defers.name
	r := record(fmt.Sprintf("After: %s.After{%s}", c.shadow(), defers))
	if c.defersFirst(s) {
		r = record()
	}
	if !strings.Contains(d.invoke, rec+".") {
		return "{ " + l.before + defers + " = " + r + "; " + d.text(rec) + " }"
	}
	return "{ " + l.before + rec + " := " + r + "; " + defers + " = " + rec + "; " + d.text(rec) + " }"
}

// defersFirst reports whether nothing has been deferred when a defer statement is executed. Its
// record does not say so: to the compiler it could lead to itself, by the variable defers, and it is
// on the stack if nothing else leads to it.
func (c *function) defersFirst(s *ast.DeferStmt) bool {
	if c.inLoop(s) {
		return false
	}
	var first *ast.DeferStmt
	ast.Inspect(c.body(), func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok && first == nil {
			first = d
		}
		_, literal := n.(*ast.FuncLit)
		return first == nil && !literal
	})
	return first == s
}

// defersDeclared reports whether a defer statement of the package calls a function that is
// declared by fn.
func (p *pkg) defersDeclared(fn ast.Node) bool {
	decl, ok := fn.(*ast.FuncDecl)
	if !ok {
		return false
	}
	found := false
	for _, file := range p.Pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.DeferStmt); ok {
				f := calledFunction(p.info, s.Call)
				found = found || f != nil && f.Origin() == p.info.Defs[decl.Name]
			}
			return !found
		})
	}
	return found
}

// suppressible reports whether the function that is called asks
// shadow.Suppressed itself.
func (c *function) suppressible(call *ast.CallExpr) bool {
	f := calledFunction(c.p.info, call)
	if f == nil || f.Pkg() != c.p.types || types.IsInterface(recvType(f)) {
		return c.p.Closure.AlwaysRecovers(call, f == nil)
	}
	d := c.p.declared(f)
	return d != nil && (c.p.Closure.Func(d) || !hasUnnamedResults(d.Type))
}

// declared returns the declaration of a function of the package that has a body, or nil.
func (p *pkg) declared(f *types.Func) *ast.FuncDecl {
	if f == nil || f.Pkg() != p.types || types.IsInterface(recvType(f)) {
		return nil
	}
	if p.declarations == nil {
		p.declarations = make(map[types.Object]*ast.FuncDecl)
		for _, file := range p.Pkg.Syntax {
			for _, d := range file.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
					p.declarations[p.info.Defs[d.Name]] = d
				}
			}
		}
	}
	return p.declarations[f.Origin()]
}

func hasUnnamedResults(t *ast.FuncType) bool {
	return t.Results != nil && len(t.Results.List) > 0 && len(t.Results.List[0].Names) == 0
}

func recvType(f *types.Func) types.Type {
	if r := f.Type().(*types.Signature).Recv(); r != nil {
		return r.Type()
	}
	return types.Typ[types.Int]
}

// writeDeferred writes the record of a defer statement and, if it is not called
// directly, its method run. recovers tells that what run calls may call recover.
func (c *function) writeDeferred(s *ast.DeferStmt, name string, l later, run, recovers bool) {
	params, err := c.typeParameters(c.typeParams)
	if err != nil {
		c.p.refuse(s, "defer in code whose type parameters can't be written here: "+err.Error(), "")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// %s is a deferred call of %s.\ntype %s%s struct {\n%s.After\n%s\n}\n\n", name, c.base, name, params, c.shadow(), strings.Join(l.fields, "\n"))
	if run {
		c.writeInvocation(&b, s, s.Call, name, "run", l, true, recovers)
	}
	c.file.append(b.String())
}

// prepareDefers makes the variable that holds the sites, or the last record.
func (c *function) prepareDefers() {
	for _, r := range c.results {
		r.kept = true
	}
	if c.sites != nil {
		c.prepareSites()
		return
	}
	c.defers = &variable{name: c.localName("defers"), text: c.shadow() + ".Deferral", kept: true}
	c.defers.carrier, c.defers.access = c.defers, c.defers.name
	c.all = append(c.all, c.defers)
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

// How a function was left while its deferred calls ran, or before, as resume points: the last ones.
const (
	whileReturning = iota
	whilePanicking
	whileExiting // after runtime.Goexit
	beforeExiting
)

// leavings are those that there are in a function.
func (c *function) leavings() []int {
	if c.sites != nil && !c.sites.reaches {
		return []int{beforeExiting}
	}
	return []int{whileReturning, whilePanicking, whileExiting, beforeExiting}
}

// leavingPoint is the number of one of them.
func (c *function) leavingPoint(how int) int {
	list := c.leavings()
	return len(c.points) - len(list) + slices.Index(list, how) + 1
}

// leavingPoints adds the resume points of a function that was left while its
// deferred calls ran.
func (c *function) leavingPoints(body *ast.BlockStmt) {
	at := c.p.fset.PositionFor(body.Rbrace, false)
	texts := []string{"deferred calls while returning", "deferred calls while panicking", "deferred calls while exiting", "a call that exits"}
	for _, how := range c.leavings() {
		c.points = append(c.points, &resumePoint{number: len(c.points) + 1, text: texts[how], line: at, live: c.leavingVariables()})
	}
}

// writeLast writes the deferred literal that runs last.
func (c *function) writeLast(b *strings.Builder, shadow, frame string) {
	returning := c.leavingPoint(whileReturning)
	left, how, leaves, fr, v := c.localName("left"), c.localName("how"), c.localName("ok"), c.localName("fr"), c.localName("v") // results are named there
	fmt.Fprintf(b, "defer func() {\nif %[1]s.Busy != 0 {\nif %[3]s, %[4]s, %[5]s := %[1]s.Leaving(%[2]s); %[5]s {\n", shadow, c.defers.name, left, how, leaves)
	fmt.Fprintf(b, "%s := %s\n", fr, c.leavingFrame(frame, fmt.Sprintf("%d + %s", returning, how), left))
	fmt.Fprintf(b, "if %[1]s := recover(); %[1]s != nil {\n%[2]s.At, %[2]s.Panic = %[3]d, %[1]s\n}\n%[4]s\nreturn\n}\n}\n", v, fr, returning+whilePanicking, c.unwinds(shadow+".Push("+fr+")"))
	c.writeFromCells(b, shadow)
	b.WriteString("}()\n")
}

// writeFromCells writes what makes the results those that others share.
func (c *function) writeFromCells(b *strings.Builder, shadow string) {
	for _, v := range c.results {
		if v.cell {
			fmt.Fprintf(b, "if %s != nil {\n%s = *%s\n}\n", v.name, v.raw, v.name)
		}
	}
	if r := c.failed(); r != nil && r.cell {
		fmt.Fprintf(b, "if %[1]s.Busy != 0 {\nif %[1]s.Unwinding() {\n%[2]s\n}\n}\n", shadow, c.unwindsTo(r.raw, ""))
	}
}

// leavingFrame returns the frame of a function that is left in that way, with those deferred calls
// to come.
func (c *function) leavingFrame(frame, at, calls string) string {
	text := fmt.Sprintf("&%s{At: %s, %s: %s", frame, at, c.defers.name, calls)
	for _, v := range c.results {
		text += fmt.Sprintf(", %s: %s", v.name, v.name)
	}
	return text + "}"
}

// writeLeft writes what a function does that was left in that way, when its calls are deferred
// again.
func (c *function) writeLeft(b *strings.Builder, how int, shadow, frame, fr string) {
	switch how {
	case whilePanicking:
		b.WriteString("panic(" + fr + ".Panic)\n")
		return
	case whileExiting:
		fmt.Fprintf(b, "%s.Exit()\n", shadow)
	case beforeExiting:
		at := c.leavingPoint(beforeExiting)
		push := fmt.Sprintf("%s.Push(%s)", shadow, c.leavingFrame(frame, fmt.Sprint(at), c.defers.name))
		if c.sites != nil {
			push = fmt.Sprintf("%s.push(%d, %s, nil)", c.sites.variable, at, c.sites.list[len(c.sites.list)-1].until())
		}
		fmt.Fprintf(b, "if %s.ExitInside() {\n%s\n}\n", shadow, push)
	}
	b.WriteString(c.leave() + "\n")
}

// writeAgain writes the method of a frame that calls the function, which takes its frame up.
func (c *function) writeAgain(b *strings.Builder, frame, targs string, t *ast.FuncType) {
	fmt.Fprintf(b, "func (*%s%s) Again() {\n", frame, targs) // without a name, which could be that of the package of a parameter's type
	arg := c.localName("arg")
	call := c.self
	if c.recv != "" {
		fmt.Fprintf(b, "var %s %s\n", arg, c.recv)
		call = arg + "." + c.self
	}
	var args []string
	number := 0
	add := func(text string) {
		number++
		for c.p.taken[fmt.Sprint(arg, number)] { // it may be the type of a parameter that follows
			number++
		}
		name := fmt.Sprint(arg, number)
		fmt.Fprintf(b, "var %s %s\n", name, text)
		args = append(args, name)
	}
	for _, v := range c.passed {
		add(v.goType())
	}
	for _, f := range t.Params.List {
		if _, variadic := f.Type.(*ast.Ellipsis); variadic {
			break
		}
		for range max(len(f.Names), 1) {
			add(c.render(f.Type))
		}
	}
	fmt.Fprintf(b, "%s(%s)\n}\n\n", call, strings.Join(args, ", "))
}

// leavingVariables are those that a function needs while its deferred calls run,
// which a panic can bring about at any point.
func (c *function) leavingVariables() []*variable {
	list := append([]*variable{c.defers}, c.results...)
	if c.sites != nil {
		list = withAll(list, c.sites.sharing)
	}
	return list
}

// writeDefersAgain writes the loop that defers the calls of a restored frame.
func (c *function) writeDefersAgain(b *strings.Builder) {
	if len(c.deferOrder) > 0 {
		fmt.Fprintf(b, "for _, %s := range %s.Deferrals(%s) {\n%s}\n", c.p.record(), c.shadow(), c.defers.name, c.deferRecord())
	}
}

// deferRecord returns the statement that defers the call of a record of those so far.
func (c *function) deferRecord() string {
	rec := c.p.record()
	bound := rec + " := "
	if !slices.ContainsFunc(c.deferOrder, func(d *deferral) bool { return strings.Contains(d.invoke, rec+".") }) {
		bound = ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "switch %s%s.(type) {\n", bound, rec)
	for _, d := range c.deferOrder {
		fmt.Fprintf(&b, "case *%s%s:\n%s\n", d.record, c.p.typeArguments(c.typeParams), d.text(rec))
	}
	b.WriteString("}\n")
	return b.String()
}

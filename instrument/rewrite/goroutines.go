package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// A go statement becomes a call of shadow.Go with a func value that can be saved, as the goroutine
// is one of those that a checkpoint is taken of. Without checkpoints it remains a go statement, so
// that traces tell where goroutines were created; the method alone has no line of the user's, as in
// traces nothing stands for the call.
//
//	go serve(next(), log...)
//
// becomes
//
//	{
//		start := &main_go1{a0: next(), a1: log}
//		if shadow.IsOff() { go shadow.Run(start.alone)() } else { shadow.Go(start.call) }
//	}
//
//	type main_go1 struct { a0 int; a1 []string }
//	func (d *main_go1) Func() any { return d.call }
//	func (d *main_go1) call() { serve(d.a0, d.a1...) }
//	func (d *main_go1) alone() { serve(d.a0, d.a1...) }
//
// in which call has a frame, as any function of the closure, if a resume point can be reached in
// serve. What has neither arguments nor results, and is no checkpoint call, needs no record:
//
//	go func() { out <- 1 }()      { start := main_closure1_value(main_closure1{out: out}); if ...
//	go run()                      { start := run; if ...
//
// The call is evaluated as far as the language does that in the goroutine that executes
// the statement. Methods sync.WaitGroup.Go and time.AfterFunc become shadow.GoWait and
// blocking.AfterFunc, with the same func values. All this is done wherever the statement
// stands, in the closure or not. A go statement below the line //ckp:external stays as
// it is; the runtime is told where it stands.

// starts reports whether a go statement starts a goroutine that is part of checkpoints.
func (p *pkg) starts(s *ast.GoStmt) bool {
	return p.Closure.Operation(s).Kind == blocking.Start
}

// goStatement returns the text of a go statement.
func (c *function) goStatement(s *ast.GoStmt) string {
	if fun, ok := c.asFunc(s.Call); ok {
		start := c.startVariable()
		alone := start
		if _, lit := ast.Unparen(s.Call.Fun).(*ast.FuncLit); !lit && calledFunction(c.p.info, s.Call) == nil {
			alone = c.shadow() + ".Present(" + start + ")" // it may be nil
		}
		return c.launch(s, start+" := "+fun, alone, start)
	}
	l, ok := c.later(s, s.Call)
	if !ok {
		return c.source(s.Pos(), s.End())
	}
	name := c.file.goroutines[s]
	if name == "" {
		c.goCount++
		name = c.p.packageName(fmt.Sprintf("%s_go%d", c.base, c.goCount))
		c.file.goroutines[s] = name
		c.writeGoroutine(s, name, l)
	}
	method := ".call"
	if len(c.typeParams) > 0 {
		method = ".value()"
	}
	record := name + c.p.typeArguments(c.typeParams) + "{" + strings.Join(l.values, ", ") + "}"
	start := c.startVariable()
	return c.launch(s, l.before+start+" := &"+record, start+".alone", start+method)
}

// launch returns the text that evaluates a call and starts a goroutine for it: with the func value
// alone without checkpoints, and else with saved.
func (c *function) launch(s *ast.GoStmt, evaluate, alone, saved string) string {
	shadow, line := c.shadow(), "//line "+c.lineAt(s.Go)+"\n"
	return "{\n" + line + evaluate + "\nif " + shadow + ".IsOff() {\n" + line + "go " + shadow + ".Run(" + alone + ")()\n} else {\n" + line + shadow + ".Go(" + saved + ")\n}\n}"
}

// startVariable is the name of the func value or record of go statements.
func (c *function) startVariable() string {
	if c.startName == "" {
		c.startName = c.localName("start")
	}
	return c.startName
}

// asFunc returns the function of a call without arguments and results as a func value
// that can be saved. A checkpoint call has no frame that could be the first of a goroutine.
func (c *function) asFunc(call *ast.CallExpr) (string, bool) {
	sig, ok := c.p.typeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || c.p.Closure.Direct(call) || sig.Params().Len() > 0 || sig.Results().Len() > 0 || c.p.info.Types[call.Fun].IsBuiltin() {
		return "", false
	}
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return c.literal(lit)
	}
	f := calledFunction(c.p.info, call)
	if f != nil && (f.Signature().Recv() != nil || f.Signature().TypeParams().Len() > 0) {
		return "", false
	}
	return c.render(call.Fun), true
}

// writeGoroutine writes the record of a go statement.
func (c *function) writeGoroutine(s *ast.GoStmt, name string, l later) {
	params, err := c.typeParameters(c.typeParams)
	if err != nil {
		c.p.refuse(s, "a go statement in code whose type parameters can't be written here: "+err.Error(), "start the goroutine in a function without type parameters")
	}
	self := name + c.p.typeArguments(c.typeParams)
	var b strings.Builder
	fmt.Fprintf(&b, "// %s is the call of a go statement of %s.\ntype %s%s struct {\n", name, c.base, name, params)
	of := &lifted{name: name, typeParams: c.typeParams}
	if len(c.typeParams) > 0 {
		c.writeBeginning(&b, of)
	}
	fmt.Fprintf(&b, "%s\n}\n\n", strings.Join(l.fields, "\n"))
	if len(c.typeParams) > 0 {
		c.writeFunc(&b, of, "func()")
	} else {
		fmt.Fprintf(&b, "func (d *%s) Func() %s { return d.call }\n\n", self, c.p.any())
		c.p.reg.envs = append(c.p.reg.envs, name)
	}
	fmt.Fprintf(&b, "func (%s *%s) alone() {\n//line <ckpgen>:1:1\n%s\n}\n\n", c.p.record(), self, l.invocation)
	c.writeInvocation(&b, s, s.Call, name, "call", l, false, false)
	c.file.append(b.String())
}

// startingCall returns the text of a call of a function that starts a goroutine.
func (c *function) startingCall(call *ast.CallExpr, f *blocking.Function) string {
	var args []string
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := c.p.info.Selections[sel]; s != nil {
			recv, _ := c.receiver(sel, s)
			args = append(args, recv)
		}
	}
	for _, a := range call.Args {
		args = append(args, c.render(a))
	}
	return c.replacement(f) + "(" + strings.Join(args, ", ") + ")"
}

// noteExternal notes the go statements of a file below the line //ckp:external, for the runtime.
// They are not told from others by what is rewritten: the goroutine of a program that starts no
// other is one that checkpoints would be refused for, too.
func (f *file) noteExternal() {
	for _, s := range blocking.ExternalStatements(f.p.fset, f.syntax) {
		at := f.p.fset.Position(s.Go)
		f.p.reg.external = append(f.p.reg.external, launch{f.nameAt(at), at.Line})
	}
}

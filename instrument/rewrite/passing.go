package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/ckpgen/ckpgen/instrument/blocking"
)

// A function that does nothing but call another one of its package needs no frame, and stays as it
// is, so that the compiler may inline it:
//
//	func (t *Tree) Delete(key string) bool { return t.remove(key, false) }
//	func Format(t Time) string { return string(AppendFormat(make([]byte, 0, 64), t)) }
//	func (t *Tree) Pop() (item Item) { item, _ = t.removeFirst(); return }
//
// When it is called again to be restored, it calls again, and the callee takes up its own frame.
// Nobody reads the arguments of that call, so that it does not matter either what the parameters
// are of the function that passes it on; but all must be such as can be evaluated whatever these
// are (total), and address no variable. What is called is decided by nothing that a frame would
// hold. An error that is returned is the callee's, which is one while the goroutine is saving
// (failing.go). A function that polls on entry is not of this kind, as it has a resume
// point of its own, nor a method that is found by the frame it has (promoted.go).

// passes reports whether a function of the closure is one that passes a call on.
func (c *function) passes(d *ast.FuncDecl, sig *types.Signature) bool {
	if c.p.InLibrary || c.iterator != nil || c.first != "" || c.leads != "" || c.last != "" || c.p.Closure.Polls(d) || c.p.Closure.Forwarded(d) {
		return false
	}
	call, from := c.passedOn(d.Body, sig)
	if call == nil || c.p.Closure.Direct(call) || c.p.Closure.Operation(call) != (blocking.Operation{}) {
		return false
	}
	callee := c.p.declared(calledFunction(c.p.info, call))
	if callee == nil || !c.p.Closure.Func(callee) || !c.unread(call) {
		return false
	}
	n := sig.Results().Len()
	if n == 0 {
		return true
	}
	last := sig.Results().At(n - 1).Type()
	return !isError(last) && !isTypeParam(last) || from != nil && types.Identical(last, from)
}

// registerPassing registers what stands at a node and passes a call on, so that no checkpoint is
// refused because it is on the stack. base is how the names of what belongs to it begin, and
// runtimeName the name that the runtime has for it.
func (c *function) registerPassing(at ast.Node, base, runtimeName string) {
	r := registered{
		variable:    c.p.packageName(base + "_code"),
		name:        runtimeName,
		file:        c.p.File(c.file.name),
		line:        c.p.fset.PositionFor(at.Pos(), false).Line,
		fingerprint: fingerprint(c.source(at.Pos(), at.End()), ""),
		passes:      true,
	}
	if at == c.node {
		r.reflected = c.isReflected()
	}
	c.p.reg.functions = append(c.p.reg.functions, r)
}

// passedOn returns the call that a function consists of, or nil, and the type of the callee's last
// result if that is the function's last one.
func (c *function) passedOn(body *ast.BlockStmt, sig *types.Signature) (call *ast.CallExpr, last types.Type) {
	var s ast.Stmt
	switch len(body.List) {
	case 1:
		s = body.List[0]
	case 2:
		if a, ok := body.List[0].(*ast.AssignStmt); ok {
			return c.assignedAndReturned(a, body.List[1], sig)
		}
	}
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ = ast.Unparen(s.X).(*ast.CallExpr)
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			call = c.calledThrough(s.Results[0])
		}
		if call != nil && call == ast.Unparen(s.Results[0]) {
			last = c.lastResult(call)
		}
	}
	return call, last
}

// calledThrough returns the call whose result an expression is, perhaps converted to a basic type,
// or nil.
func (c *function) calledThrough(e ast.Expr) *ast.CallExpr {
	for {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || !c.p.info.Types[call.Fun].IsType() {
			return call
		}
		if _, basic := c.p.typeOf(call).Underlying().(*types.Basic); !basic {
			return nil
		}
		e = call.Args[0]
	}
}

// assignedAndReturned is passedOn for a function that has its results from variables:
//
//	item, _ := t.remove(key)
//	return item
func (c *function) assignedAndReturned(a *ast.AssignStmt, then ast.Stmt, sig *types.Signature) (call *ast.CallExpr, last types.Type) {
	r, ok := then.(*ast.ReturnStmt)
	if !ok || len(a.Rhs) != 1 || a.Tok != token.DEFINE && a.Tok != token.ASSIGN {
		return nil, nil
	}
	call, _ = ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	var variable types.Object // that has the last result
	known := make(map[types.Object]bool)
	for v := range sig.Results().Variables() {
		known[v] = true
	}
	for _, l := range a.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			return nil, nil
		}
		if variable = c.p.info.ObjectOf(id); variable != nil && variable.Parent() == variable.Pkg().Scope() {
			return nil, nil // it would be assigned in between
		}
		known[variable] = true
	}
	var returned types.Object
	if n := sig.Results().Len(); n > 0 {
		returned = sig.Results().At(n - 1)
	}
	for _, e := range r.Results {
		returned = nil
		if tv := c.p.info.Types[e]; tv.Value != nil || tv.IsNil() {
			continue
		}
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return nil, nil
		}
		if returned = c.p.info.Uses[id]; !known[returned] {
			return nil, nil // a parameter has another value when the process goes on
		}
	}
	if call != nil && variable != nil && variable == returned {
		last = c.lastResult(call)
	}
	return call, last
}

// lastResult returns the type of the last result of a call, or nil.
func (c *function) lastResult(call *ast.CallExpr) types.Type {
	t := c.p.typeOf(call)
	if tuple, ok := t.(*types.Tuple); ok {
		if tuple.Len() == 0 {
			return nil
		}
		return tuple.At(tuple.Len() - 1).Type()
	}
	return t
}

// unread reports whether the operands of a call of a declared function can be evaluated at any
// time, and are what they become in the callee.
func (c *function) unread(call *ast.CallExpr) bool {
	sig, ok := c.p.typeOf(call.Fun).(*types.Signature)
	if !ok || sig.Variadic() && !call.Ellipsis.IsValid() {
		return false
	}
	if sel, ok := calledWithout(call).(*ast.SelectorExpr); ok {
		if s := c.p.info.Selections[sel]; s != nil {
			if s.Kind() != types.MethodVal || len(s.Index()) != 1 || !types.Identical(s.Recv(), recvType(s.Obj().(*types.Func))) || !c.isPlain(sel.X) {
				return false
			}
		}
	}
	for i, a := range call.Args {
		same := i < sig.Params().Len() && (c.p.info.Types[a].IsNil() || types.Identical(c.p.typeOf(a), sig.Params().At(i).Type()))
		if !same || !c.isPlain(a) {
			return false
		}
	}
	return true
}

// isPlain reports whether an expression can be evaluated at any time, addresses no variable, and
// makes nothing that a frame would need a bearer for.
func (c *function) isPlain(e ast.Expr) bool {
	plain := c.total(e)
	ast.Inspect(e, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			t := c.p.typeOf(e)
			plain = plain && (t == nil || !isBorne(t))
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CompositeLit:
			plain = false
		case *ast.UnaryExpr:
			plain = plain && n.Op != token.AND
		}
		return plain
	})
	return plain
}

package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// What frames refer to on the stack is moved to the heap by the types of the references. So what
// has a type that does not tell, an unsafe.Pointer or the environment of a func value that was not
// rewritten, must not be on the stack. The compiler is told that what makes it returns something
// that is kept:
//
//	at := unsafe.Pointer(&p)    at := shadow.Kept(unsafe.Pointer(&p))
//
// An unsafe.Pointer that becomes another pointer at once is in no frame. If that is one to a struct
// with an unsafe pointer, by which something else is looked at, the type of that reference does not
// tell either what the unsafe pointer there leads to, and it is kept if it can be in a frame:
//
//	w := (*words)(unsafe.Pointer(&x))    w := (*words)(shadow.Kept(unsafe.Pointer(&x)))

// offTheStack returns the text of a call, or a conversion, whose result may lead to such memory.
func (c *function) offTheStack(call *ast.CallExpr) (string, bool) {
	if !c.closure || c.known[call] {
		return "", false
	}
	c.noteKnown(call)
	kept := ""
	switch tv := c.p.info.Types[call.Fun]; {
	case tv.IsType():
		arg := ast.Unparen(call.Args[0])
		if isUnsafePointer(tv.Type) {
			if !isNumber(c.p.typeOf(arg)) || c.numbersAddress(arg) {
				kept = "Kept"
			}
			break
		}
		if inner, ok := arg.(*ast.CallExpr); ok && isUnsafePointer(c.p.typeOf(arg)) && !c.isLookedAt(call, inner) {
			c.noteKnown(inner)
		}
	default:
		switch results := c.opaqueResults(call); {
		case results == nil, c.isReturned(call):
		case results.Len() == 1 && isError(results.At(0).Type()):
			kept = "KeptError"
		case results.Len() == 1:
			kept = "Kept"
		case results.Len() <= 4:
			kept = fmt.Sprint("Kept", results.Len())
		}
	}
	if kept == "" {
		return "", false
	}
	text := c.shadow() + "." + kept + "(" + c.render(call) + ")"
	delete(c.known, call) // it may be written again
	return text, true
}

// leadsToUnsafe reports whether a type is a pointer to a struct in which there are unsafe pointers.
func leadsToUnsafe(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	return ok && isStruct(p.Elem()) && load.HasUnsafePointer(p.Elem())
}

// isLookedAt reports whether a conversion of an address, and back, gives a pointer to a struct with
// unsafe pointers, and more is done with that than to select a field.
func (c *function) isLookedAt(call, inner *ast.CallExpr) bool {
	if !leadsToUnsafe(c.p.typeOf(call)) || !c.p.info.Types[inner.Fun].IsType() || isNumber(c.p.typeOf(inner.Args[0])) {
		return false
	}
	if c.selected == nil {
		c.selected = make(map[ast.Expr]bool)
		ast.Inspect(c.node, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				c.selected[ast.Unparen(sel.X)] = true
			}
			return true
		})
	}
	return !c.selected[call]
}

// opaqueResults returns the results of a call, if they may lead to such memory.
func (c *function) opaqueResults(call *ast.CallExpr) *types.Tuple {
	if c.p.info.Types[call.Fun].IsBuiltin() || c.p.facts.goOrDefer[call] || c.p.facts.alone[call] || c.isResume(call) {
		return nil
	}
	if f := calledFunction(c.p.info, call); f != nil && !types.IsInterface(recvType(f)) {
		if c.p.Closure.Opaque(f) {
			return f.Signature().Results()
		}
		return nil
	}
	if signature, ok := core(c.p.typeOf(call.Fun)).(*types.Signature); ok && c.p.Closure.OpaqueCall(call, signature) {
		return signature.Results()
	}
	return nil
}

// keepsErrors returns which variables a call assigns errors to that are to be kept, if nothing else
// of what it returns can lead to such memory. They are kept behind the assignment:
//
//	n, err = f(x); shadow.KeepError(err)
//
// That is less to the compiler than the instance of a generic function: see outlined.go. What is
// returned somewhere need not be kept: to the compiler it is what the function returns, wherever it
// was assigned, and so on the heap. (A function that takes up frames is never inlined.)
func (c *function) keepsErrors(targets, values []ast.Expr) []bool {
	if len(values) != 1 || !c.closure {
		return nil
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok || c.known[call] || c.p.info.Types[call.Fun].IsType() {
		return nil
	}
	results := c.opaqueResults(call)
	if results == nil {
		return nil
	}
	kept := make([]bool, len(targets))
	some := len(targets) > 1
	for i, target := range targets {
		if id, ok := target.(*ast.Ident); ok && id.Name == "_" {
			continue
		}
		t := results.At(i).Type()
		switch {
		case isError(t) && isError(c.p.typeOf(target)):
			kept[i] = !c.isReturned(target)
			some = some || !kept[i]
		case !isData(t):
			return nil
		}
	}
	if !some { // as an operand it is one statement less
		return nil
	}
	c.noteKnown(call)
	return kept
}

// isReturned reports whether a call, or the variable that an expression denotes, is the operand of
// a return statement of the function itself.
func (c *function) isReturned(e ast.Expr) bool {
	if c.loop != nil || !c.reaches(c.node) {
		return false
	}
	if c.givenBack == nil {
		c.givenBack, c.calledBack = make(map[types.Object]bool), make(map[*ast.CallExpr]bool)
		ast.Inspect(c.node, c.noteReturned)
	}
	if call, ok := e.(*ast.CallExpr); ok {
		return c.calledBack[call]
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	obj := c.p.info.Defs[id]
	if obj == nil {
		obj = c.p.info.Uses[id]
	}
	return obj != nil && c.givenBack[obj]
}

// isGivenBack reports whether a variable is an error for which isReturned may have been told.
func (c *function) isGivenBack(v *variable) bool {
	for obj := range c.givenBack {
		if obj != nil && c.variables[obj] == v && isError(v.typ) {
			return true
		}
	}
	return false
}

// noteReturned notes what return statements return, but for those that the compiler may leave out
// as nothing comes to them.
func (c *function) noteReturned(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		return n == c.node
	case *ast.RangeStmt:
		return !c.p.overFunction(n)
	case *ast.IfStmt:
		return !c.isDecided(n.Cond)
	case *ast.ForStmt:
		return !c.isDecided(n.Cond)
	case *ast.SwitchStmt:
		return !c.isDecidedSwitch(n)
	case *ast.BlockStmt:
		return c.noteReturnedIn(n.List)
	case *ast.CaseClause:
		return c.noteReturnedIn(n.Body)
	case *ast.CommClause:
		return c.noteReturnedIn(n.Body)
	case *ast.ReturnStmt:
		for _, r := range n.Results {
			switch r := ast.Unparen(r).(type) {
			case *ast.Ident:
				c.givenBack[c.p.info.Uses[r]] = true
			case *ast.CallExpr:
				c.calledBack[r] = true
			}
		}
	}
	return true
}

// isDecided reports whether the compiler may know what an expression is, as there are constants in
// it.
func (c *function) isDecided(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case nil:
		return false
	case *ast.UnaryExpr:
		return c.isDecided(x.X)
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			return c.isDecided(x.X) || c.isDecided(x.Y)
		}
	}
	return c.p.info.Types[e].Value != nil
}

// isDecidedSwitch reports whether the compiler may know which clause of a switch is taken, or is
// not.
func (c *function) isDecidedSwitch(s *ast.SwitchStmt) bool {
	if s.Tag != nil {
		return c.isDecided(s.Tag)
	}
	for _, clause := range caseClauses(s.Body) {
		if slices.ContainsFunc(clause.List, c.isDecided) {
			return true
		}
	}
	return false
}

// noteReturnedIn is that for a list of statements, which ends at the first that leads elsewhere, or
// that the compiler may know to.
func (c *function) noteReturnedIn(list []ast.Stmt) bool {
	for _, s := range list {
		ast.Inspect(s, c.noteReturned)
		switch s := s.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			return false
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && builtinName(call.Fun) == "panic" {
				return false
			}
		case *ast.IfStmt:
			if c.isDecided(s.Cond) {
				return false
			}
		case *ast.SwitchStmt:
			if c.isDecidedSwitch(s) {
				return false
			}
		}
	}
	return false
}

// keepErrors returns the statements for it, when the call has been written.
func (c *function) keepErrors(kept []bool, values []ast.Expr, variables []string) (text string) {
	if kept == nil {
		return ""
	}
	delete(c.known, ast.Unparen(values[0]).(*ast.CallExpr)) // it may be written again
	for i, keeps := range kept {
		if keeps {
			text += "; " + c.shadow() + ".KeepError(" + variables[i] + ")"
		}
	}
	return text
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// isData reports whether a value of a type leads to nothing but the bytes of strings.
func isData(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer && u.Kind() != types.Invalid
	case *types.Array:
		return isData(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !isData(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// noteKnown notes that offTheStack need not be asked of a call.
func (c *function) noteKnown(call *ast.CallExpr) {
	if c.known == nil {
		c.known = make(map[*ast.CallExpr]bool)
	}
	c.known[call] = true
}

// numbersAddress reports whether a number is computed from an address that the expression converts.
// The compiler knows nothing of what other numbers lead to.
func (f *file) numbersAddress(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 && f.p.info.Types[call.Fun].IsType() && isUnsafePointer(f.p.typeOf(call.Args[0])) {
			found = true
		}
		return !found
	})
	return found
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

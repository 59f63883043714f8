package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
)

// What frames refer to on the stack is moved to the heap by the types of the references. So what has a type that does not tell, an
// unsafe.Pointer or the environment of a func value that was not rewritten, must not be on the stack. The compiler is told that what makes it returns
// something that is kept:
//
//	at := unsafe.Pointer(&p)    at := shadow.Kept(unsafe.Pointer(&p))
//
// An unsafe.Pointer that becomes another pointer at once is in no frame.

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
		if inner, ok := arg.(*ast.CallExpr); ok && isUnsafePointer(c.p.typeOf(arg)) {
			c.noteKnown(inner)
		}
	case tv.IsBuiltin(), c.p.facts.goOrDefer[call], c.p.facts.alone[call], c.isResume(call):
	default:
		if f := calledFunction(c.p.info, call); f != nil && c.p.Closure.Opaque(f) {
			switch n := f.Signature().Results().Len(); n {
			case 1:
				kept = "Kept"
			case 2, 3, 4:
				kept = fmt.Sprint("Kept", n)
			}
		}
	}
	if kept == "" {
		return "", false
	}
	text := c.shadow() + "." + kept + "(" + c.render(call) + ")"
	delete(c.known, call) // it may be written again
	return text, true
}

// noteKnown notes that offTheStack need not be asked of a call.
func (c *function) noteKnown(call *ast.CallExpr) {
	if c.known == nil {
		c.known = make(map[*ast.CallExpr]bool)
	}
	c.known[call] = true
}

// numbersAddress reports whether a number is computed from an address that the expression converts. The compiler knows nothing of what other
// numbers lead to.
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

package rewrite

import (
	"go/ast"
	"go/types"
)

// Some packages keep the compiler from seeing where an address goes, so that what it leads to can be on the stack:
//
//	func noescape(p unsafe.Pointer) unsafe.Pointer {
//		x := uintptr(p)
//		return unsafe.Pointer(x ^ 0)
//	}
//
// They know that nothing on the heap gets the address. When their functions are rewritten something can, as more is on the heap: what frames hold, and
// what is kept off the stack (opaque.go). A stack that is moved or left would take away what that leads to. So the compiler is told of an address
// that becomes a number that it is kept, if an address may be made of that number again:
//
//	x := uintptr(shadow.Kept(p))

// keptNumber returns the text of such a conversion.
func (c *function) keptNumber(call *ast.CallExpr) (string, bool) {
	if !c.hides(call) {
		return "", false
	}
	arg := call.Args[0]
	if inner, ok := ast.Unparen(arg).(*ast.CallExpr); ok {
		c.noteKnown(inner) // once is enough
	}
	return c.source(call.Pos(), arg.Pos()) + c.shadow() + ".Kept(" + c.render(arg) + ")" + c.source(arg.End(), call.End()), true
}

// hides reports whether an expression converts an address to a number of which the declaration that it stands in may make an address again. The
// compiler sees that itself where both conversions are in one expression.
func (f *file) hides(call *ast.CallExpr) bool {
	if f.hidden == nil {
		f.hidden = make(map[*ast.CallExpr]bool)
		if GeneratedByCgo(f.p.Pkg, f.name) {
			return false // which can't be rewritten, and is not in the closure
		}
		for _, d := range f.syntax.Decls {
			f.findHidden(d)
		}
	}
	return f.hidden[call]
}

func (f *file) findHidden(d ast.Decl) {
	var numbers []*ast.CallExpr
	back := false
	ast.Inspect(d, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !f.p.info.Types[call.Fun].IsType() {
			return true
		}
		arg := call.Args[0]
		from, to := f.p.typeOf(arg), f.p.typeOf(call.Fun)
		switch {
		case isUnsafePointer(from) && isNumber(to):
			numbers = append(numbers, call)
		case !isUnsafePointer(to):
		case isNumber(from):
			if f.numbersAddress(arg) {
				return false
			}
			back = true
		default: // the number is read as an address
			p, ok := from.Underlying().(*types.Pointer)
			back = back || ok && isNumber(p.Elem())
		}
		return true
	})
	if back {
		for _, call := range numbers {
			f.hidden[call] = true
		}
	}
}

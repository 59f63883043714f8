package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// Some packages keep the compiler from seeing where an address goes, so that what it leads to can
// be on the stack:
//
//	func noescape(p unsafe.Pointer) unsafe.Pointer {
//		x := uintptr(p)
//		return unsafe.Pointer(x ^ 0)
//	}
//
// They know that nothing on the heap gets the address. When their functions are rewritten something
// can, as more is on the heap: what frames hold, and what is kept off the stack (opaque.go). A
// stack that is moved or left would take away what that leads to. So the compiler is told of an
// address that becomes a number that it is kept, if an address may be made of that number again:
//
//	x := uintptr(shadow.Kept(p))
//
// But not if all that becomes of the address is that package reflect sets the variable which is
// there, at once and where no checkpoint is taken:
//
//	p := noescape(address)
//	reflect.NewAt(t, p).Elem().Set(v)

// keptNumber returns the text of such a conversion.
func (c *function) keptNumber(call *ast.CallExpr) (string, bool) {
	if !c.hides(call) {
		return "", false
	}
	arg := call.Args[0]
	if inner, ok := ast.Unparen(arg).(*ast.CallExpr); ok {
		c.noteKnown(inner) // once is enough
	}
	return c.render(call.Fun) + c.source(call.Fun.End(), arg.Pos()) + c.shadow() + ".Kept(" + c.render(arg) + ")" + c.source(arg.End(), call.End()), true
}

// hides reports whether an expression converts an address to a number of which the declaration that
// it stands in may make an address again. The compiler sees that itself where both conversions are
// in one expression.
func (f *file) hides(call *ast.CallExpr) bool {
	if f.hidden == nil {
		f.hidden = make(map[*ast.CallExpr]bool)
		if load.GeneratedByCgo(f.p.Pkg, f.name) {
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
	if back && len(numbers) > 0 && !f.p.onlySets(d) {
		for _, call := range numbers {
			f.hidden[call] = true
		}
	}
}

// onlySets reports whether a declaration is that of a function that returns the address which it
// hides, and the package uses what it returns for nothing but to set what is there by package
// reflect, which keeps the address of a variable nowhere else than in the Value that stands for it.
func (p *pkg) onlySets(d ast.Decl) bool {
	decl, ok := d.(*ast.FuncDecl)
	if !ok || decl.Recv != nil || decl.Name.IsExported() || !p.onlyConverts(decl) {
		return false
	}
	hides := p.info.Defs[decl.Name]
	results := make(map[types.Object]bool) // variables that are declared with what it returns
	only := true
	for _, file := range p.Pkg.Syntax {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			above := ancestors(stack)
			if id, ok := n.(*ast.Ident); ok {
				switch use := p.info.Uses[id]; {
				case use == nil:
				case results[use]:
					only = only && !p.pauses(above) && p.setsAt(above, id, 0)
				case use == hides:
					call, ok := above.parent(0).(*ast.CallExpr)
					only = only && ok && ast.Unparen(call.Fun) == id && !p.pauses(above)
					if v := p.declaredWith(above, call); v != nil {
						results[v] = true
					} else {
						only = only && p.setsAt(above, call, 1)
					}
				}
			}
			return true
		})
	}
	return only
}

// onlyConverts reports whether a function makes its parameter a number, and that an address which
// it returns, and does nothing else.
func (p *pkg) onlyConverts(decl *ast.FuncDecl) bool {
	if decl.Body == nil {
		return false
	}
	for _, s := range decl.Body.List {
		switch s := s.(type) {
		case *ast.ReturnStmt:
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				return false
			}
		default:
			return false
		}
	}
	calls := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !p.info.Types[call.Fun].IsType() {
			calls = true
		}
		return !calls
	})
	return !calls
}

// pauses reports whether a checkpoint can be taken in a function that a node is in.
func (p *pkg) pauses(above ancestors) bool {
	for _, n := range above {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			if p.Closure.Func(n) {
				return true
			}
		}
	}
	return false
}

// declaredWith returns the variable that is declared with the result of a call, which the innermost
// ancestor is, or nil.
func (p *pkg) declaredWith(above ancestors, call *ast.CallExpr) types.Object {
	s, ok := above.parent(1).(*ast.AssignStmt)
	if !ok || call == nil || s.Tok != token.DEFINE || len(s.Lhs) != 1 {
		return nil
	}
	return p.info.Defs[s.Lhs[0].(*ast.Ident)]
}

// setsAt reports whether the i-th ancestor of an expression makes it the address of a variable that
// is set at once.
func (p *pkg) setsAt(above ancestors, e ast.Expr, i int) bool {
	call, ok := above.parent(i).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || ast.Unparen(call.Args[1]) != e {
		return false
	}
	f := calledFunction(p.info, call)
	if f == nil || f.FullName() != "reflect.NewAt" {
		return false
	}
	elem, ok := above.parent(i + 1).(*ast.SelectorExpr)
	if !ok || elem.Sel.Name != "Elem" {
		return false
	}
	set, ok := above.parent(i + 3).(*ast.SelectorExpr)
	if !ok || !strings.HasPrefix(set.Sel.Name, "Set") {
		return false
	}
	_, ok = above.parent(i + 5).(*ast.ExprStmt)
	return ok
}

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Unsafe pointers are handed to functions of the package, and made before they are kept:
//
//	p := unsafe.Pointer(x)
//	insert(b, p)
//
//	func insert(b *bucket, p unsafe.Pointer) { b.item = p }
//
// The parameters of functions that are only called, and variables that are declared with such a pointer, are targets (pointees.go) that are
// registered with nothing.

// findParameters makes targets of parameters.
func (u *pointerUses) findParameters() {
	u.parameters = make(map[*types.Func][]*target)
	for _, file := range u.p.Pkg.Syntax {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Recv != nil || decl.Body == nil || decl.Name.IsExported() {
				continue
			}
			f, ok := u.p.info.Defs[decl.Name].(*types.Func)
			if !ok || f.Signature().Variadic() {
				continue
			}
			list, found := make([]*target, f.Signature().Params().Len()), false
			for i := range list {
				if v := f.Signature().Params().At(i); types.Identical(v.Type(), types.Typ[types.UnsafePointer]) {
					list[i], found = &target{}, true
					u.locals[v] = list[i]
				}
			}
			if found {
				u.parameters[f] = list
			}
		}
	}
}

// called looks at a use of a function by its name, which is a call or can't be followed.
func (u *pointerUses) called(f *types.Func, id *ast.Ident) {
	list := u.parameters[f]
	if list == nil {
		return
	}
	call, ok := u.parent(0).(*ast.CallExpr)
	ok = ok && ast.Unparen(call.Fun) == id && len(call.Args) == len(list)
	for i, t := range list {
		switch {
		case t == nil:
		case ok:
			u.writtenOne(t, call.Args[i])
		default:
			t.lost = true
		}
	}
}

// parameter returns the target that an argument of a call becomes, or nil.
func (u *pointerUses) parameter(call *ast.CallExpr, arg ast.Expr) *target {
	list := u.parameters[calledFunction(u.p.info, call)]
	for i, a := range call.Args {
		if ast.Unparen(a) == arg && i < len(list) {
			return list[i]
		}
	}
	return nil
}

// declares looks at a statement that declares variables with unsafe pointers that are made of others.
func (u *pointerUses) declares(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
		return
	}
	for i, rhs := range s.Rhs {
		call, ok := ast.Unparen(rhs).(*ast.CallExpr)
		if !ok || !u.p.info.Types[call.Fun].IsType() || !types.Identical(u.p.typeOf(call), types.Typ[types.UnsafePointer]) {
			continue
		}
		if _, ok := u.p.typeOf(call.Args[0]).Underlying().(*types.Pointer); !ok {
			continue
		}
		if v := u.p.info.Defs[s.Lhs[i].(*ast.Ident)]; v != nil {
			u.locals[v] = &target{local: true}
			u.writtenOne(u.locals[v], call)
		}
	}
}

// isCompared reports whether the address that is converted to an unsafe pointer becomes a number that is compared, and nothing else.
func (u *pointerUses) isCompared() bool {
	call, ok := u.parent(0).(*ast.CallExpr)
	if !ok || !u.p.info.Types[call.Fun].IsType() || !isNumber(u.p.typeOf(call)) {
		return false
	}
	compared, ok := u.parent(1).(*ast.BinaryExpr)
	return ok && (compared.Op == token.EQL || compared.Op == token.NEQ)
}

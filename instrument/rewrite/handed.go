package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Unsafe pointers are handed to functions of the package, and made before they are kept:
//
//	p := unsafe.Pointer(x)
//	insert(b, p)
//
//	func insert(b *bucket, p unsafe.Pointer) { b.item = p }
//
// The parameters of functions that are only called, and variables that are declared with such a
// pointer, are targets (pointees.go) that are registered with nothing. So are those that are
// addresses of unsafe pointers:
//
//	func load[T any](p *unsafe.Pointer) *bucket[T] { return (*bucket[T])(atomic.LoadPointer(p)) }
//
//	load[T](&t.first)
//
// What they point to leads to what the fields lead to whose addresses they are, and the other way
// round, as functions write by them.
//
// So are the results of such functions (results.go), and parameters and results of methods that are
// only called by their names.

// findParameters makes targets of parameters and results.
func (u *pointerUses) findParameters() {
	u.parameters, u.results = make(map[*types.Func][]*target), make(map[*types.Func][]*target)
	asked := u.askedMethods()
	for _, file := range u.p.Pkg.Syntax {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil || decl.Name.IsExported() {
				continue
			}
			f, ok := u.p.info.Defs[decl.Name].(*types.Func)
			if !ok || f.Signature().Variadic() || decl.Recv != nil && (asked[f.Name()] || len(typeParamsOf(f.Signature())) > 0) {
				continue
			}
			u.findResults(f)
			list, found := make([]*target, f.Signature().Params().Len()), false
			for i := range list {
				v := f.Signature().Params().At(i)
				isPlace := types.Identical(v.Type(), types.NewPointer(types.Typ[types.UnsafePointer]))
				if !isPlace && !types.Identical(v.Type(), types.Typ[types.UnsafePointer]) {
					continue
				}
				t := &target{}
				for p := range f.Signature().TypeParams().TypeParams() {
					t.params = append(t.params, p)
				}
				list[i], found = t, true
				if isPlace {
					t.place = true
					u.places[v] = t
				} else {
					u.locals[v], u.instances[v] = t, asTypes(t.params)
				}
			}
			if found {
				u.parameters[f] = list
			}
		}
	}
}

func asTypes(params []*types.TypeParam) (list []types.Type) {
	for _, p := range params {
		list = append(list, p)
	}
	return list
}

// called looks at a use of a function by its name, which is a call or can't be followed.
func (u *pointerUses) called(f *types.Func, id *ast.Ident) {
	list := u.parameters[f]
	if list == nil && u.results[f] == nil {
		return
	}
	i, fun := 0, ast.Node(id)
	if sel, ok := u.parent(i).(*ast.SelectorExpr); ok && sel.Sel == id {
		i, fun = i+1, sel
	}
	switch up := u.parent(i).(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		i, fun = i+1, up
	}
	call, ok := u.parent(i).(*ast.CallExpr)
	ok = ok && ast.Unparen(call.Fun) == fun && len(call.Args) == f.Signature().Params().Len()
	if !ok {
		call = nil
	}
	u.returned(f, call, i)
	for i, t := range list {
		switch {
		case t == nil:
		case !ok:
			t.lost = true
		case !t.place:
			u.instantiated(call, t, func() { u.writtenOne(t, call.Args[i]) })
		case !u.p.info.Types[call.Args[i]].IsNil():
			if !u.shares(call, t, u.pointed(call.Args[i])) {
				t.lost = true
			}
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

// becomes notes that what a target holds is an argument of a call, and reports whether that is a
// parameter that is a target.
func (u *pointerUses) becomes(t *target, call *ast.CallExpr, arg ast.Expr) (ok bool) {
	if to := u.parameter(call, arg); to != nil {
		u.instantiated(call, to, func() { ok = u.join(t, to) })
	}
	return ok
}

// shares notes that a parameter of a call is the address of what a target holds, and reports
// whether there is such a target.
func (u *pointerUses) shares(call *ast.CallExpr, parameter, t *target) (ok bool) {
	u.instantiated(call, parameter, func() { ok = u.join(parameter, t) && u.join(t, parameter) })
	return ok
}

// instantiated does something with the type arguments of a call for those of a parameter.
func (u *pointerUses) instantiated(call *ast.CallExpr, parameter *target, do func()) {
	if parameter.params == nil {
		do()
		return
	}
	before := u.arguments[parameter]
	defer func() { u.arguments[parameter] = before }()
	u.arguments[parameter] = nil
	if id := calledName(call); id != nil {
		for a := range u.p.info.Instances[id].TypeArgs.Types() {
			u.arguments[parameter] = append(u.arguments[parameter], a)
		}
	}
	if before != nil && !slices.EqualFunc(before, u.arguments[parameter], types.Identical) {
		parameter.lost = true // the function calls itself with others
	}
	do()
}

// calledName returns the name by which a function of the package is called.
func calledName(call *ast.CallExpr) *ast.Ident {
	id, _ := calledWithout(call).(*ast.Ident)
	return id
}

// address looks at a use of a parameter that is the address of an unsafe pointer.
func (u *pointerUses) address(t *target, id *ast.Ident) {
	switch up := u.parent(0).(type) {
	case *ast.StarExpr:
		u.place(t, up, 1)
		return
	case *ast.CallExpr:
		if len(up.Args) > 0 && ast.Unparen(up.Args[0]) == id && u.isAtomic(up) {
			u.atomic(t, up, 0)
			return
		}
		if to := u.parameter(up, id); to != nil && to.place {
			return // see called
		}
	case *ast.BinaryExpr:
		if up.Op == token.EQL || up.Op == token.NEQ {
			return
		}
	}
	t.lost = true
}

// declares looks at a statement that declares variables with unsafe pointers that are made of
// others.
func (u *pointerUses) declares(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
		return
	}
	for i, rhs := range s.Rhs {
		v, _ := u.p.info.Defs[s.Lhs[i].(*ast.Ident)].(*types.Var)
		call, ok := ast.Unparen(rhs).(*ast.CallExpr)
		switch {
		case v == nil || !ok:
		case u.isBuiltin(call, "make") && isManyPointers(u.p.typeOf(call)):
			u.addVariable(v, true)
		case u.p.info.Types[call.Fun].IsType() && types.Identical(u.p.typeOf(call), types.Typ[types.UnsafePointer]) && isPointer(u.p.typeOf(call.Args[0])):
			u.writtenOne(u.addVariable(v, true), call)
		}
	}
}

// declaresVariables looks at variables that are declared as unsafe pointers, or lists of them.
func (u *pointerUses) declaresVariables(s *ast.ValueSpec) {
	for i, name := range s.Names {
		v, ok := u.p.info.Defs[name].(*types.Var)
		if !ok {
			continue
		}
		t := u.variable(v)
		if t == nil && v.Parent() != u.p.types.Scope() {
			t = u.addVariable(v, true)
		}
		if t == nil {
			continue
		}
		switch len(s.Values) {
		case 0:
		case len(s.Names):
			u.written(t, s.Values[i])
		default:
			t.lost = true
		}
	}
}

// isCompared reports whether the address that is converted to an unsafe pointer becomes a number
// that is compared, and nothing else.
func (u *pointerUses) isCompared() bool {
	call, ok := u.parent(0).(*ast.CallExpr)
	if !ok || !u.p.info.Types[call.Fun].IsType() || !isNumber(u.p.typeOf(call)) {
		return false
	}
	compared, ok := u.parent(1).(*ast.BinaryExpr)
	return ok && (compared.Op == token.EQL || compared.Op == token.NEQ)
}

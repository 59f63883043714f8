package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Functions of the package return unsafe pointers that they have from fields, and generic ones
// convert them:
//
//	func (c *cache) load(key uintptr) unsafe.Pointer { return atomic.LoadPointer(&c.find(key).value) }
//
//	func (c *Cache[T]) Load(key uintptr) *T { return (*T)(c.cache.load(key)) }
//
// so that the code for it is compiled once. The results of functions that are only called are
// targets (pointees.go) that are registered with nothing: what is returned becomes what the call is
// used for. That is seen of functions that are not exported and of methods of types that are not
// generic, unless an interface has a method of that name, by which they could be called as well.

// askedMethods returns the names of methods that interfaces of the package have. (Those of another
// one have other names that are not exported.)
func (u *pointerUses) askedMethods() map[string]bool {
	asked := make(map[string]bool)
	for _, file := range u.p.Pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			if i, ok := n.(*ast.InterfaceType); ok {
				for _, m := range i.Methods.List {
					for _, name := range m.Names {
						asked[name.Name] = true
					}
				}
			}
			return true
		})
	}
	return asked
}

// findResults makes targets of the results of a function that have no names.
func (u *pointerUses) findResults(f *types.Func) {
	results := f.Signature().Results()
	list, found := make([]*target, results.Len()), false
	for i := range list {
		if v := results.At(i); v.Name() == "" && types.Identical(v.Type(), types.Typ[types.UnsafePointer]) {
			list[i], found = &target{}, true
		}
	}
	if found && f.Signature().TypeParams().Len() == 0 {
		u.results[f] = list
	}
}

// returns looks at a statement that returns from a function.
func (u *pointerUses) returns(s *ast.ReturnStmt) {
	for k, t := range u.results[u.enclosing()] {
		switch {
		case t == nil:
		case k < len(s.Results) && u.returnedAs(k, len(s.Results)) == t:
			u.writtenOne(t, s.Results[k])
		default: // the results of a call
			t.lost = true
		}
	}
}

// returnedAs returns the target that the k-th of n values becomes that the function at hand
// returns, or nil.
func (u *pointerUses) returnedAs(k, n int) *target {
	if list := u.results[u.enclosing()]; len(list) == n {
		return list[k]
	}
	return nil
}

// enclosing returns the declared function that a statement belongs to, or nil if it is one of a
// function literal.
func (u *pointerUses) enclosing() *types.Func {
	for _, n := range slices.Backward(u.above) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return nil
		case *ast.FuncDecl:
			f, _ := u.p.info.Defs[n.Name].(*types.Func)
			return f
		}
	}
	return nil
}

// returned looks at what is done with the results of a call of a function, the i-th of the nodes
// around; or at another use of its name, if call is nil.
func (u *pointerUses) returned(f *types.Func, call *ast.CallExpr, i int) {
	list := u.results[f]
	for k, t := range list {
		switch {
		case t == nil:
		case call == nil:
			t.lost = true
		case len(list) == 1:
			u.value(t, call, i+1)
		default:
			t.lost = t.lost || !u.declaredWith(t, k, len(list), u.parent(i+1))
		}
	}
}

// declaredWith reports whether a statement declares variables with n results of a call, of which a
// target is the k-th, or drops them.
func (u *pointerUses) declaredWith(t *target, k, n int, statement ast.Node) bool {
	switch s := statement.(type) {
	case *ast.ExprStmt:
		return true
	case *ast.AssignStmt:
		if len(s.Lhs) != n || s.Tok != token.DEFINE {
			return false
		}
		id := s.Lhs[k].(*ast.Ident)
		v := u.p.info.Defs[id]
		if v != nil {
			u.locals[v], u.instances[v] = t, u.arguments[t] // its uses follow, and are looked at like those of the result
		}
		return v != nil || id.Name == "_"
	}
	return false
}

// result returns the target that the one result of a call is, or nil.
func (u *pointerUses) result(call *ast.CallExpr) *target {
	if list := u.results[calledFunction(u.p.info, call)]; len(list) == 1 {
		return list[0]
	}
	return nil
}

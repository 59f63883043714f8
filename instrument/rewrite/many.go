package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A field can have many unsafe pointers that all lead to the same type, in a slice or an array:
//
//	type table struct { buckets []unsafe.Pointer } // of *bucket
//
//	(*bucket)(atomic.LoadPointer(&t.buckets[i]))    t.buckets[i] = unsafe.Pointer(b)
//
// Each of its uses must be that of an element as of a field with one (pointees.go), or one by which
// no other pointer comes into the list, and no list of them to where it is not known as such: by a
// local variable that is declared with it, for instance.

// isManyPointers reports whether a type is a slice or an array of unsafe pointers.
func isManyPointers(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Slice:
		return types.Identical(t.Elem(), types.Typ[types.UnsafePointer])
	case *types.Array:
		return types.Identical(t.Elem(), types.Typ[types.UnsafePointer])
	}
	return false
}

// list looks at what uses an expression that is the list of a target: the node above it, the i-th
// of those around.
func (u *pointerUses) list(t *target, e ast.Expr, i int) {
	switch up := u.parent(i).(type) {
	case *ast.IndexExpr:
		if ast.Unparen(up.X) == e {
			u.place(t, up, i+1)
			return
		}
	case *ast.SliceExpr:
		if ast.Unparen(up.X) == e {
			u.list(t, up, i+1)
			return
		}
	case *ast.CallExpr:
		if u.listInCall(t, e, up, i) {
			return
		}
	case *ast.RangeStmt:
		if ast.Unparen(up.X) == e && (up.Value == nil || up.Tok == token.DEFINE) {
			if id, ok := up.Value.(*ast.Ident); ok && u.p.info.Defs[id] != nil {
				u.locals[u.p.info.Defs[id]], u.instances[u.p.info.Defs[id]] = t, u.arguments[t]
			}
			return
		}
	case *ast.AssignStmt:
		for k := range up.Lhs {
			switch {
			case len(up.Lhs) != len(up.Rhs):
			case ast.Unparen(up.Lhs[k]) == e:
				if up.Tok == token.ASSIGN {
					u.writtenList(t, up.Rhs[k])
					return
				}
			case ast.Unparen(up.Rhs[k]) != e:
			case up.Tok == token.DEFINE:
				if v := u.p.info.Defs[up.Lhs[k].(*ast.Ident)]; v != nil {
					u.lists[v], u.instances[v] = t, u.arguments[t] // its uses follow, and are looked at like those of the field
					return
				}
			case u.join(t, u.listed(up.Lhs[k])):
				return
			}
		}
	case *ast.KeyValueExpr:
		if key, ok := up.Key.(*ast.Ident); ok && ast.Unparen(up.Value) == e && u.join(t, u.fieldTarget(u.p.info.Uses[key])) {
			return
		}
	case *ast.BinaryExpr:
		return // it is compared
	}
	t.lost = true
}

// listInCall reports whether a call that has a list among its arguments is one of a built-in
// function by which nothing else comes into it.
func (u *pointerUses) listInCall(t *target, e ast.Expr, call *ast.CallExpr, i int) bool {
	switch {
	case u.isBuiltin(call, "len", "cap", "clear"):
		return true
	case u.isBuiltin(call, "copy"):
		return u.join(t, u.listed(call.Args[0])) && u.join(t, u.listed(call.Args[1]))
	case !u.isBuiltin(call, "append"):
		return false
	case ast.Unparen(call.Args[0]) != e:
		return u.join(t, u.listed(call.Args[0])) // all of it is appended
	}
	for _, a := range call.Args[1:] {
		if !call.Ellipsis.IsValid() {
			u.writtenOne(t, a)
		} else if !u.join(t, u.listed(a)) {
			return false
		}
	}
	u.list(t, call, i+1)
	return true
}

// writtenList notes that a list becomes the value of an expression.
func (u *pointerUses) writtenList(t *target, value ast.Expr) {
	value = ast.Unparen(value)
	if u.p.info.Types[value].IsNil() || u.join(t, u.listed(value)) {
		return
	}
	switch value := value.(type) {
	case *ast.CompositeLit:
		for _, e := range value.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			u.writtenOne(t, e)
		}
		return
	case *ast.CallExpr:
		if u.isBuiltin(value, "make") {
			return
		}
	}
	t.lost = true
}

// listed returns the target of which an expression is the list, or a part of it, or nil.
func (u *pointerUses) listed(e ast.Expr) *target {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return u.lists[u.p.info.Uses[e]]
	case *ast.SelectorExpr:
		if t := u.fieldTarget(u.p.info.Uses[e.Sel]); t != nil && t.many {
			return t
		}
	case *ast.SliceExpr:
		return u.listed(e.X)
	case *ast.CallExpr:
		if u.isBuiltin(e, "append") {
			return u.listed(e.Args[0])
		}
	}
	return nil
}

// isBuiltin reports whether a call is one of the named built-in functions.
func (u *pointerUses) isBuiltin(call *ast.CallExpr, names ...string) bool {
	if !u.p.info.Types[call.Fun].IsBuiltin() {
		return false
	}
	for _, name := range names {
		if builtinName(call.Fun) == name {
			return true
		}
	}
	return false
}

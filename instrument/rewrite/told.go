package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
)

// A package that keeps the words of an interface in a struct of its own has an unsafe pointer whose
// type another field describes, and perhaps a string or slice of bytes without its header:
//
//	type value struct {
//		typ, ptr unsafe.Pointer
//		num      uint64
//	}
//
//	value{typ: w.typ, ptr: w.data}                                    words{v.typ, v.ptr}
//	value{typ: text, ptr: unsafe.Pointer(unsafe.StringData(s)), …}    unsafe.String((*byte)(v.ptr), v.num)
//
// where words is a struct of the two words of an interface. Such a field is registered with those
// that tell what it leads to. All its uses must be of these forms.

// describedBy notes that the field typ describes the type of what a target leads to.
func (t *target) describedBy(typ *types.Var) {
	if t.typ != "" && t.typ != typ.Name() {
		t.lost = true
	}
	t.typ = typ.Name()
}

// countedBy notes that the field num is the number of bytes that a target leads to.
func (t *target) countedBy(num *types.Var) {
	if t.count != "" && t.count != num.Name() {
		t.lost = true
	}
	t.count = num.Name()
}

// told reports whether other fields tell what a target leads to, and nothing else does.
func (t *target) told() bool {
	return !t.lost && t.to == nil && t.among == nil && t.typ != "" && (!t.bytes || t.count != "")
}

// toldWord looks whether the value of a field, which sel selects, becomes the data word of an
// interface or the bytes of a string or slice.
func (u *pointerUses) toldWord(t *target, sel *ast.SelectorExpr) bool {
	x := u.variableOf(sel)
	if x == nil {
		return false
	}
	i := 1
	if _, ok := u.parent(i).(*ast.KeyValueExpr); ok {
		i++
	}
	switch up := u.parent(i).(type) {
	case *ast.CompositeLit:
		typ, data := u.wordsOf(up)
		if data != sel {
			return false
		}
		if f := u.fieldOf(typ, x); f != nil && f.Type() == types.Typ[types.UnsafePointer] {
			t.describedBy(f)
			return true
		}
	case *ast.CallExpr: // (*byte)(v.ptr)
		if p, ok := u.p.info.Types[up.Fun].Type.(*types.Pointer); !ok || !u.p.info.Types[up.Fun].IsType() || !types.Identical(p.Elem(), types.Typ[types.Byte]) {
			return false
		}
		call, ok := u.parent(i + 1).(*ast.CallExpr)
		if !ok || len(call.Args) != 2 || ast.Unparen(call.Args[0]) != up || !u.p.isUnsafe(call, "String", "Slice") {
			return false
		}
		if f := u.fieldOf(call.Args[1], x); f != nil && isCount(f.Type()) {
			t.countedBy(f)
			t.bytes = true
			return true
		}
	}
	return false
}

// isDataWord reports whether an expression selects the data word of an interface.
func (u *pointerUses) isDataWord(sel *ast.SelectorExpr) bool {
	f, ok := u.p.info.Uses[sel.Sel].(*types.Var)
	if !ok || !f.IsField() {
		return false
	}
	of := u.p.typeOf(sel.X)
	if p, ok := of.Underlying().(*types.Pointer); ok {
		of = p.Elem()
	}
	st, ok := of.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	_, data := interfaceWords(st)
	return data >= 0 && st.Field(data) == f
}

// toldBytes looks whether a target is set to the bytes of a string or slice.
func (u *pointerUses) toldBytes(t *target, call *ast.CallExpr) bool {
	data, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr) // unsafe.Pointer(unsafe.StringData(s))
	if ok && u.p.isUnsafe(data, "StringData", "SliceData") && types.Identical(u.p.typeOf(data), types.NewPointer(types.Typ[types.Byte])) {
		t.bytes = true
		return true
	}
	return false
}

// variableOf returns the variable of which sel selects a field, or nil if it is something else.
func (u *pointerUses) variableOf(sel *ast.SelectorExpr) types.Object {
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := u.p.info.Uses[id].(*types.Var)
	if !ok {
		return nil
	}
	return v
}

// fieldOf returns the field of the variable x that an expression is, or nil.
func (u *pointerUses) fieldOf(e ast.Expr, x types.Object) *types.Var {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || u.variableOf(sel) != x {
		return nil
	}
	f, ok := u.p.info.Uses[sel.Sel].(*types.Var)
	if !ok || !f.IsField() {
		return nil
	}
	return f
}

// wordsOf returns the words that a literal of the words of an interface has, or nil.
func (u *pointerUses) wordsOf(lit *ast.CompositeLit) (typ, data ast.Expr) {
	st, ok := u.p.typeOf(lit).Underlying().(*types.Struct)
	if !ok {
		return nil, nil
	}
	first, second := interfaceWords(st)
	if first < 0 {
		return nil, nil
	}
	for i, e := range lit.Elts {
		f := st.Field(i)
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			f, e = u.p.info.Uses[kv.Key.(*ast.Ident)].(*types.Var), kv.Value
		}
		switch f {
		case st.Field(first):
			typ = ast.Unparen(e)
		case st.Field(second):
			data = ast.Unparen(e)
		}
	}
	if typ == nil {
		return nil, nil
	}
	return typ, data
}

// interfaceWords returns which fields of a struct are the words of an interface, if it has these
// and nothing else but what has no size; or -1.
func interfaceWords(st *types.Struct) (typ, data int) {
	typ, data = -1, -1
	for i := range st.NumFields() {
		f := st.Field(i)
		switch {
		case isEmptyArray(f.Type()):
		case f.Type() != types.Typ[types.UnsafePointer] || data >= 0:
			return -1, -1
		case typ < 0:
			typ = i
		default:
			data = i
		}
	}
	if data < 0 {
		return -1, -1
	}
	return typ, data
}

func isEmptyArray(t types.Type) bool {
	a, ok := t.Underlying().(*types.Array)
	return ok && a.Len() == 0
}

// isUnsafe reports whether a call is one of the named functions of package unsafe.
func (p *pkg) isUnsafe(call *ast.CallExpr, names ...string) bool {
	fun := ast.Unparen(call.Fun)
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		fun = sel.Sel
	}
	id, ok := fun.(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := p.info.Uses[id].(*types.Builtin)
	return ok && b.Pkg() == types.Unsafe && slices.Contains(names, b.Name())
}

// isCount reports whether a number of bytes can be read from a field of a type.
func isCount(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch b.Kind() {
	case types.Int, types.Int64, types.Uint, types.Uint64, types.Uintptr:
		return true
	}
	return false
}

// viewed reports whether a pointer to one of the structs of a target is converted to another type,
// by which its fields could be set.
func (u *pointerUses) viewed(t *target) bool {
	for _, of := range t.of {
		for _, call := range u.casts {
			if p, ok := u.p.typeOf(call.Args[0]).Underlying().(*types.Pointer); ok && types.Identical(p.Elem(), of) {
				return true
			}
		}
	}
	return false
}

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// An unsafe.Pointer does not tell what it leads to, but a package that keeps one often does, as each use of it
// is a conversion to one and the same type:
//
//	type DB struct { root unsafe.Pointer } // *tree
//
//	(*tree)(atomic.LoadPointer(&db.root))    atomic.StorePointer(&db.root, unsafe.Pointer(t))
//
// Such fields, and types declared as unsafe.Pointer that are used so, are registered with that type, so that what they
// lead to can be saved. The field or type must not be exported, so that the package has all its uses; every
// use must be one of those known here, also by way of a local variable that is declared with the value; and no pointer to the struct may be converted to another type.

// A pointee is the type of what an unsafe pointer leads to.
type pointee struct {
	of    types.Type // a struct, or a type declared as unsafe.Pointer
	field string     // of the struct
	to    types.Type // nil: the fields typ and count tell

	typ, count string // see told.go
}

// A target is what is known of a field or a type.
type target struct {
	of    []types.Type // a type can be declared as another one, whose fields are its own
	field string
	to    types.Type
	lost  bool // it is used otherwise

	typ, count string // fields that tell what it leads to
	bytes      bool   // it can be the bytes of a string or slice
}

func (t *target) leadsTo(to types.Type) {
	if named, ok := types.Unalias(to).(*types.Named); !ok || named.TypeArgs().Len() > 0 || !isStruct(named) || t.to != nil && !types.Identical(t.to, to) {
		t.lost = true
		return
	}
	t.to = to
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// pointees returns those of the package, ordered.
func (p *pkg) pointees() []pointee {
	targets := make(map[types.Object]*target)
	var order []*target
	scope := p.types.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			continue
		}
		add := func(key types.Object, field string) {
			if targets[key] == nil {
				targets[key] = &target{field: field}
				order = append(order, targets[key])
			}
			targets[key].of = append(targets[key].of, named)
		}
		switch u := named.Underlying().(type) {
		case *types.Basic:
			if u.Kind() == types.UnsafePointer && !obj.Exported() {
				add(obj, "")
			}
		case *types.Struct:
			for i := range u.NumFields() {
				if f := u.Field(i); !f.Exported() && types.Identical(f.Type(), types.Typ[types.UnsafePointer]) {
					add(f, f.Name())
				}
			}
		}
	}
	if len(targets) == 0 {
		return nil
	}
	u := &pointerUses{p: p, targets: targets, locals: make(map[types.Object]*target), known: make(map[*ast.CallExpr]bool)}
	for _, file := range p.Pkg.Syntax {
		u.above = nil
		ast.Inspect(file, u.visit)
	}
	var list []pointee
	for _, t := range order {
		isOne := t.to != nil && t.typ == "" && !t.bytes && !t.lost && !u.recast(t.to)
		if !isOne && (!t.told() || u.viewed(t)) {
			continue
		}
		for _, of := range t.of {
			list = append(list, pointee{of, t.field, t.to, t.typ, t.count})
		}
	}
	return list
}

// pointerUses finds the uses of the targets.
type pointerUses struct {
	p       *pkg
	targets map[types.Object]*target
	locals  map[types.Object]*target // variables that are declared with the value of a field
	above   []ast.Node
	known   map[*ast.CallExpr]bool // conversions unsafe.Pointer(t) whose result goes to a target
	casts   []*ast.CallExpr        // all conversions unsafe.Pointer(t)
}

// recast reports whether a pointer to a type is converted for something else than to be kept.
func (u *pointerUses) recast(to types.Type) bool {
	for _, call := range u.casts {
		if p, ok := u.p.typeOf(call.Args[0]).Underlying().(*types.Pointer); ok && !u.known[call] && types.Identical(p.Elem(), to) {
			return true
		}
	}
	return false
}

func (u *pointerUses) visit(n ast.Node) bool {
	if n == nil {
		u.above = u.above[:len(u.above)-1]
		return true
	}
	switch n := n.(type) {
	case *ast.Ident:
		if t := u.targets[u.p.info.Uses[n]]; t != nil && t.field != "" {
			u.field(t, n)
		}
		if t := u.locals[u.p.info.Uses[n]]; t != nil {
			u.value(t, n, u.parent(0))
		}
	case *ast.CallExpr:
		u.conversion(n)
	case *ast.CompositeLit:
		if st, ok := u.p.typeOf(n).Underlying().(*types.Struct); ok {
			for i, e := range n.Elts {
				if _, ok := e.(*ast.KeyValueExpr); !ok && u.targets[st.Field(i)] != nil {
					u.written(u.targets[st.Field(i)], e)
				}
			}
		}
	}
	u.above = append(u.above, n)
	return true
}

// parent returns the i-th node above that is no parenthesis, and what of it the node is in.
func (u *pointerUses) parent(i int) ast.Node {
	for k := len(u.above) - 1; k >= 0; k-- {
		if _, ok := u.above[k].(*ast.ParenExpr); ok {
			continue
		}
		if i == 0 {
			return u.above[k]
		}
		i--
	}
	return nil
}

// conversion looks at a conversion from or to a type that is declared as unsafe.Pointer.
func (u *pointerUses) conversion(call *ast.CallExpr) {
	tv := u.p.info.Types[call.Fun]
	if !tv.IsType() || len(call.Args) != 1 {
		return
	}
	from := u.p.typeOf(call.Args[0])
	if types.Identical(tv.Type, types.Typ[types.UnsafePointer]) {
		u.casts = append(u.casts, call)
	}
	if t := u.declared(from); t != nil && !types.Identical(from, tv.Type) {
		u.read(t, tv.Type)
	}
	if t := u.declared(tv.Type); t != nil && !types.Identical(from, tv.Type) {
		if p, ok := from.Underlying().(*types.Pointer); ok {
			t.leadsTo(p.Elem())
		} else if b, ok := from.Underlying().(*types.Basic); !ok || b.Kind() != types.Uintptr {
			u.written(t, call.Args[0])
		}
	}
}

func (u *pointerUses) declared(t types.Type) *target {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return u.targets[named.Obj()]
	}
	return nil
}

// read notes that what a target holds is converted.
func (u *pointerUses) read(t *target, to types.Type) {
	switch to := to.Underlying().(type) {
	case *types.Pointer:
		t.leadsTo(to.Elem())
	case *types.Basic:
		t.lost = t.lost || to.Kind() != types.Uintptr
	default:
		t.lost = true
	}
}

// written notes that a target is set to a value.
func (u *pointerUses) written(t *target, value ast.Expr) {
	value = ast.Unparen(value)
	if u.p.info.Types[value].IsNil() {
		return
	}
	call, ok := value.(*ast.CallExpr)
	if ok && u.p.info.Types[call.Fun].IsType() && types.Identical(u.p.typeOf(call), types.Typ[types.UnsafePointer]) {
		if p, ok := u.p.typeOf(call.Args[0]).Underlying().(*types.Pointer); ok {
			if u.toldValue(t, call) {
				return
			}
			u.known[call] = true
			t.leadsTo(p.Elem())
			return
		}
	}
	t.lost = t.lost || !u.toldValue(t, value)
}

// field looks at a use of a field.
func (u *pointerUses) field(t *target, id *ast.Ident) {
	if kv, ok := u.parent(0).(*ast.KeyValueExpr); ok && kv.Key == id {
		u.written(t, kv.Value)
		return
	}
	sel, ok := u.parent(0).(*ast.SelectorExpr)
	if !ok || sel.Sel != id {
		t.lost = true
		return
	}
	if u.toldWord(t, sel) {
		return
	}
	switch up := u.parent(1).(type) {
	case *ast.UnaryExpr:
		call, ok := u.parent(2).(*ast.CallExpr)
		f := calledFunctionOf(u.p.info, call)
		if up.Op != token.AND || !ok || f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || ast.Unparen(call.Args[0]) != up {
			t.lost = true
			return
		}
		for _, a := range call.Args[1:] {
			u.written(t, a)
		}
		if f.Name() == "LoadPointer" || f.Name() == "SwapPointer" {
			u.value(t, call, u.parent(3))
		}
	case *ast.AssignStmt:
		for i, lhs := range up.Lhs {
			if ast.Unparen(lhs) == sel && up.Tok == token.ASSIGN && len(up.Lhs) == len(up.Rhs) {
				u.written(t, up.Rhs[i])
				return
			}
		}
		u.value(t, sel, up)
	default:
		u.value(t, sel, up)
	}
}

// value looks at what an expression that is the value of a field is part of.
func (u *pointerUses) value(t *target, e ast.Expr, in ast.Node) {
	switch in := in.(type) {
	case *ast.CallExpr:
		if tv := u.p.info.Types[in.Fun]; tv.IsType() && ast.Unparen(in.Args[0]) == e {
			u.read(t, tv.Type)
			return
		}
	case *ast.BinaryExpr:
		if (in.Op == token.EQL || in.Op == token.NEQ) && (u.p.info.Types[in.X].IsNil() || u.p.info.Types[in.Y].IsNil()) {
			return
		}
	case *ast.AssignStmt:
		// The uses of the variable follow, and are looked at like those of the field.
		if in.Tok == token.DEFINE && len(in.Lhs) == 1 && ast.Unparen(in.Rhs[0]) == e {
			u.locals[u.p.info.Defs[in.Lhs[0].(*ast.Ident)]] = t
			return
		}
	case *ast.ExprStmt:
		return
	}
	t.lost = true
}

// calledFunctionOf is calledFunction for what may be no call.
func calledFunctionOf(info *types.Info, call *ast.CallExpr) *types.Func {
	if call == nil {
		return nil
	}
	return calledFunction(info, call)
}

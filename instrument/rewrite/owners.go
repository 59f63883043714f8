package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"sort"
)

// A field that leads to one of several types, as in among.go, may be told by the generic struct
// that the struct with the field belongs to:
//
//	type table[K, V any] struct{ buckets []bucket }
//
// A bucket of a table[string, int] has nothing but entries of these types if buckets do not come
// from one instance of the package's code to another. They do not, if
//
//   - nothing but such structs, which are the family, and generic ones, their owners, has them in it, or leads to them, as elements of arrays and slices at most;
//   - each function that has to do with them has no other instances of what they have to do with than those of its own type parameters,
//     in their order, and one without type parameters has none;
//   - they come back from no interface, no type parameter, and no unsafe pointer of which it is not known that it leads to them;
//   - an owner is not converted to another instance of itself.
//
// All of it is seen in one package: neither the family nor the owners are exported, and no exported
// name has the family in its type.

// A family is a struct with such a field, the structs that it is a part of, and what has to do with
// them.
type family struct {
	u       *pointerUses
	members map[*types.TypeName]bool
	owners  map[*types.TypeName]bool
	generic map[*types.TypeName]bool // owners, what the field leads to, and the types of which methods touch the family
	touches map[*types.Func]bool     // functions that have values of members, or pointers to them
}

// owners returns the generic structs that tell what a target leads to, and the name of that with
// their type arguments as $i; none if nothing does.
func (u *pointerUses) owners(t *target) (list []*types.TypeName, leads string) {
	if u.p.InLibrary || len(t.of) != 1 || t.params != nil {
		return nil, ""
	}
	to, args := types.Unalias(t.among[0]), []*types.TypeParam(nil)
	named, ok := to.(*types.Named)
	if !ok {
		return nil, ""
	}
	for arg := range named.TypeArgs().Types() {
		p, ok := types.Unalias(arg).(*types.TypeParam)
		if !ok || slices.Contains(args, p) {
			return nil, ""
		}
		args = append(args, p)
	}
	for _, other := range t.among {
		if n, ok := types.Unalias(other).(*types.Named); !ok || n.Origin() != named.Origin() {
			return nil, ""
		}
	}
	f := &family{u: u, members: make(map[*types.TypeName]bool), owners: make(map[*types.TypeName]bool), generic: map[*types.TypeName]bool{named.Origin().Obj(): true}, touches: make(map[*types.Func]bool)}
	f.members[types.Unalias(t.of[0]).(*types.Named).Obj()] = true
	if !f.isStored() || len(f.owners) == 0 || !f.comesBack() || !f.staysApart() {
		return nil, ""
	}
	for o := range f.owners {
		list = append(list, o)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
	return list, u.p.template(named, args)
}

// isStored finds the members and owners, and reports whether nothing else has members, or leads to
// them.
func (f *family) isStored() bool {
	var structs []*types.Named
	sound := true
	for id, obj := range f.u.p.info.Defs {
		name, ok := obj.(*types.TypeName)
		if !ok || name.IsAlias() || id.Name == "_" {
			continue
		}
		if named, ok := name.Type().(*types.Named); ok {
			structs = append(structs, named)
		}
	}
	fields := func(named *types.Named, look func(*types.Var, types.Type)) {
		if st, ok := named.Underlying().(*types.Struct); ok {
			for v := range st.Fields() {
				look(v, v.Type())
			}
		}
	}
	for more := true; more; {
		more = false
		for _, named := range structs {
			fields(named, func(_ *types.Var, t types.Type) {
				if !f.members[named.Obj()] && named.TypeParams().Len() == 0 && f.isMember(inArrays(t)) {
					f.members[named.Obj()] = true
					more = true
				}
			})
		}
	}
	for _, named := range structs {
		obj := named.Obj()
		if f.members[obj] && (obj.Exported() || obj.Parent() != f.u.p.types.Scope()) {
			return false
		}
		if !isStruct(named) {
			sound = sound && !f.isMentioned(named.Underlying())
			continue
		}
		fields(named, func(v *types.Var, t types.Type) {
			if !f.isMentioned(t) {
				sound = sound && (isUnsafePointer(t) || isManyPointers(t) || !mentionsUnsafe(t)) // those are targets
				return
			}
			for {
				switch u := types.Unalias(t).(type) {
				case *types.Pointer:
					t = u.Elem()
					continue
				case *types.Slice:
					t = u.Elem()
					continue
				case *types.Array:
					t = u.Elem()
					continue
				}
				break
			}
			switch {
			case !f.isMember(t), v.Exported(), named.TypeParams().Len() > 0 && obj.Exported():
				sound = false
			case named.TypeParams().Len() > 0 && obj.Parent() == f.u.p.types.Scope():
				f.owners[obj], f.generic[obj] = true, true
			default:
				sound = sound && f.members[obj]
			}
		})
	}
	for _, name := range f.u.p.types.Scope().Names() {
		if v, ok := f.u.p.types.Scope().Lookup(name).(*types.Var); ok && (f.isMentioned(v.Type()) || mentionsUnsafe(v.Type())) {
			return false
		}
	}
	return sound
}

// comesBack reports whether all unsafe pointers that can lead to members are known, and are fields
// of members and owners, and no interface is asked for them.
func (f *family) comesBack() bool {
	for _, t := range f.u.targets {
		for _, of := range t.of {
			named, ok := types.Unalias(of).(*types.Named)
			in := ok && (f.members[named.Obj()] || f.owners[named.Obj()])
			leadsOut := isStruct(of) && (t.to != nil && !f.isMentioned(t.to) || f.u.isOneOf(t) && !slices.ContainsFunc(t.among, f.isMentioned))
			if t.lost || !in && !leadsOut {
				return false
			}
		}
	}
	sound := true
	for _, file := range f.u.p.Pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				sound = sound && (n.Type == nil || !f.hides(f.u.p.typeOf(n.Type)))
			case *ast.TypeSwitchStmt:
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						sound = sound && (f.u.p.typeOf(e) == nil || !f.hides(f.u.p.typeOf(e)))
					}
				}
			case *ast.Ident:
				for arg := range f.u.p.info.Instances[n].TypeArgs.Types() {
					sound = sound && !f.isMentioned(arg)
				}
			case *ast.CallExpr:
				sound = sound && f.isKnown(n)
			}
			return sound
		})
	}
	return sound
}

// hides reports whether what is asked of an interface by a type may be a member, or lead to one.
func (f *family) hides(t types.Type) bool { return f.isMentioned(t) || mentionsUnsafe(t) }

// isKnown reports whether a call gives no unsafe pointer that comes from elsewhere, and converts no
// owner.
func (f *family) isKnown(call *ast.CallExpr) bool {
	info := f.u.p.info
	if tv := info.Types[call.Fun]; tv.IsType() {
		from := f.u.p.typeOf(call.Args[0])
		if isUnsafePointer(tv.Type) {
			_, pointer := from.Underlying().(*types.Pointer)
			return pointer || isUnsafePointer(from)
		}
		named, ok := types.Unalias(deref(tv.Type)).(*types.Named)
		return !ok || !f.owners[named.Origin().Obj()] || types.Identical(from, tv.Type)
	}
	fn := calledFunction(info, call)
	return fn == nil || fn.Pkg() == nil || fn.Pkg() == f.u.p.types || fn.Pkg().Path() == "sync/atomic" || !mentionsUnsafe(fn.Signature().Results())
}

// staysApart reports whether no function brings what has some type arguments together with what has
// others.
func (f *family) staysApart() bool {
	each := func(look func(fn *types.Func, decl *ast.FuncDecl) bool) bool {
		for _, file := range f.u.p.Pkg.Syntax {
			for _, d := range file.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok {
					if fn, ok := f.u.p.info.Defs[decl.Name].(*types.Func); ok && !look(fn, decl) {
						return false
					}
				}
			}
		}
		return true
	}
	each(func(fn *types.Func, decl *ast.FuncDecl) bool {
		f.eachType(decl, func(t types.Type) bool {
			if f.isMentioned(t) {
				f.touches[fn] = true
				if recv := fn.Signature().Recv(); recv != nil {
					if named, ok := types.Unalias(deref(recv.Type())).(*types.Named); ok && named.TypeArgs().Len() > 0 {
						f.generic[named.Origin().Obj()] = true
					}
				}
			}
			return !f.touches[fn]
		})
		return true
	})
	return each(func(fn *types.Func, decl *ast.FuncDecl) bool {
		if fn.Exported() && f.isMentioned(fn.Signature()) {
			return false
		}
		if !f.touches[fn] {
			return true
		}
		params := typeParamsOf(fn.Signature())
		own := func(args *types.TypeList) bool {
			if len(params) == 0 || args.Len() != len(params) {
				return false
			}
			for i, p := range params {
				if types.Unalias(args.At(i)) != p {
					return false
				}
			}
			return true
		}
		sound := true
		f.eachType(decl, func(t types.Type) bool {
			eachNamed(t, func(n *types.Named) {
				sound = sound && (!f.generic[n.Origin().Obj()] || n.TypeArgs() == nil || own(n.TypeArgs())) // nil: its name alone, before the arguments
			})
			return sound
		})
		ast.Inspect(decl, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if callee, ok := f.u.p.info.Uses[id].(*types.Func); ok && f.touches[callee.Origin()] {
					if in, ok := f.u.p.info.Instances[id]; ok {
						sound = sound && own(in.TypeArgs)
					}
				}
			}
			return sound
		})
		return sound
	})
}

// eachType calls a function with the types of what a declaration has in it, until it returns false.
func (f *family) eachType(decl *ast.FuncDecl, look func(types.Type) bool) {
	more := true
	ast.Inspect(decl, func(n ast.Node) bool {
		var t types.Type
		switch n := n.(type) {
		case *ast.Ident:
			switch obj := f.u.p.info.ObjectOf(n).(type) {
			case *types.Var:
				t = obj.Type()
			case *types.TypeName:
				t = obj.Type()
			} // the name of a generic function has the type without its arguments
		case ast.Expr:
			t = f.u.p.typeOf(n)
		}
		if more && t != nil {
			more = look(t)
		}
		return more
	})
}

// isMember reports whether a type is a member.
func (f *family) isMember(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && f.members[named.Obj()]
}

// isMentioned reports whether a type has a member's name in it.
func (f *family) isMentioned(t types.Type) (found bool) {
	eachNamed(t, func(n *types.Named) { found = found || f.members[n.Obj()] })
	return found
}

// inArrays returns the type of the elements of the innermost array, or the type itself if it is
// none.
func inArrays(t types.Type) types.Type {
	for {
		a, ok := types.Unalias(t).(*types.Array)
		if !ok {
			return t
		}
		t = a.Elem()
	}
}

// eachNamed calls a function with the declared types that a type names.
func eachNamed(t types.Type, look func(*types.Named)) {
	eachPart(t, func(t types.Type) {
		if named, ok := t.(*types.Named); ok {
			look(named)
		}
	})
}

// mentionsUnsafe reports whether a type has unsafe pointers in it, other than those of declared
// types.
func mentionsUnsafe(t types.Type) (found bool) {
	eachPart(t, func(t types.Type) { found = found || types.Identical(t, types.Typ[types.UnsafePointer]) })
	return found
}

// eachPart calls a function with a type and all that it names.
func eachPart(t types.Type, look func(types.Type)) {
	t = types.Unalias(t)
	look(t)
	switch t := t.(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			eachPart(arg, look)
		}
	case *types.Pointer:
		eachPart(t.Elem(), look)
	case *types.Slice:
		eachPart(t.Elem(), look)
	case *types.Array:
		eachPart(t.Elem(), look)
	case *types.Chan:
		eachPart(t.Elem(), look)
	case *types.Map:
		eachPart(t.Key(), look)
		eachPart(t.Elem(), look)
	case *types.Signature:
		eachPart(t.Params(), look)
		eachPart(t.Results(), look)
	case *types.Tuple:
		for v := range t.Variables() {
			eachPart(v.Type(), look)
		}
	case *types.Struct:
		for v := range t.Fields() {
			eachPart(v.Type(), look)
		}
	case *types.Interface:
		for m := range t.Methods() {
			eachPart(m.Signature(), look)
		}
	}
}

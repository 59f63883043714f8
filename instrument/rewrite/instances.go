package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// What a field of a generic struct leads to can depend on its type parameters:
//
//	type pointer[T any] struct { p unsafe.Pointer } // *T
//
//	func (x *pointer[E]) Load() *E { return (*E)(atomic.LoadPointer(&x.p)) }
//
// So what its uses tell is noted in terms of the type parameters of the struct, which each function
// has its own names for, or those that it is used with. The instances of a type are known only when
// a checkpoint is taken. So their names are registered, and how the name of what is led to is made
// of their type arguments.

// enters finds what the type parameters of targets are in a declaration of the package. There must
// be one answer, as what is noted by way of local variables does not tell which instance of a
// struct it has come from.
func (u *pointerUses) enters(decl ast.Decl) {
	u.arguments = make(map[*target][]types.Type)
	if f, ok := decl.(*ast.FuncDecl); ok {
		f, _ := u.p.info.Defs[f.Name].(*types.Func)
		for _, t := range u.parameters[f] {
			if t != nil {
				u.arguments[t] = asTypes(t.params)
			}
		}
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if t := u.fieldTarget(u.p.info.Uses[n.Sel]); t != nil && t.params != nil {
				u.instance(t, u.structOf(n))
			}
		case *ast.CompositeLit:
			of := deref(u.p.typeOf(n))
			st, ok := of.Underlying().(*types.Struct)
			if !ok {
				break
			}
			for i, e := range n.Elts {
				var f types.Object
				if kv, ok := e.(*ast.KeyValueExpr); !ok {
					f = st.Field(i)
				} else if key, ok := kv.Key.(*ast.Ident); ok {
					f = u.p.info.Uses[key]
				}
				if t := u.fieldTarget(f); t != nil && t.params != nil {
					u.instance(t, u.structWith(of, f))
				}
			}
		}
		return true
	})
}

// fieldTarget returns the target that a field is, in whichever instance of its struct, or nil.
func (u *pointerUses) fieldTarget(obj types.Object) *target {
	if v, ok := obj.(*types.Var); ok {
		return u.targets[v.Origin()]
	}
	return nil
}

// structOf returns the type of the struct that a selected field is one of, maybe by way of embedded
// fields; nil if it is not known.
func (u *pointerUses) structOf(sel *ast.SelectorExpr) types.Type {
	s := u.p.info.Selections[sel]
	if s == nil {
		return nil
	}
	if t := embeds(s.Recv(), s.Index()[:len(s.Index())-1]); t != nil {
		return deref(t)
	}
	return nil
}

// structWith returns the type of the struct that the key of a literal is a field of: since Go 1.27
// it can be one that is embedded in that of the literal. It is nil if there is none.
func (u *pointerUses) structWith(of types.Type, field types.Object) types.Type {
	_, path, _ := types.LookupFieldOrMethod(of, false, u.p.types, field.Name())
	if len(path) == 0 {
		return nil
	}
	return embeds(of, path[:len(path)-1])
}

// instance notes of which instance of a struct a field is used.
func (u *pointerUses) instance(t *target, of types.Type) {
	named, ok := types.Unalias(of).(*types.Named)
	if !ok || named.TypeArgs().Len() != len(t.params) {
		t.lost = true
		return
	}
	before := u.arguments[t]
	var args []types.Type
	for i := range named.TypeArgs().Len() {
		args = append(args, named.TypeArgs().At(i))
		t.lost = t.lost || before != nil && !types.Identical(before[i], args[i])
	}
	u.arguments[t] = args
}

// leadsTo notes what a target leads to, where its uses are met.
func (u *pointerUses) leadsTo(t *target, to types.Type) {
	if isParticular(u.arguments[t]) {
		u.joined = append(u.joined, u.junction(&target{to: to}, t))
		return
	}
	t.leadsTo(general(to, t.params, u.arguments[t]))
}

// isParticular reports whether an instance has type arguments that are no type parameters. They
// don't tell what depends on which of its parameters.
func isParticular(args []types.Type) bool {
	return slices.ContainsFunc(args, func(t types.Type) bool {
		_, ok := types.Unalias(t).(*types.TypeParam)
		return !ok
	})
}

// A junction is a place where what one target holds becomes what another one holds, which leads
// only to what the first leads to.
type junction struct {
	from, to *target
	late     bool // what the second leads to must be known before, if other places tell it
	out      bool // it is the other way round: what the second holds becomes what the first holds
	// convert returns the second's type of what the first leads to, each in terms of its own type
	// parameters, or nil.
	convert func(types.Type) types.Type
}

// junction returns that of the place at hand.
func (u *pointerUses) junction(from, to *target) junction {
	given, taken := u.arguments[from], u.arguments[to]
	return junction{from: from, to: to, late: isParticular(taken), convert: func(t types.Type) types.Type {
		if t = particular(t, from.params, given); t == nil {
			return nil
		}
		if to.to != nil {
			if known := particular(to.to, to.params, taken); known != nil && types.Identical(known, t) {
				return to.to
			}
		}
		return general(t, to.params, taken)
	}}
}

// particular returns a type with arguments in the place of type parameters, or nil if that can't be
// done.
func particular(t types.Type, params []*types.TypeParam, args []types.Type) types.Type {
	if params == nil {
		return t
	}
	return substituted(t, func(p *types.TypeParam) types.Type {
		if i := slices.Index(params, p); 0 <= i && i < len(args) {
			return args[i]
		}
		return nil
	})
}

// general is the reverse of particular.
func general(t types.Type, params []*types.TypeParam, args []types.Type) types.Type {
	if params == nil {
		return t
	}
	return substituted(t, func(p *types.TypeParam) types.Type {
		var found types.Type
		for i, a := range args {
			if a != p {
				continue
			}
			if found != nil {
				return nil // two of the parameters are one here
			}
			found = params[i]
		}
		return found
	})
}

// substituted returns a type with others in the place of its type parameters, or nil if there is
// none for one of them, or the type is one that is not looked into.
func substituted(t types.Type, other func(*types.TypeParam) types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return other(t)
	case *types.Basic:
		return t
	case *types.Pointer:
		if elem := substituted(t.Elem(), other); elem != nil {
			return types.NewPointer(elem)
		}
	case *types.Slice:
		if elem := substituted(t.Elem(), other); elem != nil {
			return types.NewSlice(elem)
		}
	case *types.Map:
		key, elem := substituted(t.Key(), other), substituted(t.Elem(), other)
		if key != nil && elem != nil {
			return types.NewMap(key, elem)
		}
	case *types.Named:
		if o := t.Obj(); o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
			return nil // one that a generic function declares depends on its type parameters without naming them
		}
		if t.TypeArgs().Len() == 0 {
			return t
		}
		args := make([]types.Type, t.TypeArgs().Len())
		for i := range args {
			if args[i] = substituted(t.TypeArgs().At(i), other); args[i] == nil {
				return nil
			}
		}
		if instance, err := types.Instantiate(nil, t.Origin(), args, false); err == nil {
			return instance
		}
	}
	return nil
}

// template returns the name of a type, as package heap has it, with $i in the place of the i-th of
// some type parameters; "" if it has none there.
func (p *pkg) template(t types.Type, params []*types.TypeParam) string {
	w := templateWriter{p: p, params: params}
	if w.write(t) {
		return w.b.String()
	}
	return ""
}

// A templateWriter writes the name of a type, in which type arguments are as the linker has them.
type templateWriter struct {
	p      *pkg
	params []*types.TypeParam
	b      strings.Builder
	args   int // how many lists of type arguments it is within
}

func (w *templateWriter) write(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		i := slices.Index(w.params, t)
		fmt.Fprintf(&w.b, "$%d", i)
		return i >= 0
	case *types.Basic:
		w.b.WriteString(types.Typ[t.Kind()].Name())
		return t.Kind() != types.UnsafePointer
	case *types.Pointer:
		w.b.WriteString("*")
		return w.write(t.Elem())
	case *types.Slice:
		w.b.WriteString("[]")
		return w.write(t.Elem())
	case *types.Array:
		fmt.Fprintf(&w.b, "[%d]", t.Len())
		return w.write(t.Elem())
	case *types.Map:
		w.b.WriteString("map[")
		if !w.write(t.Key()) {
			return false
		}
		w.b.WriteString("]")
		return w.write(t.Elem())
	case *types.Interface:
		w.b.WriteString("interface {}")
		return t.Empty()
	case *types.Named:
		o := t.Obj()
		if o.Pkg() != nil {
			if o.Parent() != o.Pkg().Scope() {
				return false // another type can have the name
			}
			path := w.p.reflectPathOf(o.Pkg())
			if w.args > 0 {
				path = linkPath(path)
			}
			w.b.WriteString(path + ".")
		}
		w.b.WriteString(o.Name())
		if t.TypeArgs().Len() == 0 {
			return true
		}
		w.args++
		for i := range t.TypeArgs().Len() {
			w.b.WriteString(map[bool]string{true: "[", false: ","}[i == 0])
			if !w.write(t.TypeArgs().At(i)) {
				return false
			}
		}
		w.args--
		w.b.WriteString("]")
		return true
	}
	return false
}

// linkPath returns the path of a package as it stands in the names of the linker, in which a dot
// divides it from what follows.
func linkPath(path string) string {
	i := strings.LastIndexByte(path, '/') + 1
	return path[:i] + strings.ReplaceAll(path[i:], ".", "%2e")
}

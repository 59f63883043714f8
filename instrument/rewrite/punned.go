package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
)

// punned returns the names of the package's struct types to whose pointers it converts pointers to
// other structs, which have references where these have numbers: an object of the other type, to
// which nothing but such a pointer leads, would be saved without them. (One that begins with the
// struct has the same there.)
func (p *pkg) punned() []string {
	found := make(map[*types.TypeName]bool)
	p.eachCall(func(call *ast.CallExpr, above []ast.Node) {
		if t := p.punnedBy(call, above); t != nil {
			found[t] = true
		}
	})
	return p.headNames(found)
}

// punnedBy returns T if a call is the conversion of a pointer to a struct to an unsafe pointer,
// which at once becomes a *T, and T is such a struct.
func (p *pkg) punnedBy(call *ast.CallExpr, above []ast.Node) *types.TypeName {
	tv := p.info.Types[call.Fun]
	if !tv.IsType() || len(call.Args) != 1 || !isUnsafePointer(tv.Type) {
		return nil
	}
	pointer, ok := p.typeOf(call.Args[0]).Underlying().(*types.Pointer)
	to := p.madeAtOnce(above)
	if !ok || to == nil {
		return nil
	}
	from := pointer.Elem()
	for isPointer(from) && isPointer(to) { // *(**T)(unsafe.Pointer(&p)) is a *T of what p leads to
		from, to = deref(from), deref(to)
	}
	t := p.ownStruct(to)
	if t == nil || !isStruct(from) || hasTypeParam(from, nil) || hasTypeParam(to, nil) || types.Identical(from, to) {
		return nil
	}
	has := make(map[int64]bool)
	references(to, 0, func(off int64, _ bool) { has[off] = true })
	size, loses := types.SizesFor("gc", "amd64").Sizeof(to), false
	references(from, 0, func(off int64, number bool) { loses = loses || off < size && !has[off] && !number })
	if !loses {
		return nil
	}
	return t
}

// recast returns the func types to whose pointers the package makes unsafe pointers: a func value of
// another type can be one of these, as in
//
//	type predicate func(uint32) uint8
//	fn := *(*predicate)(unsafe.Pointer(&f)) // f a func(uint32) bool
//
// For those that generated code can't name, since they have type parameters, it has any, to which
// all types can be converted.
func (p *pkg) recast() (list []types.Type) {
	p.eachCall(func(call *ast.CallExpr, _ []ast.Node) {
		if len(call.Args) != 1 || !p.info.Types[call.Fun].IsType() || !isUnsafePointer(p.typeOf(call.Args[0])) {
			return
		}
		pointer, ok := p.typeOf(call).Underlying().(*types.Pointer)
		if !ok {
			return
		}
		to := pointer.Elem()
		if _, ok := to.Underlying().(*types.Signature); !ok {
			return
		}
		if hasTypeParam(to, nil) {
			to = types.Universe.Lookup("any").Type()
		}
		if !slices.ContainsFunc(list, func(t types.Type) bool { return types.Identical(t, to) }) {
			list = append(list, to)
		}
	})
	return list
}

// references calls a function with the offsets of the words of a type that are references, or
// numbers of the type uintptr.
func references(t types.Type, off int64, f func(off int64, number bool)) {
	sizes := types.SizesFor("gc", "amd64")
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer || u.Kind() == types.Uintptr {
			f(off, u.Kind() == types.Uintptr)
		}
	case *types.Struct:
		fields := make([]*types.Var, u.NumFields())
		for i := range fields {
			fields[i] = u.Field(i)
		}
		for i, at := range sizes.Offsetsof(fields) {
			references(fields[i].Type(), off+at, f)
		}
	case *types.Array:
		for i := range min(u.Len(), 1<<10) {
			references(u.Elem(), off+i*sizes.Sizeof(u.Elem()), f)
		}
	case *types.Interface:
		f(off, false)
		f(off+sizes.Sizeof(types.Typ[types.Uintptr]), false)
	default: // of the kinds that are references, or begin with one
		f(off, false)
	}
}

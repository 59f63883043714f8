package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/ckpgen/ckpgen/instrument/load"
)

// A struct that is not generic can keep what only generic functions have to do with:
//
//	type bucket struct { entries [5]unsafe.Pointer } // *entry[K, V]
//
//	func (m *Map[K, V]) put(b *bucket, i int, e *entry[K, V]) { atomic.StorePointer(&b.entries[i], unsafe.Pointer(e)) }
//
// so that the code for it is compiled once. Then the field leads to one of the types that its uses
// name in all instances with which these functions run in the program, and is registered with their
// names. If there are several, package heap looks which one an object can be.

// isOpen reports whether a type depends on which instance of a function names it, or is itself an
// instance, which no other package may be able to name.
func isOpen(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return hasTypeParam(t, nil) || ok && named.TypeArgs().Len() > 0
}

// leadsToOneOf notes that a target leads to a type in one instance or another of a function. A
// variable that gets what such a target holds also leads to what its own uses tell.
func (t *target) leadsToOneOf(to types.Type) {
	if t.to != nil && !t.local || !canBePointee(to, true) {
		t.lost = true
	} else if !slices.ContainsFunc(t.among, func(u types.Type) bool { return types.Identical(u, to) }) {
		t.among = append(t.among, to)
	}
}

// isOneOf reports whether a target leads to one of several types, and nothing else tells what it
// leads to.
func (u *pointerUses) isOneOf(t *target) bool {
	return len(t.among) > 0 && t.to == nil && t.typ == "" && !t.bytes && !t.several && !t.lost
}

// names returns the names of the types that a target leads to one of, in order; nil if they are not
// known.
func (u *pointerUses) names(t *target) []string {
	found := make(map[string]bool)
	for _, open := range t.among {
		known := u.eachInstance(open, func(to types.Type) bool {
			name := ""
			if to != nil && canBePointee(to, true) && !u.recast(to) {
				name = u.p.template(to, nil)
			}
			found[name] = true
			return name != ""
		})
		if !known || u.recast(open) {
			return nil
		}
	}
	return sortedKeys(found)
}

// eachInstance calls a function with what a type is in each instance of the function of the package
// that names it; nil if that can't be told. It reports whether they are all known, and the function
// has returned true for each.
func (u *pointerUses) eachInstance(t types.Type, is func(types.Type) bool) bool {
	if !hasTypeParam(t, nil) {
		return is(t)
	}
	for _, file := range u.p.Pkg.Syntax {
		for _, decl := range file.Decls {
			f, _ := u.p.info.Defs[declaredName(decl)].(*types.Func)
			if f == nil {
				continue
			}
			params := typeParamsOf(f.Signature())
			if len(params) == 0 || particular(t, params, asTypes(params)) == nil {
				continue // another one's
			}
			instances, known := u.p.Closure.Instances(f)
			for _, args := range instances {
				if slices.ContainsFunc(args, func(t types.Type) bool { return hasTypeParam(t, nil) }) {
					continue // as the generic function itself calls it
				}
				if known = known && is(particular(t, params, args)); !known {
					break
				}
			}
			return known
		}
	}
	return false
}

// declaredName returns the name of a function that is declared, or nil.
func declaredName(decl ast.Decl) *ast.Ident {
	if f, ok := decl.(*ast.FuncDecl); ok {
		return f.Name
	}
	return nil
}

// indexed looks whether the address of an element of a list is the beginning of an address of
// another one that is only read:
//
//	atomic.LoadPointer((*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(&b.entries[0]), uintptr(i)*unsafe.Sizeof(b.entries[0]))))
//
// up is the operation &, the i-th of those around.
func (u *pointerUses) indexed(t *target, up *ast.UnaryExpr, i int) bool {
	if _, ok := ast.Unparen(up.X).(*ast.IndexExpr); !ok {
		return false
	}
	cast, ok := u.parent(i + 1).(*ast.CallExpr)
	if !ok || !u.p.info.Types[cast.Fun].IsType() || !isUnsafePointer(u.p.typeOf(cast)) {
		return false
	}
	add, ok := u.parent(i + 2).(*ast.CallExpr)
	if !ok || !u.p.isUnsafe(add, "Add") || ast.Unparen(add.Args[0]) != cast || !u.isIndex(add.Args[1], types.Typ[types.UnsafePointer]) {
		return false
	}
	back, ok := u.parent(i + 3).(*ast.CallExpr)
	if !ok || !u.p.info.Types[back.Fun].IsType() || !types.Identical(u.p.typeOf(back), types.NewPointer(types.Typ[types.UnsafePointer])) {
		return false
	}
	load, ok := u.parent(i + 4).(*ast.CallExpr)
	if !ok || !u.isAtomic(load) || calledFunction(u.p.info, load).Name() != "LoadPointer" {
		return false
	}
	u.value(t, load, i+5)
	return true
}

// isIndex reports whether a number is one of values of a type, times the size of one, of whatever
// types these are.
func (u *pointerUses) isIndex(e ast.Expr, of types.Type) bool {
	product, ok := load.Unconverted(u.p.info, e).(*ast.BinaryExpr)
	if !ok || product.Op != token.MUL {
		return false
	}
	for _, x := range []ast.Expr{product.X, product.Y} {
		if call, ok := load.Unconverted(u.p.info, x).(*ast.CallExpr); ok && u.p.isUnsafe(call, "Sizeof") && types.Identical(u.p.typeOf(call.Args[0]), of) {
			return true
		}
	}
	return false
}

// isStepped reports whether the unsafe pointer that a conversion gives is only added to and
// converted back to the type that it was.
func (u *pointerUses) isStepped(call *ast.CallExpr) bool {
	add, ok := u.parent(0).(*ast.CallExpr)
	if !ok || !u.p.isUnsafe(add, "Add") || ast.Unparen(add.Args[0]) != call {
		return false
	}
	back, ok := u.parent(1).(*ast.CallExpr)
	return ok && u.p.info.Types[back.Fun].IsType() && types.Identical(u.p.typeOf(back), u.p.typeOf(call.Args[0]))
}

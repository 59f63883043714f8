package rewrite

import (
	"go/ast"
	"go/types"
	"strconv"
)

// Of a type without a name, as any or *node, a program can keep the first of several values, too (heads.go). Package heap knows it by its text.

// unnamedHeads returns the types without names that have references, of which the package, or a generic function of the program, makes slices of the first, or adds to its address.
func (p *pkg) unnamedHeads() []types.Type {
	if p.nameless == nil {
		p.nameless = append([]types.Type{}, p.Unnamed...)
		if p.Pkg.Imports["unsafe"] == nil {
			return p.nameless
		}
		p.eachCall(func(call *ast.CallExpr, above []ast.Node) {
			for _, t := range []types.Type{p.firstOf(call), p.walkedOf(call, above)} {
				if t != nil && headType(t) == nil && !hasTypeParam(t, nil) {
					p.nameless = append(p.nameless, t)
				}
			}
		})
	}
	return p.nameless
}

// plainText returns the text that package heap has for a type, or "" if there are instances, functions, or types that functions declare in it.
func (p *pkg) plainText(t types.Type) string {
	of := func(prefix string, t types.Type) string {
		if text := p.plainText(t); text != "" {
			return prefix + text
		}
		return ""
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Typ[t.Kind()].Name()
	case *types.Pointer:
		return of("*", t.Elem())
	case *types.Slice:
		return of("[]", t.Elem())
	case *types.Array:
		return of("["+strconv.FormatInt(t.Len(), 10)+"]", t.Elem())
	case *types.Map:
		if key := p.plainText(t.Key()); key != "" {
			return of("map["+key+"]", t.Elem())
		}
	case *types.Interface:
		if t.Empty() {
			return "interface {}"
		}
	case *types.Named:
		obj := t.Obj()
		switch {
		case obj.Pkg() == nil:
			return obj.Name()
		case t.TypeArgs().Len() > 0 || obj.Parent() != obj.Pkg().Scope():
			return ""
		case obj.Pkg() == p.types:
			return p.reflectPath() + "." + obj.Name()
		}
		return obj.Pkg().Path() + "." + obj.Name()
	}
	return ""
}

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A map without entries is the same whatever it maps, and a field that is set to a new one need not
// tell the type that its other uses do:
//
//	cfg.cache = unsafe.Pointer(&map[string]Encoder{})
//
//	cache := *(*map[reflect.Type]Encoder)(cfg.cache)
//
// As nothing else leads to such a map, it gets entries by these uses only.

// startsEmpty notes that a target is set to the address of a new map without entries, and reports
// whether a value is one.
func (u *pointerUses) startsEmpty(t *target, value ast.Expr) bool {
	of, ok := ast.Unparen(value).(*ast.UnaryExpr)
	if !ok || of.Op != token.AND || t.params != nil {
		return false
	}
	lit, ok := ast.Unparen(of.X).(*ast.CompositeLit)
	if !ok || len(lit.Elts) > 0 {
		return false
	}
	typ := u.p.typeOf(lit)
	if !isMap(typ) || isOpen(typ) {
		return false
	}
	t.mayBeEmpty(typ)
	return true
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// mayBeEmpty notes the type of a map without entries that a target is set to, and reports whether
// that is news.
func (t *target) mayBeEmpty(typ types.Type) bool {
	if slices.ContainsFunc(t.empty, func(u types.Type) bool { return types.Identical(u, typ) }) {
		return false
	}
	t.empty = append(t.empty, typ)
	return true
}

// passesEmpty notes that a target can be set to the empty maps of another one, and reports whether
// that is news.
func (u *pointerUses) passesEmpty(from, t *target) (news bool) {
	for _, typ := range from.empty {
		news = t.mayBeEmpty(typ) || news
	}
	return news
}

// settleEmpty has the targets that are set to empty maps lead to maps of the type that their other
// uses tell, or if there are none, of theirs.
func (u *pointerUses) settleEmpty() {
	for _, all := range []map[types.Object]*target{u.targets, u.locals, u.lists, u.places} {
		for _, t := range all {
			switch {
			case len(t.empty) == 0:
			case t.to == nil && t.among == nil && len(t.empty) == 1:
				t.to = t.empty[0]
			case t.to == nil || !isMap(t.to):
				t.lost = true
			}
		}
	}
	// What two targets hold of which one passes it to the other must be of one type to both.
	for _, j := range u.joined {
		if len(j.from.empty) > 0 && (j.from.to == nil || j.to.to == nil || !types.Identical(j.from.to, j.to.to)) {
			j.from.lost, j.to.lost = true, true
		}
	}
}

package closure

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/ssa"
)

// A list can get longer while it is walked, and what was walked can be gone from memory:
//
//	for e := first; e != nil; e = e.next { e.happen() } // which adds others, at the end
//
// So a loop that walks one polls if it, or a function that it calls, stores an element where the
// next one is found, or a whole struct there, or an element by a pointer to a pointer, which may
// lead to where the last one has its next. One that is new may have a next one, and to take
// elements from a list makes it no longer.

// lengthens reports whether the loop, or what it calls, may store into a field of what is in memory
// already, by which a list is walked.
func (l counted) lengthens(field *types.Var) bool {
	field = field.Origin()
	lengthens := false
	ast.Inspect(l.loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				if n.Tok != token.DEFINE && !isNamed(e) && holdsField(l.info.TypeOf(e), field) {
					lengthens = true
				}
				if !l.isField(e, field) && !(isIndirect(e) && pointsLike(l.info.TypeOf(e), field)) {
					continue
				}
				if len(n.Lhs) == len(n.Rhs) && (l.info.Types[n.Rhs[i]].IsNil() || l.isField(n.Rhs[i], field)) {
					continue
				}
				lengthens = true
			}
		case *ast.CallExpr:
			lengthens = lengthens || l.g.callLengthens(n.Lparen, field)
		}
		return !lengthens
	})
	return lengthens
}

// isNamed reports whether an expression is the name of a variable: no element of a list.
func isNamed(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.Ident)
	return ok
}

// isIndirect reports whether an expression is what a pointer leads to.
func isIndirect(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.StarExpr)
	return ok
}

// linked returns the name of the type, for all its instances, that a pointer leads to; nil if it
// has none, or the type is that of no pointer.
func linked(t types.Type) types.Object {
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if named, ok := types.Unalias(p.Elem()).(*types.Named); ok {
			return named.Origin().Obj()
		}
	}
	return nil
}

// pointsLike reports whether a type is that of pointers to what a field leads to.
func pointsLike(t types.Type, field *types.Var) bool {
	to := linked(t)
	return to != nil && to == linked(field.Type())
}

// holdsField reports whether a struct has a field, or what it consists of has.
func holdsField(t types.Type, field *types.Var) bool {
	found := false
	eachPointer(t, func(v *types.Var) { found = found || v == field })
	return found
}

// eachPointer calls a function with each field of a struct, and of what it consists of, that is a
// pointer.
func eachPointer(t types.Type, do func(field *types.Var)) {
	if t == nil {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		eachPointer(u.Elem(), do)
	case *types.Struct:
		for v := range u.Fields() {
			if isPointer(v.Type()) {
				do(v.Origin())
			} else {
				eachPointer(v.Type(), do)
			}
		}
	}
}

func (l counted) isField(e ast.Expr, field *types.Var) bool {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := l.info.Uses[s.Sel].(*types.Var)
	return ok && v.Origin() == field
}

// callLengthens reports whether a call in rewritten code may lead to such a store.
func (g *graph) callLengthens(at token.Pos, field *types.Var) bool {
	if g.linking == nil {
		g.linking, g.callees = make(map[types.Object]map[*callgraph.Node]bool), make(map[token.Pos][]*callgraph.Node)
		for fn, n := range g.nodes {
			if k := g.kind(fn); k != user && k != synthetic {
				continue
			}
			for v := range links(fn) {
				if g.linking[v] == nil {
					g.linking[v] = make(map[*callgraph.Node]bool)
				}
				g.linking[v][n] = true
			}
			for _, e := range n.Out {
				if pos := sitePos(e); pos.IsValid() {
					g.callees[pos] = append(g.callees[pos], e.Callee)
				}
			}
		}
		g.joined = make(map[types.Object]bool)
	}
	for _, o := range []types.Object{field, linked(field.Type())} {
		those := g.linking[o]
		if those != nil && !g.joined[o] {
			g.addCallers(those)
			g.joined[o] = true
		}
		for _, n := range g.callees[at] {
			if those[n] {
				return true
			}
		}
	}
	return false
}

// addCallers adds the rewritten functions that come to one of those by calls of rewritten ones.
func (g *graph) addCallers(those map[*callgraph.Node]bool) {
	var work []*callgraph.Node
	for n := range those {
		work = append(work, n)
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range n.In {
			if k := g.kind(e.Caller.Func); (k == user || k == synthetic) && !those[e.Caller] {
				those[e.Caller] = true
				work = append(work, e.Caller)
			}
		}
	}
}

// links returns the fields into which a function stores pointers, also with all of a struct, of
// structs that it has not made itself, and the types to which it stores pointers by pointers of
// which it is not known what they lead to.
func links(fn *ssa.Function) map[types.Object]bool {
	var found map[types.Object]bool
	note := func(o types.Object) {
		if found == nil {
			found = make(map[types.Object]bool)
		}
		found[o] = true
	}
	add := func(v *types.Var) { note(v.Origin()) }
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			store, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			if !isMade(store.Addr) {
				eachPointer(store.Val.Type(), add)
			}
			at, ok := store.Addr.(*ssa.FieldAddr)
			if !ok {
				if to := linked(store.Val.Type()); to != nil && wasKept(store.Addr) && !isTaken(store.Val) {
					note(to)
				}
				continue
			}
			v := fieldAddressed(at)
			_, made := at.X.(*ssa.Alloc)
			if made || !isPointer(v.Type()) || isFrom(store.Val, v) {
				continue
			}
			add(v)
		}
	}
	return found
}

// wasKept reports whether an address is one that was in a variable: neither that of a variable nor
// of an element.
func wasKept(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.IndexAddr:
		return false
	}
	return true
}

// isTaken reports whether a value is nil, or that of a field that leads to another of its kind.
func isTaken(v ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	if !ok {
		_, ok := v.(*ssa.Const)
		return ok
	}
	_, ok = u.X.(*ssa.FieldAddr)
	return ok
}

// fieldAddressed returns the field of which an instruction computes the address.
func fieldAddressed(at *ssa.FieldAddr) *types.Var {
	return at.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(at.Field)
}

// isFrom reports whether a value is nil, or that of such a field.
func isFrom(value ssa.Value, field *types.Var) bool {
	switch value := value.(type) {
	case *ssa.Const:
		return true
	case *ssa.UnOp:
		at, ok := value.X.(*ssa.FieldAddr)
		return ok && fieldAddressed(at).Origin() == field.Origin()
	}
	return false
}
